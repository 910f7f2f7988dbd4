/** The interface to Steam, its errors, and where its pictures are; `client.ts` is the only implementation. */
import type { SteamId } from '#shared/entities.ts'

/**
 * Priority of a call, highest first: 'interactive', a player waits for it; 'group', one of many libraries that a player
 * waits for; 'background', the refresh list. Lower priorities leave slots free for higher ones.
 */
export type Urgency = 'interactive' | 'group' | 'background'

export type SteamGame = {
  appid: number
  /** Null when the response has none. */
  name: string | null
  iconHash: string | null
  minutes: number
  recentMinutes: number
  /** Seconds since 1970; 0 when never or unknown. */
  lastPlayed: number
}
export type Profile = {
  steamId: SteamId
  displayName: string | null
  avatarUrl: string | null
  personastate: number
  /** Name of the game being played. */
  playing: string | null
  /** Its appid; null when it is not a game of the store. */
  playingAppid: number | null
}
export type StorePrice = {
  formatted: string
  cents: number
  discountPercent: number
  discountEndsAt: number | null
}
export type StoreItem = {
  appid: number
  /** Whether the store shows it in that country; of an item that it does not show, at most the name is known. */
  isShown: boolean
  name: string | null
  kind: number | null
  headerUrl: string | null
  categories: number[]
  /** Free to play. */
  isFree: boolean
  /** Null when it is free, or not sold in that country; times are milliseconds since 1970. */
  price: StorePrice | null
}

export type OwnedGames = { status: 'ok'; games: SteamGame[] } | { status: 'private' }
export type FriendList = { status: 'ok'; friends: SteamId[] } | { status: 'private' }

/**
 * Each call succeeds as a whole or throws a SteamError. Calls that a player waits for are retried until their deadline,
 * unless the host keeps failing; background calls are not retried. When `signal` aborts, the call fails with 'timeout'
 * immediately.
 */
export type SteamPort = {
  /**
   * GetOwnedGames (PLAT-12). Private game details are a result, not a failure.
   * @throws SteamError
   */
  ownedGames(steamId: SteamId, urgency: Urgency, signal?: AbortSignal): Promise<OwnedGames>
  /** GetFriendList (PLAT-19). @throws SteamError */
  friendList(steamId: SteamId, urgency: Urgency, signal?: AbortSignal): Promise<FriendList>
  /** GetPlayerSummaries, 100 ids per request; players whom Steam does not return are offline. @throws SteamError */
  profiles(steamIds: readonly SteamId[], urgency: Urgency, signal?: AbortSignal): Promise<Profile[]>
  /** GetWishlist (PLAT-47), in the background: appids, those wanted most first; none when it is empty or private. @throws SteamError */
  wishlist(steamId: SteamId): Promise<number[]>
  /** GetItems of the store in a country, 100 per request. @throws SteamError */
  storeItems(appids: readonly number[], urgency: Urgency, country?: string): Promise<StoreItem[]>
}

/** The logger of client and sign-in check; compatible with pino and Fastify's. */
export type SteamLog = {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export type SteamFailure =
  /** 5xx, HTML instead of JSON, a wrong shape, or a broken connection. */
  | 'unavailable'
  | 'timeout'
  | 'rate_limited'
  /** A 403 that does not mention the key: one of Steam's hidden limits, or a block (PLAT-2). */
  | 'forbidden'
  /** Steam rejected the key; only the operator can fix that. */
  | 'invalid_key'
  /** Not sent: the circuit is open, Retry-After has not passed, or the calls of the day are used up. */
  | 'throttled'

/** A failed call to Steam. Message and causes never contain the key. */
export class SteamError extends Error {
  readonly failure: SteamFailure
  /** Seconds until Steam, or our own circuit breaker, allows the next attempt. */
  readonly retryAfterSeconds: number | undefined
  constructor(failure: SteamFailure, message: string, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SteamError'
    this.failure = failure
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * The call budget, shared by all servers of one database. An interface, so that the client does not depend on the
 * database; `sync/budget.ts` implements it.
 */
export type CallBudget = {
  /**
   * Waits until one request may be sent. `failing`: the host has failed for so many players in a row that one attempt is
   * enough.
   * @throws SteamError 'throttled' or 'rate_limited' when the wait would be too long
   */
  take(host: string, urgency: Urgency): Promise<{ failing: boolean }>
  /**
   * Reports the outcome of a request to the backoff and the circuit breaker. Not called when the caller's time ran out
   * while it waited in {@link take}. `steamId`: the only player whom the request was about; however often it fails for
   * them, that is one failure of the host.
   */
  report(
    host: string,
    outcome: { ok: boolean; failure?: SteamFailure; retryAfterSeconds?: number; steamId?: SteamId },
  ): Promise<void>
}

/** URLs of games' pictures on Steam's hosts (PLAT-33). */
const ICONS = 'https://media.steampowered.com/steamcommunity/public/images/apps'
const STORE_ASSETS = 'https://shared.akamai.steamstatic.com/store_item_assets/'
const OLDER_HEADERS = 'https://cdn.akamai.steamstatic.com/steam/apps'

/** Hosts of Steam's pictures, whose pictures browsers may load (PIC-9). */
export const STEAM_PICTURE_HOSTS: readonly string[] = [
  'avatars.steamstatic.com',
  'avatars.akamai.steamstatic.com',
  'avatars.cloudflare.steamstatic.com',
  'avatars.fastly.steamstatic.com',
  // Steam's avatars for players in China.
  'avatars.st.dl.eccdnx.com',
  'steamcdn-a.akamaihd.net',
  'media.steampowered.com',
  'shared.akamai.steamstatic.com',
  'shared.cloudflare.steamstatic.com',
  'shared.fastly.steamstatic.com',
  'cdn.akamai.steamstatic.com',
  'cdn.cloudflare.steamstatic.com',
]

/** URL of a game's small square icon, by the hash from GetOwnedGames. */
export function iconUrl(appid: number, hash: string): string {
  return `${ICONS}/${appid}/${hash}.jpg`
}

/** URL of a game's wide picture without store details; newer apps have no picture there. */
export function headerUrl(appid: number): string {
  return `${OLDER_HEADERS}/${appid}/header.jpg`
}

/**
 * URL of a picture from store details: `asset_url_format` with `${FILENAME}` replaced by the file name. Null when the
 * result is not a URL below the store's assets.
 */
export function storeAssetUrl(format: string, fileName: string): string | null {
  if (!format.includes('${FILENAME}')) return null
  const text = STORE_ASSETS + format.replace('${FILENAME}', () => fileName)
  const url = URL.canParse(text) ? new URL(text).href : ''
  return url.startsWith(STORE_ASSETS) ? url : null
}
