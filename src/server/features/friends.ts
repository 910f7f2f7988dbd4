/** A player's friends, and what they play and own (PROD-7, API-13 to API-18, API-47). */
import type { Friend, FriendWithGame, SteamId } from '#shared/entities.ts'
import type { ResponseOf } from '#shared/contract/endpoint.ts'
import type { friendsContract } from '#shared/contract/friends.ts'
import { EXCLUDED_TOP_GAME_APPID, FRIENDS_TOP_GAMES_ROWS } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, RawJson } from '../endpoint-handler.ts'
import { ownersOf, topGames } from '../library/algebra.ts'
import { overlapsInSteps } from '../library/overlap.ts'
import { inSlices } from '../library/slices.ts'
import type { CachedPlayer } from '../cache/player-cache.ts'
import { visibilityOfFriends } from './access.ts'
import { isoTime } from '../time.ts'
import { gamePlayed, readLibrariesOfFriends, readVisibleLibraries, statusShown } from './visible-libraries.ts'

type FriendList = ResponseOf<typeof friendsContract.friends>

/** Handlers of the friend list and of what friends own. */
export function friendsHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue'>) {
  const { readCache, sync, catalogue } = deps
  /** Friends in list order, for as long as the read cache holds them. */
  const ordered = new WeakMap<readonly CachedPlayer[], readonly ListedFriend[]>()
  /** The indexes of friends in list order, by their ids: what is nearly sorted is sorted much faster. */
  const lastIndexes = new WeakMap<readonly SteamId[], readonly number[]>()

  return {
    friends: async ({ params, user }) => {
      await sync.refreshPresence(params.steamId)
      await readCache.refreshNow()
      return friendList(user)
    },

    friendsCached: ({ user }) => friendList(user),

    syncFriends: ({ params }) => sync.syncFriends(params.steamId),

    topGames: async ({ user }) => {
      const { readable } = await readLibrariesOfFriends(deps, user)
      const top = topGames(
        readable.map((friend) => friend.library),
        { limit: FRIENDS_TOP_GAMES_ROWS, excludedAppid: EXCLUDED_TOP_GAME_APPID },
      )
      await catalogue.ensure(top.map((game) => game.appid))
      return top.map(({ appid, total }) => ({ ...catalogue.summary(appid), total_playtime: total }))
    },

    gameFriends: async ({ params, user }) => {
      const { readable } = await readLibrariesOfFriends(deps, user)
      const owners = ownersOf(readable, params.gameId).map(
        ({ player, minutes }) => `${listed(player).asOwner}${minutes}}`,
      )
      return new RawJson<FriendWithGame[]>(`[${owners.join(',')}]`)
    },

    // Empty when my own library is unknown or private, as in a comparison.
    overlaps: async ({ user }) => {
      const [me] = await readVisibleLibraries(deps, user, [user])
      if (!me) return []
      const { readable } = await readLibrariesOfFriends(deps, user)
      const overlaps = await inSlices(
        overlapsInSteps(
          me.library,
          readable.map((friend) => friend.library),
        ),
      )
      return overlaps
        .map(({ common, alike }, nth) => ({ steam_id: readable[nth]!.player.steam_id, common, alike }))
        .sort((a, b) => b.common - a.common || (a.steam_id < b.steam_id ? -1 : 1))
    },
  } satisfies Handlers<typeof friendsContract>

  async function friendList(user: SteamId) {
    const [me] = await readCache.players([user])
    const players = await readCache.friends(user)
    const mayShow = await visibilityOfFriends(deps, user, players)
    const friends = ordered.get(players) ?? inOrder(players, await readCache.friendIds(user))
    const rest: Omit<FriendList, 'friends'> = {
      status: me?.friends_status ?? 'never',
      synced_at: isoTime(me?.friends_at),
    }
    const texts = friends.map(({ player, text }) =>
      mayShow(player) ? text.asFriend : friendText(player, false),
    )
    return new RawJson<FriendList>(`{"friends":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`)
  }

  /**
   * Friends in list order: online first, then by name. `ids`: the cached list of their ids, the key of the last order.
   */
  function inOrder(players: readonly CachedPlayer[], ids: readonly SteamId[]): readonly ListedFriend[] {
    const texts = players.map(listed)
    const last = lastIndexes.get(ids)
    const indexes = last?.length === players.length ? [...last] : [...players.keys()]
    indexes.sort((a, b) => (texts[a]!.order < texts[b]!.order ? -1 : 1))
    lastIndexes.set(ids, indexes)
    const friends = indexes.map((index) => ({ player: players[index]!, text: texts[index]! }))
    ordered.set(players, friends)
    return friends
  }
}

/** A player's row in lists, as JSON text. */
type Listed = {
  /** In friend lists, when the library may be shown. */
  asFriend: string
  /** In the list of a game's owners, up to the value of the minutes. */
  asOwner: string
  /** Sort key in friend lists. */
  order: string
}
type ListedFriend = { player: CachedPlayer; text: Listed }

/** Cached, because each player is in many lists. */
const listedPlayers = new WeakMap<CachedPlayer, Listed>()

function listed(player: CachedPlayer): Listed {
  let known = listedPlayers.get(player)
  if (!known) {
    known = { asFriend: friendText(player, true), asOwner: ownerText(player), order: orderOf(player) }
    listedPlayers.set(player, known)
  }
  return known
}

function ownerText({ steam_id, display_name, avatar_url }: CachedPlayer): string {
  const owner: Omit<FriendWithGame, 'playtime_minutes'> = { steam_id, display_name, avatar_url }
  return `${JSON.stringify(owner).slice(0, -1)},"playtime_minutes":`
}

/** Online first, then by name; \0 sorts below every character of a name, so that shorter names come first. */
function orderOf({ steam_id, display_name, personastate }: CachedPlayer): string {
  return `${personastate > 0 ? 0 : 1}${(display_name ?? steam_id).toLowerCase()}\0${steam_id}`
}

function friendText(player: CachedPlayer, mayShow: boolean): string {
  const { steam_id, display_name, avatar_url, personastate } = player
  const library_status = statusShown(player, mayShow)
  return JSON.stringify({
    steam_id,
    display_name,
    avatar_url,
    personastate,
    ...gamePlayed(player, mayShow),
    library_status,
    joined_here: player.signed_in_at !== null,
    ...(player.isFormerFriend && { connected: false }),
  } satisfies Friend)
}
