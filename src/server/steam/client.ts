/** Client of Steam's Web API: the only implementation of {@link SteamPort}. */
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import { readOwnedGamesAside } from './parse-aside.ts'
import { readFriendList, readOwnedGames, readProfiles, readStoreItems, readWishlist } from './responses.ts'
import { SteamError, type CallBudget, type SteamLog, type SteamPort, type Urgency } from './port.ts'
import { sendRequest, type Outcome, type SteamRequest } from './request.ts'

/** Ids per GetPlayerSummaries or GetItems request (PLAT-24, PLAT-29). */
const IDS_PER_REQUEST = 100
/**
 * Concurrent requests (REF-6). Background requests use at most two slots, and group and background requests together
 * at most three, so that one is always left for clicks.
 */
const SLOTS = 4
const GROUP_SLOTS = 3
const BACKGROUND_SLOTS = 2
/** Concurrent chunks of one call, so that twenty requests for 2,000 friends leave slots to other people. */
const CONCURRENT_CHUNKS = 2
const PRIORITY: Record<Urgency, number> = { interactive: 2, group: 1, background: 0 }

/**
 * No attempt starts after this fraction of a call's deadline: it would be aborted before Steam responds, yet
 * count against the call budget.
 */
const LATEST_START_FRACTION = 0.9

export type SteamTiming = {
  /** Timeout of one attempt that a player waits for, from the first byte sent to the last byte read. */
  timeoutMs: number
  /** Deadline of a whole call that a player waits for, with all attempts, pauses and waiting for the budget. */
  deadlineMs: number
  /** Timeout of the only attempt of a background call; longer, so that very large libraries can be read. */
  backgroundTimeoutMs: number
  /** Attempts of a call that a player waits for (SYNC-13: at most 4). */
  tries: number
  /** First pause between attempts, doubled after each; all are jittered. */
  backoffMs: number
}
/** SYNC-12: a failed sync is reported within 20 seconds, which includes work on the database. */
const defaultTiming: SteamTiming = {
  timeoutMs: 8_000,
  deadlineMs: 18_000,
  backgroundTimeoutMs: 18_000,
  tries: 4,
  backoffMs: 400,
}

type ClientOptions = {
  /** Base of the Web API, without a trailing slash. */
  apiUrl: string
  apiKey: string
  budget: CallBudget
  log: SteamLog
  fetch?: typeof globalThis.fetch
  timing?: Partial<SteamTiming>
  /** Random number from 0 to 1, for the jitter. */
  random?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Current time in milliseconds since 1970, for a `Retry-After` that is a date. */
  now?: () => number
}

/**
 * Creates a client of Steam's Web API (PLAT-2 to PLAT-41). Each attempt first waits for the call budget and reports its
 * outcome to it. At most {@link SLOTS} requests run at a time, requests of clicks first. The key never appears in an
 * error or a log.
 */
