/**
 * Lists of game nights: a player's and a group's (NIGHT-12).
 */
import type { SteamId } from '#shared/entities.ts'
import type { nightsContract } from '#shared/contract/nights.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { listNights, type NightsOf } from '../storage/night-lists.ts'
import { summariesOf } from './night-view.ts'

/** Handlers of lists of nights. */
export function nightListsHandlers(
  deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock' | 'log'>,
) {
  return {
    list: ({ user }) => list({ steam_id: user }, user),

    listOfGroup: ({ params, user }) => list({ group_id: params.id }, user),
  } satisfies Partial<Handlers<typeof nightsContract>>

  async function list(of: NightsOf, user: SteamId) {
    const listed = await listNights(deps.database.queries, of, user, deps.clock())
    return { nights: await summariesOf(deps, listed, user) }
  }
}
