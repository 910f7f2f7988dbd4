/** Reading the presence of players in game nights that somebody looks at (NIGHT-46). */
import { preventDeletions } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { saveProfiles } from '../storage/players.ts'
import { claimPresence, listStalePlayers } from '../storage/watched.ts'
import { SteamError, type SteamPort } from '../steam/port.ts'
import { type Log, type Loop, startLoop } from './loop.ts'

/** Presence of a night is read at most this often, by all servers together. */
const FRESH_MS = 60_000
/** For how long a night counts as looked at after it was read; whoever is told of a change reads it again. */
const LOOKED_AT_MS = 10 * 60_000
const CHECK_MS = 1000
const LIMIT_MS = 15_000

export type NightPresence = {
  /** Notes that a night was read. */
  look(nightId: number): void
  start(): void
  /** Cancels a running read. */
  stop(): Promise<void>
}

type Options = { database: Database; steam: SteamPort; clock: () => number; log: Log }

/** Reads presence for one server. */
export function createNightPresence({ database, steam, clock, log }: Options): NightPresence {
  /** When each night was read last, and when this server last tried to read its presence. */
  const looked = new Map<number, { at: number; triedAt: number }>()
  let stopping = new AbortController()
  let loop: Loop | undefined

  async function readDue(): Promise<number> {
    const now = clock()
    const due: number[] = []
    for (const [nightId, { at, triedAt }] of looked) {
      if (now - at >= LOOKED_AT_MS) looked.delete(nightId)
      else if (now - triedAt >= FRESH_MS) due.push(nightId)
    }
    for (const nightId of due) looked.get(nightId)!.triedAt = now
    if (due.length > 0) await read(due, now)
    return CHECK_MS
  }

  async function read(nightIds: readonly number[], now: number): Promise<void> {
    const before = now - FRESH_MS
    const claimed = await database.transaction((tx) => claimPresence(tx, nightIds, { now, before }))
    // Players of several nights are read in the same calls, of a hundred each.
    const stale = await listStalePlayers(database.queries, claimed, before)
    if (stale.length === 0) return
    const limit = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), stopping.signal])
    try {
      // 'background', because an open page must not use the calls reserved for syncs.
      const profiles = await steam.profiles(stale, 'background', limit)
      await database.transaction(async (tx) => {
        await preventDeletions(database, tx)
        await saveProfiles(tx, profiles, now, clock())
      })
    } catch (error) {
      if (!(error instanceof SteamError)) throw error
      log.warn({ failure: error.failure }, 'presence in game nights could not be read')
    }
  }

  return {
    look(nightId) {
      if (loop) looked.set(nightId, { triedAt: -Infinity, ...looked.get(nightId), at: clock() })
    },
    start() {
      stopping = new AbortController()
      loop ??= startLoop('presence in game nights', readDue, log)
    },
    async stop() {
      stopping.abort()
      await loop?.stop()
      loop = undefined
    },
  }
}
