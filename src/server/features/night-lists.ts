/**
 * Lists of game nights: a player's, a group's, and the rest of one host (NIGHT-12, NIGHT-114, NIGHT-115).
 */
import type { SteamId } from '#shared/entities.ts'
import type { nightsContract } from '#shared/contract/nights.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { leaveNightsFrom } from '../storage/night-departures.ts'
import { listNights, listNightsFrom, type NightsOf } from '../storage/night-lists.ts'
import { leavingNights } from './night-change.ts'
import { summariesOf } from './night-view.ts'

/** Handlers of lists of nights. */
export function nightListsHandlers(
  deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock' | 'log'>,
) {
  const { database, readCache, clock } = deps

  return {
    list: ({ user }) => list({ steam_id: user }, user),

    listFrom: ({ params, user }) => listFrom({ steam_id: user }, params.hostSteamId, user),

    leaveFrom: ({ params: { hostSteamId: host }, user }) =>
      leavingNights(deps, user, async (tx) => {
        const now = clock()
        const asked = await listNightsFrom(tx, { steam_id: user }, user, { host, now })
        await leaveNightsFrom(
          tx,
          asked.map((night) => night.night_id),
          { steamId: user, host, now },
        )
      }),

    listOfGroup: ({ params, user }) => list({ group_id: params.id }, user),

    listOfGroupFrom: ({ params, user }) => listFrom({ group_id: params.id }, params.hostSteamId, user),
  } satisfies Partial<Handlers<typeof nightsContract>>

  async function list(of: NightsOf, user: SteamId) {
    const { nights: listed, more } = await listNights(database.queries, of, user, clock())
    const hosts = await readCache.players([...more.keys()])
    return {
      nights: await summariesOf(deps, listed, user),
      more_from: [...more].map(([steam_id, count], nth) => ({
        steam_id,
        display_name: hosts[nth]?.display_name ?? null,
        count,
      })),
    }
  }

  async function listFrom(of: NightsOf, host: SteamId, user: SteamId) {
    const listed = await listNightsFrom(database.queries, of, user, { host, now: clock() })
    return { nights: await summariesOf(deps, listed, user) }
  }
}
