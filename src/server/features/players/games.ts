/** A game's page (API-50). */
import type { GamePage, SteamId } from '#shared/entities.ts'
import type { gamesContract } from '#shared/contract/games.ts'
import { GAME_PAGE_PLAYERS_MAX } from '#shared/limits.ts'
import { isAddedGame } from '#shared/playable.ts'
import { gamesOf } from '../../cache/read-cache.ts'
import { column } from '../../database/chunks.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { filterableSummary, playersOf } from '../../catalogue/catalogue.ts'
import { ownersOf } from '../../library/algebra.ts'
import { elsewhereIn, findGame, indexOfGame } from '../../library/library.ts'
import { AppError } from '../../errors.ts'
import { pictureImageUrl } from '../../pictures/pictures.ts'
import { listGroupsOf } from '../../storage/groups/groups.ts'
import { groupsWanting } from '../../storage/groups/games.ts'
import { listMemberIdsByGroup } from '../../storage/groups/memberships.ts'
import { isoTime } from '../../time.ts'
import {
  gamePlayed,
  profileOf,
  readVisibleLibraries,
  readLibrariesOfFriends,
  withElsewhere,
} from './visible-libraries.ts'

/** Handler of a game's page; a game that nobody here knows has no friends and no groups. */
export function gamesHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'prices'>) {
  const { database, readCache, catalogue, prices } = deps

  return {
    read: async ({ params: { steamId, gameId }, user }) => {
      const addedBy = isAddedGame(gameId) ? await groupThatAdded(user, gameId) : undefined
      const [me] = await readCache.players([steamId])
      const library = me && gamesOf(me, 'owner')
      const mine = library && findGame(library, gameId)
      const { friends, readable } = await readLibrariesOfFriends(deps, user)
      const [game] = await catalogue.games([gameId])
      const { details, row } = game!
      // Of what nobody here has had, the store is not asked.
      const isSold = row !== undefined && details.is_free !== true
      const priceOf = await prices.of(isSold ? [gameId] : [], me?.country ?? null)
      // I am a member of all my groups, so if my library counts and lacks the game, no group has it.
      const elsewhere = elsewhereIn(me?.elsewhere).get(gameId) ?? null
      const noneHasIt = !addedBy && !mine && elsewhere === null && me?.library_status === 'ok'
      return {
        ...filterableSummary(details),
        icon_url: details.icon_url,
        is_free: details.is_free,
        price: priceOf(gameId),
        players: playersOf(gameId),
        known: row !== undefined,
        mine: mine
          ? {
              playtime_minutes: mine.minutes,
              playtime_2weeks_minutes: mine.recentMinutes,
              last_played_at: isoTime(mine.lastPlayed * 1000 || null),
            }
          : null,
        elsewhere,
        wanted_in: await groupsWanting(database.queries, user, gameId),
        friends: ownersOf(readable, gameId).map(({ player, minutes }) => ({
          ...profileOf(player.steam_id, player),
          personastate: player.personastate,
          playing: gamePlayed(player, true).playing_appid === gameId,
          playtime_minutes: minutes,
        })),
        counted: readable.length,
        uncounted: friends.length - readable.length,
        ...(noneHasIt ? { groups: [], more_groups: false } : await groupsWith(user, gameId, addedBy)),
      }
    },
  } satisfies Handlers<typeof gamesContract>

  /** The group that `user` has joined and that has added a game. @throws AppError game_not_found */
  async function groupThatAdded(user: SteamId, appid: number): Promise<number> {
    for (const groupId of await readCache.joinedGroupIds(user))
      if ((await readCache.addedAppids(groupId)).includes(appid)) return groupId
    throw new AppError('game_not_found')
  }

  /** Groups that `user` has joined and whose counted members, at least two, all own the game; newest first. */
  async function groupsWith(
    user: SteamId,
    appid: number,
    addedBy: number | undefined,
  ): Promise<Pick<GamePage, 'groups' | 'more_groups'>> {
    const joined = (await listGroupsOf(database.queries, user)).filter(
      (group) =>
        group.joined_at !== null && group.member_count > 1 && (!addedBy || group.group_id === addedBy),
    )
    // The newest, which together have so many members.
    let players = 0
    const looked = joined.filter((group) => (players += group.member_count) <= GAME_PAGE_PLAYERS_MAX)
    const members = await listMemberIdsByGroup(database.queries, column(looked, 'group_id'))
    const owns = new Map<SteamId, boolean>()
    const all = [...new Set([...members.values()].flat())]
    for (const { player, library } of withElsewhere(user, await readVisibleLibraries(deps, user, all)))
      owns.set(player.steam_id, addedBy !== undefined || indexOfGame(library, appid) !== -1)
    const groups = looked.flatMap(({ group_id, name, picture_key, member_count }) => {
      const counted = members.get(group_id)!.filter((id) => owns.has(id))
      if (counted.length < 2 || !counted.every((id) => owns.get(id))) return []
      const picture_image_url = pictureImageUrl(picture_key)
      return [{ group_id, name, picture_image_url, member_count, counted: counted.length }]
    })
    return { groups, more_groups: looked.length < joined.length }
  }
}
