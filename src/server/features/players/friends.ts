/** A player's friends, and what they play and own (API-13 to API-18, API-47). */
import type { Friend, SteamId } from '#shared/entities.ts'
import type { ResponseOf } from '#shared/contract/endpoint.ts'
import type { friendsContract } from '#shared/contract/friends.ts'
import { EXCLUDED_TOP_GAME_APPID, FRIENDS_TOP_GAMES_ROWS } from '#shared/limits.ts'
import { mayBeGame } from '#shared/playable.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { countCommon, ownersOf, topGames } from '../../library/algebra.ts'
import { mapInSlices } from '../../library/slices.ts'
import type { CachedPlayer } from '../../cache/read-cache.ts'
import { summaryOf } from '../../catalogue/catalogue.ts'
import { visibility } from '../access.ts'
import { isoTime } from '../../time.ts'
import {
  gamePlayed,
  profileOf,
  readLibrariesOfFriends,
  readVisibleLibraries,
  statusShown,
} from './visible-libraries.ts'

type FriendList = ResponseOf<typeof friendsContract.friends>

/** Handlers of the friend list and of what friends own. */
export function friendsHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue'>) {
  const { readCache, sync, catalogue } = deps

  return {
    friends: async ({ params, user }) => {
      await sync.refreshPresence(params.steamId)
      await readCache.refresh()
      return friendList(user)
    },

    friendsCached: ({ user }) => friendList(user),

    syncFriends: ({ params }) => sync.syncFriends(params.steamId),

    topGames: async ({ user }) => {
      const { readable } = await readLibrariesOfFriends(deps, user)
      const libraries = readable.map((friend) => friend.library)
      for (let limit = FRIENDS_TOP_GAMES_ROWS * 2; ; limit *= 4) {
        const top = topGames(libraries, { limit, excludedAppid: EXCLUDED_TOP_GAME_APPID })
        const detailsOf = await catalogue.detailsOf(top.map((game) => game.appid))
        const games = top.filter(({ appid }) => mayBeGame(detailsOf(appid)))
        if (games.length >= FRIENDS_TOP_GAMES_ROWS || top.length < limit || limit > 500)
          return games
            .slice(0, FRIENDS_TOP_GAMES_ROWS)
            .map(({ appid, total }) => ({ ...summaryOf(detailsOf(appid)), total_playtime: total }))
      }
    },

    gameFriends: async ({ params, user }) => {
      const { readable } = await readLibrariesOfFriends(deps, user)
      return ownersOf(readable, params.gameId).map(({ player, minutes }) => ({
        ...profileOf(player.steam_id, player),
        playtime_minutes: minutes,
      }))
    },

    // Empty when my own library is unknown or private, as in a comparison.
    overlaps: async ({ user }) => {
      const [me] = await readVisibleLibraries(deps, user, [user])
      if (!me) return []
      const { readable } = await readLibrariesOfFriends(deps, user)
      const overlaps = await mapInSlices(readable, ({ player, library }) => ({
        steam_id: player.steam_id,
        common: countCommon(me.library, library),
      }))
      return overlaps.sort((a, b) => b.common - a.common || (a.steam_id < b.steam_id ? -1 : 1))
    },
  } satisfies Handlers<typeof friendsContract>

  async function friendList(user: SteamId): Promise<FriendList> {
    const [me] = await readCache.players([user])
    const players = await readCache.friends(user)
    const mayShow = await visibility(readCache, user, players, { areConnected: true })
    return {
      friends: inOrder(players).map((player) => friendShown(player, mayShow(player))),
      status: me?.friends_status ?? 'never',
      synced_at: isoTime(me?.friends_at),
    }
  }
}

/** Online first, then by name. */
function inOrder(players: readonly CachedPlayer[]): CachedPlayer[] {
  return players
    .map((player) => ({
      player,
      isOffline: Number(player.personastate === 0),
      name: (player.display_name ?? player.steam_id).toLowerCase(),
    }))
    .sort(
      (a, b) =>
        a.isOffline - b.isOffline ||
        compareText(a.name, b.name) ||
        compareText(a.player.steam_id, b.player.steam_id),
    )
    .map(({ player }) => player)
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function friendShown(player: CachedPlayer, mayShow: boolean): Friend {
  const { steam_id, display_name, avatar_url, personastate } = player
  return {
    steam_id,
    display_name,
    avatar_url,
    personastate,
    ...gamePlayed(player, mayShow),
    library_status: statusShown(player, mayShow),
    joined_here: player.signed_in_at !== null,
    ...(player.isFormerFriend && { connected: false }),
  }
}
