/** Presence of friends, and of players in game nights that somebody looks at, read from Steam (REF-10, NIGHT-46). */
import { LRUCache } from 'lru-cache'
import type { SteamId } from '#shared/entities.ts'
import { SteamError } from '../steam/port.ts'
import { preventDeletions } from '../storage/accounts/accounts.ts'
import { listFriendIds } from '../storage/players/friends.ts'
import { listNotReadSince, saveProfiles } from '../storage/players/players.ts'
import { listPlayersOfCurrent } from '../storage/players/watched.ts'
import { withinMs } from '../time.ts'
import { type Loop, startLoop } from './loop.ts'
import type { SyncDeps } from './reads.ts'

/** Presence older than this is read again; by all servers together, because what another has read is not older. */
const FRESH_MS = 60_000
/** How long the friends page waits for presence; a later result is stored for the next time. */
const WAIT_MS = 3_000
const LIMIT_MS = 15_000
const PLAYERS_MAX = 20_000
/** For how long a night counts as looked at after it was read; whoever is told of a change reads it again. */
const LOOKED_AT_MS = 10 * 60_000
const CHECK_MS = 1000

/** Reads presence for one server. */
export function createPresence({ database, steam, clock, log }: Omit<SyncDeps, 'catalogue'>) {
  const { queries } = database
  /** The last reads for players, also failed ones: not every page view sends a request to a failing platform. */
  const reads = new LRUCache<SteamId, Promise<void>>({
    max: PLAYERS_MAX,
    ttl: FRESH_MS,
    perf: { now: clock },
  })
  /** When each night was read last. */
  const looked = new Map<number, number>()
  let nightsReadAt = -Infinity
  let stopping = new AbortController()
  let loop: Loop | undefined

  async function readOfFriends(steamId: SteamId): Promise<void> {
    const now = clock()
    const stale = await listNotReadSince(queries, await listFriendIds(queries, steamId), now - FRESH_MS)
    if (stale.length === 0) reads.delete(steamId)
    await read(stale, now)
  }

  async function readOfNights(): Promise<number> {
    const now = clock()
    for (const [nightId, at] of looked) if (now - at >= LOOKED_AT_MS) looked.delete(nightId)
    if (looked.size === 0 || now - nightsReadAt < FRESH_MS) return CHECK_MS
    nightsReadAt = now
    const players = await listPlayersOfCurrent(queries, [...looked.keys()], now)
    const stale = await listNotReadSince(queries, players, now - FRESH_MS)
    await read(stale, now).catch((error: unknown) => {
      if (!(error instanceof SteamError)) throw error
      log.warn({ failure: error.failure }, 'presence in game nights could not be read')
    })
    return CHECK_MS
  }

  async function read(steamIds: readonly SteamId[], now: number): Promise<void> {
    if (steamIds.length === 0) return
    // 'background', because an open page must not use the calls reserved for syncs.
    const limit = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), stopping.signal])
    const profiles = await steam.profiles(steamIds, 'background', limit)
    await database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      await saveProfiles(tx, profiles, now, clock())
    })
  }

  return {
    /**
     * Refreshes the presence of a player's friends when it is older than a minute. Waits at most three seconds and never
     * throws; the stored presence is shown then.
     */
    async ofFriends(steamId: SteamId): Promise<void> {
      let reading = reads.get(steamId)
      if (!reading) {
        reading = readOfFriends(steamId).catch((error: unknown) => {
          // When the database fails, the next page asks again.
          if (!(error instanceof SteamError)) reads.delete(steamId)
          log.warn({ err: error }, 'presence of friends could not be read')
        })
        reads.set(steamId, reading)
      }
      await withinMs(reading, WAIT_MS)
    },
    /** Notes that a night was read; one that nobody looked at before is read at once. */
    lookAtNight(nightId: number): void {
      if (!loop) return
      if (!looked.has(nightId)) nightsReadAt = -Infinity
      looked.set(nightId, clock())
    },
    start(): void {
      loop ??= startLoop('presence in game nights', readOfNights, log)
    },
    /** Cancels running reads; later ones are not affected. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([...reads.values(), loop?.stop()])
      loop = undefined
      stopping = new AbortController()
    },
  }
}
