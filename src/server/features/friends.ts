/** My friends, what they play and own (SPEC.md section 7, CONTRACT.md 'Calls'). */
import type { Friend, FriendWithGame, SteamId } from '#shared/entities.ts'
import type { friendsContract } from '#shared/contract/friends.ts'
import { EXCLUDED_TOP_GAME_APPID, FRIENDS_TOP_GAMES_ROWS } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, JsonText, kept } from '../http/handlers.ts'
import { ownersOf, topGames } from '../library/algebra.ts'
import { listFriendIds } from '../storage/friends.ts'
import type { KnownPerson } from '../storage/recall.ts'
import { isoTime } from './library.ts'
import { type Owner, readVisibleLibraries, statusShown } from './visible-libraries.ts'

/** Handlers of the friend list and of what friends own. */
export function friendsHandlers(deps: Pick<Deps, 'database' | 'recall' | 'sync' | 'catalogue'>) {
  const { database, recall, sync, catalogue } = deps

  return {
    friends: async ({ params }) => {
      await sync.refreshPresence(params.steamId)
      await recall.refreshAnew()
      return friendList(params.steamId)
    },

    friendsCached: kept(({ params }) => friendList(params.steamId)),

    syncFriends: ({ params }) => sync.syncFriends(params.steamId),

    topGames: kept(async ({ params, user }) => {
      const friends = await friendsLibraries(user, params.steamId)
      const top = topGames(
        friends.map((friend) => friend.library),
        { limit: FRIENDS_TOP_GAMES_ROWS, excludedAppid: EXCLUDED_TOP_GAME_APPID },
      )
      await catalogue.ensure(top.map((game) => game.appid))
      return top.map(({ appid, total }) => ({ ...catalogue.gameFace(appid), total_playtime: total }))
    }),

    gameFriends: kept(async ({ params, user }) => {
      const friends = await friendsLibraries(user, params.steamId)
      const people = new Map(friends.map(({ person }) => [person.steam_id, person]))
      const libraries = friends.map(({ person, library }) => [person.steam_id, library] as const)
      return ownersOf(libraries, params.gameId).map(({ id, minutes }): FriendWithGame => {
        const { display_name, avatar_url } = people.get(id)!
        return { steam_id: id, display_name, avatar_url, playtime_minutes: minutes }
      })
    }),
  } satisfies Handlers<typeof friendsContract>

  async function friendsLibraries(viewer: SteamId, of: SteamId): Promise<Owner[]> {
    return readVisibleLibraries(deps, viewer, await listFriendIds(database.queries, of))
  }

  async function friendList(steamId: SteamId) {
    const ids = await listFriendIds(database.queries, steamId)
    const [me, ...people] = await recall.people([steamId, ...ids])
    const friends = people
      .filter((person) => person !== undefined)
      .map(friendFace)
      .sort(inListOrder)
    const rest = JSON.stringify({ status: me?.friends_status ?? 'never', synced_at: isoTime(me?.friends_at) })
    return new JsonText(`{"friends":[${friends.map((friend) => friend.text).join(',')}],${rest.slice(1)}`)
  }
}

type FriendFace = { text: string; absent: number; name: string; id: SteamId }

/** Kept for as long as nothing about the person has changed: they stand in many lists. */
const faces = new WeakMap<KnownPerson, FriendFace>()

function friendFace(person: KnownPerson): FriendFace {
  const known = faces.get(person)
  if (known) return known
  const { steam_id, display_name, avatar_url, personastate, playing } = person
  const friend: Friend = {
    steam_id,
    display_name,
    avatar_url,
    personastate,
    playing,
    library_status: statusShown(person),
  }
  const face = {
    text: JSON.stringify(friend),
    absent: personastate > 0 ? 0 : 1,
    name: (display_name ?? steam_id).toLowerCase(),
    id: steam_id,
  }
  faces.set(person, face)
  return face
}

/** Who is present first, then by name. */
function inListOrder(a: FriendFace, b: FriendFace): number {
  if (a.absent !== b.absent) return a.absent - b.absent
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}
