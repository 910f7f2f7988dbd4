/** What serves the endpoints of the contract: plain functions of checked input. */
import type { SteamId } from '#shared/entities.ts'
import type { BodyOf, Endpoint, ParamsOf, ResponseOf } from '#shared/contract/endpoint.ts'
import type { Deps } from './deps.ts'
import type { IncomingUpload } from './pictures/upload-slots.ts'

/** The session a call was made with; `tokenHash` is never logged. */
export type SessionInfo = {
  sessionId: number
  kind: 'handover' | 'lasting'
  tokenHash: string
  /** SHA-256 of the cookie that a sign-in left in this browser, hex; for calls with a hand-over token. */
  browserHash?: string | undefined
}

/** A call as a handler sees it: input matches the contract, the token is valid and the access rule has passed. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  /** Undefined when `upload` is given instead. */
  body: BodyOf<E>
  /** The picture of a multipart body, for calls that take one; nothing of it is in memory before it is read. */
  upload: IncomingUpload | undefined
  user: SteamId
  caller: SessionInfo
}

/** Refuses, by throwing, a call that its user may not make. */
export type AccessRule = (deps: Deps, call: Call<Endpoint>) => Promise<void>

/** JSON text that is ready to send, as text or its bytes, for responses built without objects. */
export class RawJson {
  readonly text: string | Buffer
  /** How many rows there are, where a list carries only the first of them; sent as x-total-count. */
  readonly total: number | undefined
  constructor(text: string | Buffer, total?: number) {
    this.text = text
    this.total = total
  }
}

/** One handler for each call of a noun's contract; `satisfies Handlers<typeof xContract>` closes every feature. */
export type Handlers<Contract extends Record<string, Endpoint>> = {
  [Name in keyof Contract]: (call: Call<Contract[Name]>) => Promise<ResponseOf<Contract[Name]> | RawJson>
}

/** A whole contract: endpoints by noun and name. */
export type ContractShape = Record<string, Record<string, Endpoint>>

/** A handler for every endpoint of a whole contract. */
export type ApiHandlers<Contract extends ContractShape> = {
  [Noun in keyof Contract]: Handlers<Contract[Noun]>
}
