/** Reading the presence of players in game nights that somebody looks at (NIGHT-46). */
import { preventDeletions } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { saveProfiles } from '../storage/players.ts'
import { claimPresence, listStalePlayers } from '../storage/watched-nights.ts'
import { SteamError, type SteamPort } from '../steam/port.ts'
import type { Log } from './log.ts'

/** Presence of a night is read at most this often, by all servers together. */
const FRESH_MS = 60_000
const LIMIT_MS = 15_000

export type NightPresence = {
  /** Starts reading the presence of those nights that are due; false when this server is still reading others. */
  refresh(nightIds: readonly number[]): boolean
  /** Cancels a running read. */
  stop(): Promise<void>
}

type Options = { database: Database; steam: SteamPort; clock: () => number; log: Log }

/** Reads presence for one server. */
export function createNightPresence({ database, steam, clock, log }: Options): NightPresence {
  const stopping = new AbortController()
  let reading: Promise<void> | undefined

  async function read(nightIds: readonly number[]): Promise<void> {
    const now = clock()
    const before = now - FRESH_MS
    const claimed = await database.transaction((tx) => claimPresence(tx, nightIds, { now, before }))
    // Players of several nights are read in the same calls, of a hundred each.
    const stale = await listStalePlayers(database.queries, claimed, before)
    if (stale.length === 0) return
    const limit = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), stopping.signal])
    // 'background', because an open page must not use the calls reserved for syncs.
    const profiles = await steam.profiles(stale, 'background', limit)
    await database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      await saveProfiles(tx, profiles, now, clock())
    })
  }

  return {
    refresh(nightIds) {
      if (reading || stopping.signal.aborted) return false
      reading = read(nightIds)
        .catch((error: unknown) =>
          error instanceof SteamError
            ? log.warn({ failure: error.failure }, 'presence in game nights could not be read')
            : log.error({ err: error }, 'presence in game nights could not be read'),
        )
        .finally(() => (reading = undefined))
      return true
    },
    async stop() {
      stopping.abort()
      await reading
    },
  }
}
