/** The platform's Web API over HTTP: the only implementation of {@link SteamPort}. */
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import { readFriendList, readOwnedGames, readProfiles, readStoreItems } from './answers.ts'
import { SteamError, type CallBudget, type SteamLog, type SteamPort, type Urgency } from './port.ts'
import { request, type Outcome, type PlatformRequest } from './request.ts'

/** Ids of one GetPlayerSummaries or GetItems call (PLAT-24, PLAT-29). */
const IDS_PER_CALL = 100
/**
 * Calls at once (PLAT-6). Background calls take half of the slots at most, and together with those for many
 * libraries all but one, so that no click waits for them.
 */
const SLOTS = 4
const UNHURRIED_SLOTS = 3
const BACKGROUND_SLOTS = 2
/** Chunks of one call at once: a list of 2,000 friends is twenty calls, and other people's clicks are not to wait. */
const CHUNKS_AT_ONCE = 2
const PRIORITY: Record<Urgency, number> = { click: 2, group: 1, background: 0 }

/**
 * The part of a click's time after which no further call is started: it would be broken off before the platform has
 * answered, and count against the budget all the same.
 */
const LATEST_START = 0.9

export type SteamTiming = {
  /** One try of a click, from the first byte sent to the last one read. */
  timeoutMs: number
  /** A whole click: tries, pauses and waiting for a turn included. */
  deadlineMs: number
  /** The one try of a background call; nobody waits for it, so that huge libraries are read there at the latest. */
  backgroundTimeoutMs: number
  /** Tries of a click (SYNC-14: at most 4). */
  tries: number
  /** The first pause between tries; each following one is twice as long. All are jittered. */
  backoffMs: number
}
/** SYNC-12: a failure is answered within 20 seconds, the database's part included. */
const defaultTiming: SteamTiming = {
  timeoutMs: 8_000,
  deadlineMs: 18_000,
  backgroundTimeoutMs: 18_000,
  tries: 4,
  backoffMs: 400,
}

type ClientParts = {
  /** Base of the Web API, without a trailing slash. */
  apiUrl: string
  /** Base of the store's interface; the Web API's unless given. */
  storeApiUrl?: string
  apiKey: string
  budget: CallBudget
  log: SteamLog
  fetch?: typeof globalThis.fetch
  timing?: Partial<SteamTiming>
  /** From 0 to 1, for the jitter. */
  random?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds since 1970, to read a `Retry-After` that is a date. */
  now?: () => number
}

/**
 * The client of the platform's Web API (PLAT-1 to PLAT-41). It asks the budget before every single try and
 * reports how it went, keeps to {@link SLOTS} calls at once with clicks ahead, and never lets the key into an error or a log.
 */
