/** One request to the server and its response, typed by the contract. */
import type { Contract } from '#shared/contract/index.ts'
import {
  type BodyInput,
  type Endpoint,
  type ParamsInput,
  pathOf,
  type ResponseOf,
} from '#shared/contract/endpoint.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { messages } from '../messages.ts'
import { ApiError } from './api-error.ts'

type Noun = Contract[keyof Contract]
type AnyCall = Noun extends infer N ? (N extends Noun ? N[keyof N] : never) : never
/** Every call of the contract by its address, 'GET /api/groups/:id'. */
type Calls = { [E in AnyCall as E extends Endpoint ? `${E['method']} ${E['path']}` : never]: E }
export type Address = keyof Calls
type EndpointAt<A extends Address> = Calls[A] extends Endpoint ? Calls[A] : never

/** What the server answers to a call. */
export type AnswerOf<A extends Address> = ResponseOf<EndpointAt<A>>
/** What a call needs: `params` where its path has some, `body` where it takes one (or the file it takes instead). */
export type InputOf<A extends Address> = (A extends `${string}:${string}`
  ? { params: ParamsInput<EndpointAt<A>> }
  : { params?: undefined }) &
  (BodyInput<EndpointAt<A>> extends undefined
    ? { body?: undefined }
    : { body: BodyInput<EndpointAt<A>> | (A extends `${string}/picture` ? FormData : never) })

type AnyInput = { params?: Record<string, string | number>; body?: unknown }

/**
 * Sends one request, once.
 * @throws ApiError
 */
export async function request(
  address: Address,
  input: AnyInput,
  token: string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const [method, path] = address.split(' ') as [string, string]
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  const isForm = input.body instanceof FormData
  if (input.body !== undefined && !isForm) headers['content-type'] = 'application/json'

  const response = await fetch(pathOf(path, input.params ?? {}), {
    method,
    headers,
    body: isForm ? (input.body as FormData) : JSON.stringify(input.body),
    signal,
    // The exchange of a sign-in's token goes with the cookie of the browser that signed in.
    credentials: 'same-origin',
    keepalive: address === 'POST /auth/logout',
  }).catch((): never => {
    throw networkFailure()
  })
  const text = await response.text().catch((): never => {
    throw networkFailure()
  })
  const answer = parsed(text)
  if (!response.ok) throw failureOf(response, answer)
  if (answer === undefined && text !== '') throw unknownFailure(response)
  return answer
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(response: Response, answer: unknown): ApiError {
  const { error, code } = (answer ?? {}) as Partial<ErrorBody>
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN)
  return new ApiError({
    status: response.status,
    code: code ?? 'unknown',
    text: typeof error === 'string' && error !== '' ? error : messages.somethingWrong,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

function unknownFailure(response: Response): ApiError {
  return new ApiError({ status: response.status, code: 'unknown', text: messages.somethingWrong })
}

function networkFailure(): ApiError {
  return new ApiError({ status: 0, code: 'network', text: messages.networkError })
}
