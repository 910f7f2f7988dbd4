/** Types of endpoint handlers and access rules: plain functions of validated input. */
import type { SteamId } from '#shared/entities.ts'
import type { BodyOf, Endpoint, ParamsOf, ResponseOf } from '#shared/contract/endpoint.ts'
import type { Deps } from './deps.ts'
import type { EventStream } from './event-stream.ts'
import type { SessionInfo } from './sessions/authenticate.ts'
import type { IncomingUpload } from './pictures/upload-slots.ts'

/** A call as a handler gets it: validated input, a valid token, and the access rule has passed. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  /** Undefined when `upload` is given instead. */
  body: BodyOf<E>
  /** The picture of a multipart body, for endpoints that accept one; not read into memory yet. */
  upload: IncomingUpload | undefined
  /** The response of an endpoint with `stream`; it is opened when the handler has returned. */
  stream: EventStream | undefined
  /** The header. */
  acceptLanguage: string | undefined
  /** Empty for endpoints that anyone may call. */
  user: SteamId
  caller: SessionInfo
}

/** Throws an AppError when the user may not make the call. */
export type AccessRule = (deps: Deps, call: Call<Endpoint>) => Promise<void>

/** What a handler returns: nothing for a response without a body. */
type Answer<Response> = [Response] extends [undefined] ? void : Response

/**
 * A handler for each endpoint of one noun's contract; every feature ends with `satisfies Handlers<typeof xContract>`.
 */
export type Handlers<Contract extends Record<string, Endpoint>> = {
  [Name in keyof Contract]: (call: Call<Contract[Name]>) => Promise<Answer<ResponseOf<Contract[Name]>>>
}

/** A whole contract: endpoints by noun and name. */
export type ContractShape = Record<string, Record<string, Endpoint>>

/** A handler for every endpoint of a whole contract. */
export type ApiHandlers<Contract extends ContractShape> = {
  [Noun in keyof Contract]: Handlers<Contract[Noun]>
}