export function createSteamClient({
  apiUrl,
  storeApiUrl = apiUrl,
  apiKey,
  budget,
  log,
  fetch = globalThis.fetch,
  timing,
  random = Math.random,
  sleep = (ms, signal) => pause(ms, undefined, { signal }),
  now = Date.now,
}: ClientParts): SteamPort {
  const { timeoutMs, deadlineMs, backgroundTimeoutMs, tries, backoffMs } = { ...defaultTiming, ...timing }
  const slots = new PQueue({ concurrency: SLOTS })
  const unhurriedSlots = new PQueue({ concurrency: UNHURRIED_SLOTS })
  const backgroundSlots = new PQueue({ concurrency: BACKGROUND_SLOTS })

  /** A whole call: tries within the time limits. */
  async function ask<T>(asked: PlatformRequest<T>, urgency: Urgency, callerLimit?: AbortSignal): Promise<T> {
    const deadline = urgency === 'background' ? undefined : AbortSignal.timeout(deadlineMs)
    const limit = AbortSignal.any([deadline, callerLimit].filter((signal) => signal !== undefined))
    const allowed = urgency === 'background' ? 1 : tries
    const startBy = performance.now() + deadlineMs * LATEST_START
    const mayStart = () => urgency === 'background' || performance.now() < startBy
    const outOfTime = () => new SteamError('timeout', `${asked.name} was not answered in time`)
    for (let nth = 1; ; nth++) {
      const outcome = await inSlot(urgency, limit, async () => {
        if (!mayStart()) throw outOfTime()
        return tryOnce(asked, urgency, limit, nth)
      }).catch((error: unknown) => {
        if (error instanceof SteamError || !limit.aborted) throw error
        throw outOfTime()
      })
      if (outcome.ok) return outcome.value
      if (!outcome.again || nth >= allowed || limit.aborted || !mayStart()) throw outcome.error
      // Jitter from half to the whole: servers that failed together do not come back together.
      await sleep(backoffMs * 2 ** (nth - 1) * (0.5 + random() / 2), limit).catch(() => {
        throw outcome.error
      })
    }
  }

  /** Waits for a slot, until `limit`; then the wait is over, and so is the call. */
  function inSlot<T>(urgency: Urgency, limit: AbortSignal, task: () => Promise<T>): Promise<T> {
    const options = { priority: PRIORITY[urgency], signal: limit }
    const inAny = () => slots.add(task, options)
    if (urgency === 'click') return inAny()
    const unhurried = () => unhurriedSlots.add(inAny, options)
    return urgency === 'group' ? unhurried() : backgroundSlots.add(unhurried, options)
  }

  async function tryOnce<T>(
    asked: PlatformRequest<T>,
    urgency: Urgency,
    limit: AbortSignal,
    nth: number,
  ): Promise<Outcome<T>> {
    const { host } = asked.url
    const { failing } = await budget.take(host, urgency)
    limit.throwIfAborted()
    const started = performance.now()
    const ownLimit = AbortSignal.timeout(urgency === 'background' ? backgroundTimeoutMs : timeoutMs)
    const outcome = await request(asked, { fetch, signal: AbortSignal.any([limit, ownLimit]), now })
    const fields = {
      call: asked.name,
      status: outcome.status,
      nth,
      urgency,
      ms: Math.round(performance.now() - started),
    }
    if (outcome.ok) {
      log.debug(fields, 'the platform answered')
      await budget.report(host, { ok: true })
    } else {
      const { failure, message, retryAfterSeconds } = outcome.error
      log.warn({ ...fields, failure, reason: message, retryAfterSeconds }, 'a call to the platform failed')
      await budget.report(host, { ok: false, failure, retryAfterSeconds })
      // More tries would only add to the load of a platform that is down.
      if (failing) return { ...outcome, again: false }
    }
    return outcome
  }

  /** Asks for many ids in chunks; when one chunk fails, the others are given up. */
  async function inChunks<Id, T>(
    ids: readonly Id[],
    callerLimit: AbortSignal | undefined,
    askChunk: (chunk: Id[], limit: AbortSignal) => Promise<T[]>,
  ): Promise<T[]> {
    const unique = [...new Set(ids)]
    const chunks = Array.from({ length: Math.ceil(unique.length / IDS_PER_CALL) }, (_, nth) =>
      unique.slice(nth * IDS_PER_CALL, (nth + 1) * IDS_PER_CALL),
    )
    const failed = new AbortController()
    const limit = callerLimit ? AbortSignal.any([callerLimit, failed.signal]) : failed.signal
    const turns = new PQueue({ concurrency: CHUNKS_AT_ONCE })
    const askInTurn = async (chunk: Id[]) => {
      try {
        return await askChunk(chunk, limit)
      } catch (error) {
        failed.abort()
        turns.clear()
        throw error
      }
    }
    return (await turns.addAll(chunks.map((chunk) => () => askInTurn(chunk)))).flat()
  }

  const keyed = (path: string, parameters: Record<string, string>) =>
    new URL(`${apiUrl}${path}?${new URLSearchParams({ key: apiKey, ...parameters }).toString()}`)

  return {
    ownedGames: (steamId, urgency, signal) =>
      ask(
        {
          name: 'GetOwnedGames',
          url: keyed('/IPlayerService/GetOwnedGames/v1/', {
            steamid: steamId,
            include_appinfo: '1',
            include_played_free_games: '1',
            skip_unvetted_apps: '0',
          }),
          read: readOwnedGames,
        },
        urgency,
        signal,
      ),

    friendList: (steamId, urgency, signal) =>
      ask(
        {
          name: 'GetFriendList',
          url: keyed('/ISteamUser/GetFriendList/v1/', { steamid: steamId, relationship: 'friend' }),
          read: readFriendList,
          whenUnauthorized: { status: 'private' },
        },
        urgency,
        signal,
      ),

    profiles: (steamIds, urgency, signal) =>
      inChunks(steamIds, signal, (chunk, limit) =>
        ask(
          {
            name: 'GetPlayerSummaries',
            url: keyed('/ISteamUser/GetPlayerSummaries/v2/', { steamids: chunk.join(',') }),
            read: (json) => readProfiles(json, chunk),
          },
          urgency,
          limit,
        ),
      ),

    storeItems: (appids, urgency, signal) =>
      inChunks(appids, signal, (chunk, limit) =>
        ask(
          {
            name: 'GetItems',
            url: storeUrl(storeApiUrl, chunk),
            read: (json) => readStoreItems(json, chunk),
          },
          urgency,
          limit,
        ),
      ),
  }
}

/** GetItems (PLAT-29); it needs no key, so it gets none. */
function storeUrl(storeApiUrl: string, appids: readonly number[]): URL {
  const input = {
    ids: appids.map((appid) => ({ appid })),
    context: { language: 'english', country_code: 'US' },
    data_request: { include_basic_info: true, include_assets: true },
  }
  const query = new URLSearchParams({ input_json: JSON.stringify(input) })
  return new URL(`${storeApiUrl}/IStoreBrowseService/GetItems/v1/?${query.toString()}`)
}
