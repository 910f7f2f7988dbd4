/** What the product needs of the platform, and how it fails. `client.ts` is the only implementation. */
import type { SteamId } from '#shared/entities.ts'

/**
 * Who waits for a call: a person at the page; a person who asked for many libraries at once; or the refresh list. The
 * first goes ahead of the second and the second of the third, and each leaves room for those ahead of it.
 */
export type Urgency = 'click' | 'group' | 'background'

export type PlatformGame = {
  appid: number
  /** Null when the platform gave none. */
  name: string | null
  iconHash: string | null
  minutes: number
  recentMinutes: number
  /** Seconds since 1970; 0 when never or unknown. */
  lastPlayed: number
}
export type PlatformFriend = { steamId: SteamId; since: number | null }
export type Profile = {
  steamId: SteamId
  displayName: string | null
  avatarUrl: string | null
  personastate: number
  /** What is being played right now. */
  playing: string | null
}
export type StoreItem = {
  appid: number
  name: string | null
  kind: number | null
  headerUrl: string | null
  categories: number[]
}

export type OwnedGames = { status: 'ok'; games: PlatformGame[] } | { status: 'private' }
export type FriendList = { status: 'ok'; friends: PlatformFriend[] } | { status: 'private' }

/**
 * Each call is answered whole or fails with a SteamError; nothing is ever partly accepted. What a person waits for is
 * tried again within its deadline, unless the host keeps failing; a background call is tried once. `signal` is a caller's own, earlier time limit: when it
 * aborts, the call fails with 'timeout' at once.
 */
export type SteamPort = {
  /**
   * GetOwnedGames (PLAT-12). Private game details are an answer, not a failure.
   * @throws SteamError
   */
  ownedGames(steamId: SteamId, urgency: Urgency, signal?: AbortSignal): Promise<OwnedGames>
  /** GetFriendList (PLAT-19). @throws SteamError */
  friendList(steamId: SteamId, urgency: Urgency, signal?: AbortSignal): Promise<FriendList>
  /** GetPlayerSummaries in hundreds; ids the platform does not know are missing. @throws SteamError */
  profiles(steamIds: readonly SteamId[], urgency: Urgency, signal?: AbortSignal): Promise<Profile[]>
  /** GetItems of the store in chunks; apps the store does not know are missing. @throws SteamError */
  storeItems(appids: readonly number[], urgency: Urgency, signal?: AbortSignal): Promise<StoreItem[]>
}

/** Where the client and the verifier say what went wrong; pino and Fastify's log fit. */
export type SteamLog = {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export type SteamFailure =
  /** 5xx, HTML instead of JSON, a wrong shape, a broken connection. */
  | 'unavailable'
  | 'timeout'
  | 'rate_limited'
  /** 403 without a word about the key: one of the platform's hidden limits, or a block (PLAT-2). */
  | 'turned_away'
  /** The key is refused: the operator's matter, never said of a person. */
  | 'key_refused'
  /** Not asked at all: the circuit is open, Retry-After has not passed, or the daily calls are used up. */
  | 'held_back'

/** A call to the platform that gave nothing to store. Its text and causes never hold the key. */
export class SteamError extends Error {
  readonly failure: SteamFailure
  /** When the platform, or our own circuit, allows the next try. */
  readonly retryAfterSeconds: number | undefined
  constructor(failure: SteamFailure, message: string, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SteamError'
    this.failure = failure
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Permission to make one outgoing call: the budget shared by all servers of one database. Kept outside the
 * client so that the client knows nothing of the database (`sync/budget.ts` is the implementation).
 */
export type CallBudget = {
  /**
   * Waits for a turn. `failing`: the host has failed so often in a row that one try is enough.
   * @throws SteamError 'held_back' or 'rate_limited' when no turn can be had soon enough
   */
  take(host: string, urgency: Urgency): Promise<{ failing: boolean }>
  /**
   * Reports how the call went, so that backoff and circuit breaker can act. A turn whose caller had run out of
   * time before it came is not used and not reported.
   */
  report(
    host: string,
    outcome: { ok: boolean; failure?: SteamFailure; retryAfterSeconds?: number },
  ): Promise<void>
}
