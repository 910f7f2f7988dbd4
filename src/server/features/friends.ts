/** My friends, what they play and own (SPEC.md section 7, CONTRACT.md 'Calls'). */
import type { FriendWithGame, SteamId } from '#shared/entities.ts'
import type { friendsContract } from '#shared/contract/friends.ts'
import { EXCLUDED_TOP_GAME_APPID, FRIENDS_TOP_GAMES_ROWS } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../http/handlers.ts'
import { ownersOf, topGames } from '../library/algebra.ts'
import { listFriendIds, listFriends } from '../storage/friends.ts'
import { findPerson, readPeople } from '../storage/people.ts'
import { isoTime } from './library.ts'
import { readVisibleLibraries, statusShown } from './visible-libraries.ts'

/** Handlers of the friend list and of what friends own. */
export function friendsHandlers({ database, sync, catalogue }: Deps) {
  const { queries } = database

  return {
    friends: async ({ params }) => {
      await sync.refreshPresence(params.steamId)
      return friendList(params.steamId)
    },

    friendsCached: ({ params }) => friendList(params.steamId),

    syncFriends: ({ params }) => sync.syncFriends(params.steamId),

    topGames: async ({ params, user }) => {
      const libraries = await friendsLibraries(user, params.steamId)
      const top = topGames(libraries.values(), {
        limit: FRIENDS_TOP_GAMES_ROWS,
        excludedAppid: EXCLUDED_TOP_GAME_APPID,
      })
      await catalogue.ensure(top.map((game) => game.appid))
      return top.map(({ appid, total }) => ({ ...catalogue.gameFace(appid), total_playtime: total }))
    },

    gameFriends: async ({ params, user }) => {
      const owners = ownersOf(await friendsLibraries(user, params.steamId), params.gameId)
      const people = await readPeople(
        queries,
        owners.map((owner) => owner.id),
      )
      return owners.map(({ id, minutes }): FriendWithGame => {
        const person = people.get(id)
        return {
          steam_id: id,
          display_name: person?.display_name ?? null,
          avatar_url: person?.avatar_url ?? null,
          playtime_minutes: minutes,
        }
      })
    },
  } satisfies Handlers<typeof friendsContract>

  async function friendsLibraries(viewer: SteamId, of: SteamId) {
    return (await readVisibleLibraries(queries, viewer, await listFriendIds(queries, of))).libraries
  }

  async function friendList(steamId: SteamId) {
    const [me, rows] = await Promise.all([findPerson(queries, steamId), listFriends(queries, steamId)])
    return {
      friends: rows.map((row) => ({
        steam_id: row.steam_id,
        display_name: row.display_name,
        avatar_url: row.avatar_url,
        personastate: row.personastate,
        playing: row.playing,
        library_status: statusShown(row),
      })),
      status: me?.friends_status ?? 'never',
      synced_at: isoTime(me?.friends_at),
    }
  }
}
