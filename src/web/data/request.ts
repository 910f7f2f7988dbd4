/** Sends one request to the server, typed by the contract. */
import type { Contract } from '#shared/contract/index.ts'
import type { BodyInput, Endpoint, ParamsInput, ResponseOf } from '#shared/contract/endpoint.ts'
import { pathOf } from '#shared/path.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { messages } from 'virtual:texts'
import { ApiError, loadErrorTexts } from './api-error.ts'
import { noteServerTime } from '../clock.ts'
import { setAnswered } from './offline.ts'

type Noun = Contract[keyof Contract]
type AnyEndpoint = Noun extends infer N ? (N extends Noun ? N[keyof N] : never) : never
/** Every endpoint of the contract by its name, such as 'GET /api/groups/:id'. */
type Endpoints = { [E in AnyEndpoint as E extends Endpoint ? `${E['method']} ${E['path']}` : never]: E }
export type EndpointName = keyof Endpoints
type EndpointNamed<Name extends EndpointName> = Endpoints[Name] extends Endpoint ? Endpoints[Name] : never

/** The response of an endpoint. */
export type ResponseTo<Name extends EndpointName> = ResponseOf<EndpointNamed<Name>>
/** The input of an endpoint: the `params` of its path, its `body`, or a file to upload instead of the body. */
export type InputOf<Name extends EndpointName> = (Name extends `${string}:${string}`
  ? { params: ParamsInput<EndpointNamed<Name>> }
  : { params?: undefined }) &
  (BodyInput<EndpointNamed<Name>> extends undefined
    ? { body?: undefined }
    : { body: BodyInput<EndpointNamed<Name>> | (Name extends `${string}/picture` ? FormData : never) })

type AnyInput = { params?: Record<string, string | number>; body?: unknown }

/**
 * Sends one request, once.
 * @throws ApiError
 */
export async function request(
  name: EndpointName,
  input: AnyInput,
  token: string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const [method, path] = name.split(' ') as [string, string]
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  const isForm = input.body instanceof FormData
  if (input.body !== undefined && !isForm) headers['content-type'] = 'application/json'

  const sentAt = Date.now()
  const response = await fetch(pathOf(path, input.params ?? {}), {
    method,
    headers,
    body: isForm ? (input.body as FormData) : JSON.stringify(input.body),
    signal,
    // The token exchange needs the cookie of the browser that signed in (SIGN-12).
    credentials: 'same-origin',
    keepalive: name === 'POST /auth/logout',
    // The server redirects no call; an expired sign-in of a proxy does, to another host, which would look like no answer.
    redirect: 'manual',
  }).catch((): never => {
    throw networkFailure()
  })
  noteServerTime(response, sentAt)
  const text = await response.text().catch((): never => {
    throw networkFailure()
  })
  const body = parsed(text)
  // Proxies redirect, and respond with 401, 403, 407, 502, 503, 504 and 511; all failures of the server have a code (ERR-1).
  const isForeign = response.ok
    ? body === undefined && text !== ''
    : response.type === 'opaqueredirect' ||
      (/^(40[137]|50[234]|511)$/.test(`${response.status}`) && !(body as ErrorBody | undefined)?.code)
  setAnswered(isForeign ? 'other' : 'server')
  if (isForeign) throw new ApiError({ status: 0, code: 'foreign', text: messages.foreign })
  if (!response.ok) {
    await loadErrorTexts()
    throw failureOf(response, body)
  }
  return body
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(response: Response, body: unknown): ApiError {
  const refusal = (body ?? {}) as Partial<ErrorBody>
  const { error } = refusal
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN)
  return new ApiError({
    code: 'unknown',
    ...refusal,
    status: response.status,
    text: typeof error === 'string' && error !== '' ? error : messages.somethingWrong,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

function networkFailure(): ApiError {
  return new ApiError({ status: 0, code: 'network', text: messages.networkError })
}