export function createSteamClient({
  apiUrl,
  apiKey,
  budget,
  log,
  fetch = globalThis.fetch,
  timing,
  random = Math.random,
  sleep = (ms, signal) => pause(ms, undefined, { signal }),
  now = Date.now,
}: ClientOptions): SteamPort {
  const { timeoutMs, deadlineMs, backgroundTimeoutMs, tries, backoffMs } = { ...defaultTiming, ...timing }
  const slots = new PQueue({ concurrency: SLOTS })
  const groupSlots = new PQueue({ concurrency: GROUP_SLOTS })
  const backgroundSlots = new PQueue({ concurrency: BACKGROUND_SLOTS })

  /** A whole call: attempts until one succeeds, is not retryable, or the deadline passes. */
  async function send<T>(
    urgency: Urgency,
    callerLimit: AbortSignal | undefined,
    request: SteamRequest<T>,
  ): Promise<T> {
    const deadline = urgency === 'background' ? undefined : AbortSignal.timeout(deadlineMs)
    const limit = AbortSignal.any([deadline, callerLimit].filter((signal) => signal !== undefined))
    const allowed = urgency === 'background' ? 1 : tries
    const startBy = performance.now() + deadlineMs * LATEST_START_FRACTION
    const isLate = () => limit.aborted || (deadline !== undefined && performance.now() > startBy)
    const timedOut = () => new SteamError('timeout', `${request.name} timed out`)
    for (let attempt = 1; ; attempt++) {
      const outcome = await inSlot(urgency, limit, async () => {
        if (isLate()) throw timedOut()
        return attemptOnce(request, urgency, limit, attempt)
      }).catch((error: unknown) => {
        if (error instanceof SteamError || !limit.aborted) throw error
        throw timedOut()
      })
      if (outcome.ok) return outcome.value
      if (!outcome.retryable || attempt >= allowed || isLate()) throw outcome.error
      // Jitter, so that servers that failed at the same time do not retry at the same time.
      await sleep(backoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2), limit).catch(() => {
        throw outcome.error
      })
    }
  }

  /** Runs `task` when a slot is free; rejects when `limit` aborts first. */
  function inSlot<T>(urgency: Urgency, limit: AbortSignal, task: () => Promise<T>): Promise<T> {
    const options = { priority: PRIORITY[urgency], signal: limit }
    const inAnySlot = () => slots.add(task, options)
    if (urgency === 'interactive') return inAnySlot()
    const inGroupSlot = () => groupSlots.add(inAnySlot, options)
    return urgency === 'group' ? inGroupSlot() : backgroundSlots.add(inGroupSlot, options)
  }

  async function attemptOnce<T>(
    request: SteamRequest<T>,
    urgency: Urgency,
    limit: AbortSignal,
    attempt: number,
  ): Promise<Outcome<T>> {
    const { host } = request.url
    const { failing } = await budget.take(host, urgency)
    limit.throwIfAborted()
    const started = performance.now()
    const ownLimit = AbortSignal.timeout(urgency === 'background' ? backgroundTimeoutMs : timeoutMs)
    const outcome = asPlayersOwn(
      request,
      await sendRequest(request, { fetch, signal: AbortSignal.any([limit, ownLimit]), now }),
    )
    const ms = Math.round(performance.now() - started)
    const fields = { call: request.name, status: outcome.status, attempt, urgency, ms }
    if (outcome.ok) {
      log.debug(fields, 'Steam request succeeded')
      await budget.report(host, { ok: true })
    } else {
      const { failure, message, retryAfterSeconds } = outcome.error
      log.warn({ ...fields, failure, reason: message, retryAfterSeconds }, 'Steam request failed')
      await budget.report(host, { ok: false, failure, retryAfterSeconds, steamId: request.steamId })
      // More attempts would only add load while Steam is down.
      if (failing) return { ...outcome, retryable: false }
    }
    return outcome
  }

  /** Players whom a 403 was about since the last success. */
  const refused = new Set<string>()

  /** A 403 for one player is theirs, until Steam refuses another one too. */
  function asPlayersOwn<T>({ name, steamId }: SteamRequest<T>, outcome: Outcome<T>): Outcome<T> {
    if (outcome.ok) refused.clear()
    else if (outcome.error.failure === 'forbidden' && steamId !== undefined) {
      const isFirst = refused.add(steamId).size === 1
      const { retryAfterSeconds } = outcome.error
      if (isFirst && retryAfterSeconds === undefined)
        return { ...outcome, error: new SteamError('unavailable', `${name} was refused for this player`) }
    }
    return outcome
  }

  /** Requests many ids in chunks; when one chunk fails, the others are cancelled. */
  async function inChunks<Id, T>(
    ids: readonly Id[],
    callerLimit: AbortSignal | undefined,
    sendChunk: (chunk: Id[], limit: AbortSignal) => Promise<T[]>,
  ): Promise<T[]> {
    const unique = [...new Set(ids)]
    const chunks = Array.from({ length: Math.ceil(unique.length / IDS_PER_REQUEST) }, (_, nth) =>
      unique.slice(nth * IDS_PER_REQUEST, (nth + 1) * IDS_PER_REQUEST),
    )
    const failed = new AbortController()
    const limit = callerLimit ? AbortSignal.any([callerLimit, failed.signal]) : failed.signal
    const turns = new PQueue({ concurrency: CONCURRENT_CHUNKS })
    const sendInTurn = (chunk: Id[]) =>
      sendChunk(chunk, limit).catch((error: unknown) => {
        failed.abort()
        turns.clear()
        throw error
      })
    return (await turns.addAll(chunks.map((chunk) => () => sendInTurn(chunk)))).flat()
  }

  const keyed = (path: string, parameters: Record<string, string>) =>
    new URL(`${apiUrl}${path}?${new URLSearchParams({ key: apiKey, ...parameters }).toString()}`)

  return {
    ownedGames: (steamId, urgency, signal) =>
      send(urgency, signal, {
        name: 'GetOwnedGames',
        steamId,
        url: keyed('/IPlayerService/GetOwnedGames/v1/', {
          steamid: steamId,
          include_appinfo: '1',
          include_played_free_games: '1',
          skip_unvetted_apps: '0',
        }),
        read: readOwnedGames,
        readAside: readOwnedGamesAside,
        whenRefused: { status: 'private' },
      }),

    friendList: (steamId, urgency, signal) =>
      send(urgency, signal, {
        name: 'GetFriendList',
        steamId,
        url: keyed('/ISteamUser/GetFriendList/v1/', { steamid: steamId, relationship: 'friend' }),
        read: readFriendList,
        whenRefused: { status: 'private' },
      }),

    profiles: (steamIds, urgency, signal) =>
      inChunks(steamIds, signal, (chunk, limit) =>
        send(urgency, limit, {
          name: 'GetPlayerSummaries',
          url: keyed('/ISteamUser/GetPlayerSummaries/v2/', { steamids: chunk.join(',') }),
          read: (json) => readProfiles(json, chunk),
        }),
      ),

    wishlist: (steamId) =>
      send('background', undefined, {
        name: 'GetWishlist',
        steamId,
        url: keyed('/IWishlistService/GetWishlist/v1/', { steamid: steamId }),
        read: readWishlist,
        whenRefused: [],
      }),

    storeItems: (appids, urgency, country = 'US') =>
      inChunks(appids, undefined, (chunk, limit) =>
        send(urgency, limit, {
          name: 'GetItems',
          url: storeUrl(apiUrl, chunk, country),
          read: (json) => readStoreItems(json, chunk),
        }),
      ),
  }
}

/** URL of GetItems (PLAT-29), without the key, because it needs none. */
function storeUrl(apiUrl: string, appids: readonly number[], country: string): URL {
  const input = {
    ids: appids.map((appid) => ({ appid })),
    context: { language: 'english', country_code: country },
    data_request: { include_basic_info: true, include_assets: true },
  }
  const query = new URLSearchParams({ input_json: JSON.stringify(input) })
  return new URL(`${apiUrl}/IStoreBrowseService/GetItems/v1/?${query.toString()}`)
}
