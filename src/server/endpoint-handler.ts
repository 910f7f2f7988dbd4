/** Types of endpoint handlers and access rules: plain functions of validated input. */
import type { SteamId } from '#shared/entities.ts'
import type { Access, BodyOf, Endpoint, ParamsOf, ResponseOf } from '#shared/contract/endpoint.ts'
import type { CachedPlayer } from './cache/read-cache.ts'
import type { Deps } from './deps.ts'
import type { EventStream } from './live/circles.ts'
import type { SessionInfo } from './sessions/sessions.ts'
import type { IncomingUpload } from './pictures/pictures.ts'
import type { NightPlayerRow, NightRow } from './storage/nights/nights.ts'

/** A call before its access rule has passed: validated input and a valid token. */
export type InputOf<E extends Endpoint> = {
  params: ParamsOf<E>
  /** Undefined when `upload` is given instead. */
  body: BodyOf<E>
  /** The picture of a multipart body, for endpoints that accept one; not read into memory yet. */
  upload: IncomingUpload | undefined
  /** The response of an endpoint with `stream`; it is opened when the handler has returned. */
  stream: EventStream | undefined
  acceptLanguage: string | undefined
  /** Empty for endpoints that anyone may call. */
  user: SteamId
  caller: SessionInfo
}

/** A call as a handler gets it: with what the access rule has found. */
export type Call<E extends Endpoint> = InputOf<E> & { found: Found[E['access']] }

/** Whether the library of a player may be shown to the caller. */
export type MayShow = (player: { steam_id: SteamId } | undefined) => boolean

/** A night as one of its players sees it. */
export type FoundNight = {
  night: NightRow
  players: NightPlayerRow[]
  /** The caller; one of the players. */
  me: NightPlayerRow
}

/** What access rules find out, so that no handler looks it up again. */
type Found = Record<Access, unknown> & {
  /** The other player; undefined for a deleted account. */
  self_or_connected: { player: CachedPlayer | undefined; mayShow: MayShow }
  self_with_connected: { me: CachedPlayer | undefined; friend: CachedPlayer | undefined; mayShow: MayShow }
  /** The ids of the group's members. */
  group_member: readonly SteamId[]
  /** Those of the group's members, or those that were sent. */
  group_member_or_every_id_connected: readonly SteamId[]
  night_player: FoundNight
}

/** Each throws an AppError when the user may not make the call. */
export type AccessRules = { [Rule in Access]: (deps: Deps, call: InputOf<Endpoint>) => Promise<Found[Rule]> }

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

export type ApiHandlers<Contract extends ContractShape> = {
  [Noun in keyof Contract]: Handlers<Contract[Noun]>
}
