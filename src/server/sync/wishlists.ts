/**
 * Steam wishlists of users who let them be read (WISH-4): in the background, once a day at most, after somebody has looked at
 * what they go into.
 */
import type { SteamId } from '#shared/entities.ts'
import { SteamError } from '../steam/port.ts'
import { saveAppNames } from '../storage/players/apps.ts'
import { putOffWishlist, saveWishlist } from '../storage/groups/games.ts'
import type { SyncDeps } from './reads.ts'

/** A failed read counts, so that a day has one call whatever comes back. */
const EVERY_MS = 24 * 60 * 60_000
/** Wishlists that wait to be read; others are read when somebody looks again. */
const WAITING_MAX = 1000

/** The wishlists that one server reads; all servers share the rows in the database. */
export function createWishlists({ database, steam, catalogue, clock }: Omit<SyncDeps, 'log'>) {
  const looked = new Set<SteamId>()

  return {
    /** Has wishlists read that are due. */
    lookAt(steamIds: Iterable<SteamId>): void {
      for (const steamId of steamIds) if (looked.size < WAITING_MAX) looked.add(steamId)
    },

    /** Reads the next one of them. Background work. @throws SteamError; what was read before stays */
    async readNext(): Promise<void> {
      const [steamId] = looked
      if (steamId === undefined) return
      looked.delete(steamId)
      const now = clock()
      if (!(await putOffWishlist(database.queries, steamId, now + EVERY_MS, now))) return
      try {
        const appids = await steam.wishlist(steamId)
        const names = await catalogue.findNewNames(
          appids.map((appid) => ({ appid, name: null, iconHash: null })),
        )
        await database.transaction(async (tx) => {
          const read = appids.length > 0 ? { status: 'ok' as const, appids } : { status: 'empty' as const }
          if (await saveWishlist(tx, steamId, read)) await saveAppNames(tx, names, false)
        })
      } catch (error) {
        if (!(error instanceof SteamError)) throw error
        // What was not sent is no call of this day.
        if (error.failure === 'throttled') {
          await putOffWishlist(database.queries, steamId, now + 1000 * (error.retryAfterSeconds ?? 60))
          looked.add(steamId)
        } else await database.transaction((tx) => saveWishlist(tx, steamId, { status: 'failed' }))
        throw error
      }
    },
  }
}
