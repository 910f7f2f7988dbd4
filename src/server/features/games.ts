/** A game's page (API-50). */
import type { GamePage, SteamId } from '#shared/entities.ts'
import type { gamesContract } from '#shared/contract/games.ts'
import { GAME_PAGE_PLAYERS_MAX } from '#shared/limits.ts'
import { gamesOf } from '../cache/read-cache.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { filterableSummary } from '../catalogue/catalogue.ts'
import { playersOf } from '../catalogue/players.ts'
import { ownersOf } from '../library/algebra.ts'
import { findGame, indexOfGame } from '../library/library.ts'
import { pictureImageUrl } from '../pictures/pictures.ts'
import { listGroupsOf } from '../storage/groups.ts'
import { listMemberIdsByGroup } from '../storage/memberships.ts'
import { isoTime } from '../time.ts'
import { gamePlayed, profileOf, readVisibleLibraries, readLibrariesOfFriends } from './visible-libraries.ts'

/** Groups whose members one query reads; 50 large groups have 5,000, of whom 1,000 may already be too many. */
const GROUPS_PER_QUERY = 50

/** Handler of a game's page; a game that nobody here knows has no friends and no groups. */
export function gamesHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue'>) {
  const { database, readCache, catalogue } = deps

  return {
    read: async ({ params: { steamId, gameId }, user }) => {
      const [me] = await readCache.players([steamId])
      const library = me && gamesOf(me, 'owner')
      const mine = library && findGame(library, gameId)
      const { friends, readable } = await readLibrariesOfFriends(deps, user)
      const [game] = await catalogue.games([gameId])
      const { details, row } = game!
      // I am a member of all my groups, so if my library counts and lacks the game, no group has it.
      const noneHasIt = !mine && me?.library_status === 'ok'
      return {
        ...filterableSummary(details),
        icon_url: details.icon_url,
        is_free: details.is_free,
        players: playersOf(gameId),
        known: row !== undefined,
        mine: mine
          ? {
              playtime_minutes: mine.minutes,
              playtime_2weeks_minutes: mine.recentMinutes,
              last_played_at: isoTime(mine.lastPlayed * 1000 || null),
            }
          : null,
        friends: ownersOf(readable, gameId).map(({ player, minutes }) => ({
          ...profileOf(player.steam_id, player),
          personastate: player.personastate,
          playing: gamePlayed(player, true).playing_appid === gameId,
          playtime_minutes: minutes,
        })),
        counted: readable.length,
        uncounted: friends.length - readable.length,
        ...(noneHasIt ? { groups: [], more_groups: false } : await groupsWith(user, gameId)),
      }
    },
  } satisfies Handlers<typeof gamesContract>

  /** Groups that `user` has joined and whose counted members, at least two, all own the game; newest first. */
  async function groupsWith(user: SteamId, appid: number): Promise<Pick<GamePage, 'groups' | 'more_groups'>> {
    const joined = (await listGroupsOf(database.queries, user)).filter(
      (group) => group.joined_at !== null && group.member_count > 1,
    )
    const members = await membersOfNewest(joined.map((group) => group.group_id))
    const players = [...new Set(members.flat())]
    const owns = new Map<SteamId, boolean>()
    for (const { player, library } of await readVisibleLibraries(deps, user, players))
      owns.set(player.steam_id, indexOfGame(library, appid) !== -1)
    const groups = members.flatMap((ids, nth) => {
      const counted = ids.filter((id) => owns.has(id))
      if (counted.length < 2 || !counted.every((id) => owns.get(id))) return []
      const { group_id, name, picture_key, member_count } = joined[nth]!
      const picture_image_url = pictureImageUrl(picture_key)
      return [{ group_id, name, picture_image_url, member_count, counted: counted.length }]
    })
    return { groups, more_groups: members.length < joined.length }
  }

  /** The members of each of the first groups, which together are at most {@link GAME_PAGE_PLAYERS_MAX} players. */
  async function membersOfNewest(groupIds: readonly number[]): Promise<SteamId[][]> {
    const players = new Set<SteamId>()
    const members: SteamId[][] = []
    for (let from = 0; from < groupIds.length; from += GROUPS_PER_QUERY) {
      const chunk = groupIds.slice(from, from + GROUPS_PER_QUERY)
      for (const ids of (await listMemberIdsByGroup(database.queries, chunk)).values()) {
        const others = ids.filter((id) => !players.has(id))
        if (players.size + others.length > GAME_PAGE_PLAYERS_MAX) return members
        for (const id of others) players.add(id)
        members.push(ids)
      }
    }
    return members
  }
}
