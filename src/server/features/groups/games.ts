/** What the members of a group own together, and syncing it (API-27 to API-30, API-44). */
import {
  ADDED_GAMES_MAX,
  CORRECTIONS_PER_GROUP,
  gameListMax,
  NEAR_MISS_LACKING_MAX,
  NEAR_MISSES_MAX,
  WANTED_FROM_WISHLISTS_MAX,
  WISHES_MAX,
} from '#shared/limits.ts'
import { isAddedGame, isPlayableTogether, mayBeGame } from '#shared/playable.ts'
import type { groupsContract } from '#shared/contract/groups.ts'
import type { GroupGamePlayers, SteamId } from '#shared/entities.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { filterableSummary, type ListedGame, playersMaxOf, playersOf } from '../../catalogue/catalogue.ts'
import { nearMisses, sharedGames } from '../../library/algebra.ts'
import { mapInSlices } from '../../library/slices.ts'
import { fellowMembersAmong } from '../../storage/players/friends.ts'
import { column, countOf } from '../../database/chunks.ts'
import { addedFor, notJoined, requireJoined, visibility } from '../access.ts'
import {
  elsewhereAmong,
  ownersElsewhere,
  profileOf,
  readVisibleLibraries,
  visibleLibrariesOf,
  withElsewhere,
} from '../players/visible-libraries.ts'
import type { addedGamesContract, playersContract, wishesContract } from '#shared/contract/players.ts'
import { AppError } from '../../errors.ts'
import { changed } from '../../database/cache-tags.ts'
import {
  addGame,
  type Corrections,
  listAddedGames,
  readAddedAppids,
  readWishes,
  readWishlists,
  setWishes,
  takeGameAway,
} from '../../storage/groups/games.ts'
import { findPlayer } from '../../storage/players/players.ts'
import { joinedMemberIds } from '../../storage/groups/memberships.ts'
import { compareNames } from '#shared/names.ts'
import { type CachedPlayer, elsewhereOf, gamesOf } from '../../cache/read-cache.ts'
import { hiddenAppids, indexOfGame } from '../../library/library.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { isoTime } from '../../time.ts'

type GroupGames = Pick<typeof groupsContract, 'sharedGames' | 'nearMisses' | 'syncGames'>

/** Handlers of what a group owns together; members whose libraries cannot be looked at are left out (API-27). */
export function groupGamesHandlers(
  deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'prices' | 'sync'>,
) {
  const { database, readCache, catalogue, prices, sync } = deps

  return {
    sharedGames: async ({ params, user, found: members }) => {
      const owners = withElsewhere(user, await readVisibleLibraries(deps, user, members))
      const shared = await sharedGames(owners.map((owner) => owner.library))
      const added = await addedFor(readCache, user, params.id)
      const ofSteam = shared.slice(0, gameListMax(owners.length) - added.length)
      const listed = [
        ...ofSteam,
        ...added.map((appid) => ({ appid, total: 0, minutes: owners.map(() => 0) })),
      ]
      const games = await gamesOf(params.id, listed)
      const entryOf = entriesOf(owners)
      return mapInSlices(listed, (entry, row) => entryOf({ ...entry, ...games[row]! }))
    },

    nearMisses: async ({ params, user, found: members }) => {
      const owners = withElsewhere(user, await readVisibleLibraries(deps, user, members))
      const libraries = owners.map((owner) => owner.library)
      const found = await nearMisses(libraries, NEAR_MISS_LACKING_MAX)
      const games = await gamesOf(params.id, found)
      const misses = await mapInSlices(found, (miss, row) => ({ ...miss, details: games[row]!.details }))
      const listed = misses.filter(
        (miss) =>
          mayBeGame(miss.details) &&
          isPlayableTogether(miss.details) &&
          // One of two would play alone.
          (miss.details.is_free === true || owners.length > 2),
      )
      // Free games first. Stable: otherwise fewest lacking first.
      const isFree = (miss: ListedGame) => Number(miss.details.is_free === true)
      const sent = listed.sort((a, b) => isFree(b) - isFree(a)).slice(0, NEAR_MISSES_MAX)
      const sold = sent.filter(({ details }) => details.is_free !== true)
      const [me] = await readCache.players([user])
      const priceOf = await prices.of(column(sold, 'appid'), me?.country ?? null)
      const entryOf = entriesOf(owners)
      return sent.map((miss) => ({
        ...entryOf(miss),
        lacking: owners.flatMap(({ player }, nth) =>
          miss.minutes[nth] === undefined ? player.steam_id : [],
        ),
        is_free: miss.details.is_free,
        price: priceOf(miss.details.appid),
      }))
    },

    syncGames: async ({ body: { group_id: groupId }, user, found: ids }) => {
      const players = await readCache.players(ids)
      const mayShow = await visibility(readCache, user, players)
      const notShown = ids.filter((id, nth) => id !== user && !mayShow(players[nth]))
      const fellows = await fellowMembersAmong(database.queries, user, notShown)
      // In this group, or in any with the caller.
      const here = fellows.filter(({ group_id }) => groupId === undefined || group_id === groupId)
      const timesOf = Map.groupBy(here, ({ steam_id }) => steam_id)
      const whyHidden = (id: SteamId) =>
        timesOf.get(id)?.every(({ their_time }) => their_time === null) ? 'not_joined' : 'hidden'
      const hidden = new Map(notShown.map((id) => [id, whyHidden(id)] as const))
      // Some of its members are not the group.
      const isWhole = groupId !== undefined && ids.length === (await readCache.memberIds(groupId)).length
      return sync.syncGroupGames(user, ids, { hidden, groupId: isWhole ? groupId : undefined })
    },
  } satisfies Handlers<GroupGames>

  /** As the group has corrected them (API-54). */
  async function gamesOf(
    groupId: number,
    list: readonly { appid: number }[],
  ): Promise<readonly ListedGame[]> {
    const games = await catalogue.games(list.map((game) => game.appid))
    return asCorrected(games, await readCache.corrections(groupId))
  }
}

/** What lists of a group's games say of each: who has played it for how long, and who owns it elsewhere. */
function entriesOf(owners: ReturnType<typeof withElsewhere>) {
  const elsewhere = elsewhereAmong(owners)
  return ({
    details,
    total,
    minutes,
  }: ListedGame & { total: number; minutes: readonly (number | undefined)[] }) => {
    const playtimes: Record<SteamId, number> = {}
    for (const [nth, { player }] of owners.entries())
      if (minutes[nth] !== undefined) playtimes[player.steam_id] = minutes[nth]
    return {
      ...filterableSummary(details),
      total_playtime: total,
      playtimes,
      ...ownersElsewhere(elsewhere, details.appid),
    }
  }
}

/** Handlers of how many can play a game in a group. */
export function playersHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>) {
  const { database, clock } = deps
  return {
    read: async ({ params: { id, gameId }, user }) => {
      await requireKnown(deps, user, id, gameId)
      return shown(database.queries, id, gameId)
    },

    correct: async ({ params: { id, gameId }, body: { players_max: playersMax }, user }) => {
      await requireKnown(deps, user, id, gameId)
      return database.transaction(async (tx) => {
        await requireJoined(tx, id, user)
        await requireStillAdded(tx, id, gameId)
        changed(tx, 'group', [id])
        await tx
          .deleteFrom('group_game_players')
          .where('group_id', '=', id)
          .where('appid', '=', gameId)
          .execute()
        if (playersMax !== null) {
          const others = tx.selectFrom('group_game_players').where('group_id', '=', id)
          if ((await countOf(others)) >= CORRECTIONS_PER_GROUP)
            throw new AppError('too_many_corrections', {
              reason: 'corrections_full',
              values: { count: CORRECTIONS_PER_GROUP },
            })
          const correction = { players_max: playersMax, corrected_by: user, at: clock() }
          await tx
            .insertInto('group_game_players')
            .values({ group_id: id, appid: gameId, ...correction })
            .execute()
        }
        return shown(tx, id, gameId)
      })
    },
  } satisfies Handlers<typeof playersContract>

  async function shown(db: Queries | Tx, groupId: number, appid: number): Promise<GroupGamePlayers> {
    const correction = await db
      .selectFrom('group_game_players as corrections')
      .leftJoin('group_members', (join) =>
        join
          .onRef('group_members.group_id', '=', 'corrections.group_id')
          .onRef('group_members.steam_id', '=', 'corrections.corrected_by'),
      )
      .select(['players_max', 'at', 'group_members.steam_id as member'])
      .where('corrections.group_id', '=', groupId)
      .where('appid', '=', appid)
      .executeTakeFirst()
    // Nobody is named who has left the group, or whose account was deleted.
    const by = correction?.member ? await findPlayer(db, correction.member) : undefined
    return {
      appid,
      players_max: correction?.players_max ?? playersMaxOf(appid),
      players: playersOf(appid),
      correction: correction
        ? { by: by ? profileOf(by.steam_id, by) : null, at: isoTime(correction.at)! }
        : null,
    }
  }
}

/** Passes for a game of Steam that is in the catalogue, and one that the group has added. @throws AppError game_not_found */
async function requireKnown(
  { catalogue, readCache }: Pick<Deps, 'catalogue' | 'readCache'>,
  user: SteamId,
  groupId: number,
  appid: number,
): Promise<void> {
  const isKnown = isAddedGame(appid)
    ? (await addedFor(readCache, user, groupId)).includes(appid)
    : (await catalogue.games([appid]))[0]!.row
  if (!isKnown) throw new AppError('game_not_found')
}

/** As {@link requireKnown}, with the group locked: its game may have been taken away since. @throws AppError game_not_found */
async function requireStillAdded(tx: Tx, groupId: number, appid: number): Promise<void> {
  if (isAddedGame(appid) && !(await readAddedAppids(tx, groupId)).includes(appid))
    throw new AppError('game_not_found')
}

/** Handlers of what members want to play with a group (WISH-1). */
export function wishesHandlers(
  deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock' | 'prices' | 'wishlists'>,
) {
  const { database, readCache, catalogue, clock, prices, wishlists } = deps

  return {
    list: async ({ params: { id }, user }) => {
      if (!(await readCache.joinedGroupIds(user)).includes(id)) throw notJoined()
      const wishes = await readWishes(database.queries, id, { viewer: user, now: clock() })
      const wantedBy = new Map<number, Set<SteamId>>()
      const add = (steamId: SteamId, appids: Iterable<number>) => {
        for (const appid of appids)
          wantedBy.set(appid, (wantedBy.get(appid) ?? new Set<SteamId>()).add(steamId))
      }
      for (const [steamId, games] of wishes) add(steamId, games.keys())
      const byHand = new Set(wantedBy.keys())
      const memberIds = await joinedMemberIds(database.queries, id)
      const members = await readCache.players(memberIds)
      const mayShow = await visibility(readCache, user, members)
      const owners = withElsewhere(user, visibleLibrariesOf(user, members, mayShow))
      const ownersOf = (appid: number) =>
        owners
          .filter(({ library }) => isAddedGame(appid) || indexOfGame(library, appid) !== -1)
          .map(({ player }) => player.steam_id)
      for (const [steamId, appids] of await onWishlists(user, members.filter(mayShow))) add(steamId, appids)
      const many = (appid: number) => wantedBy.get(appid)!.size
      // Leaves out games on one wishlist that nobody else wants or has.
      const ofSeveral = [...wantedBy]
        .filter(([appid, by]) => !byHand.has(appid) && by.union(new Set(ownersOf(appid))).size > 1)
        .map(([appid]) => appid)
        .sort((a, b) => many(b) - many(a))
        .slice(0, 3 * WANTED_FROM_WISHLISTS_MAX)
      const found = asCorrected(
        await catalogue.games([...byHand, ...ofSeveral]),
        await readCache.corrections(id),
      )
      const toPlay = found
        .slice(byHand.size)
        .filter(({ details }) => mayBeGame(details) && isPlayableTogether(details))
      const games = [...found.slice(0, byHand.size), ...toPlay.slice(0, WANTED_FROM_WISHLISTS_MAX)]
      const sold = games.filter(({ details }) => details.is_free !== true)
      const priceOf = await prices.of(
        sold.map(({ details }) => details.appid),
        members.find((member) => member?.steam_id === user)?.country ?? null,
      )
      return games
        .map(({ details }) => ({
          game: filterableSummary(details),
          wanted_by: [...wantedBy.get(details.appid)!],
          owned_by: ownersOf(details.appid),
          is_free: details.is_free,
          price: details.is_free === true ? null : priceOf(details.appid),
        }))
        .sort((a, b) => b.wanted_by.length - a.wanted_by.length || compareNames(a.game.name, b.game.name))
    },

    want: async ({ params: { id, gameId }, user }) => {
      await requireKnown(deps, user, id, gameId)
      await change(id, user, async (wishes, tx) => {
        await requireStillAdded(tx, id, gameId)
        if (wishes.size >= WISHES_MAX && !wishes.has(gameId)) throw new AppError('too_many_wishes')
        wishes.set(gameId, clock())
      })
    },
    unwant: ({ params: { id, gameId }, user }) => change(id, user, (wishes) => wishes.delete(gameId)),
  } satisfies Handlers<typeof wishesContract>

  /** Games on the Steam wishlists of members, as far as the viewer may see what they have (VIS-8). */
  async function onWishlists(
    viewer: SteamId,
    members: readonly (CachedPlayer | undefined)[],
  ): Promise<[SteamId, number[]][]> {
    const players = members.filter((player) => player !== undefined)
    const lists = await readWishlists(database.queries, column(players, 'steam_id'))
    wishlists.lookAt([...lists].filter(([, { due_at }]) => due_at <= clock()).map(([steamId]) => steamId))
    return players.flatMap((player) => {
      const isMe = player.steam_id === viewer
      const without = new Set(isMe ? [] : hiddenAppids(player.hidden_appids))
      const owned = gamesOf(player, isMe ? 'owner' : 'others')
      const elsewhere = elsewhereOf(player, owned, isMe ? 'owner' : 'others')
      // What was bought since the wishlist was read is no wish.
      const appids = lists
        .get(player.steam_id)
        ?.appids.filter(
          (appid) =>
            !without.has(appid) && !elsewhere.has(appid) && !(owned && indexOfGame(owned, appid) !== -1),
        )
      return appids ? [[player.steam_id, appids]] : []
    })
  }

  /** What was played since it was wanted goes with the next change. */
  function change(groupId: number, user: SteamId, work: (wishes: Map<number, number>, tx: Tx) => unknown) {
    return database.transaction(async (tx) => {
      await requireJoined(tx, groupId, user)
      const wishes = new Map((await readWishes(tx, groupId, { viewer: user, now: clock() })).get(user))
      await work(wishes, tx)
      await setWishes(tx, groupId, user, wishes)
    })
  }
}

/** Handlers of games that are not on Steam, which members add to their group (API-56). */
export function addedGamesHandlers({
  database,
  readCache,
  clock,
}: Pick<Deps, 'database' | 'readCache' | 'clock'>) {
  return {
    list: async ({ params: { id }, user }) => {
      if (!(await readCache.joinedGroupIds(user)).includes(id)) throw notJoined()
      const games = await listAddedGames(database.queries, id)
      return games.toSorted((a, b) => compareNames(a.name, b.name))
    },

    add: ({ params: { id }, body, user }) =>
      database.transaction(async (tx) => {
        await requireJoined(tx, id, user)
        if ((await listAddedGames(tx, id)).length >= ADDED_GAMES_MAX)
          throw new AppError('too_many_added_games')
        const appid = await addGame(database, tx, id, { ...body, added_by: user, added_at: clock() })
        return { ...body, appid, added_by: user }
      }),

    remove: ({ params: { id, gameId }, user }) =>
      database.transaction(async (tx) => {
        const { owner_steam_id } = await requireJoined(tx, id, user)
        const game = (await listAddedGames(tx, id)).find(({ appid }) => appid === gameId)
        if (!game) throw new AppError('game_not_found')
        if (user !== game.added_by && user !== owner_steam_id)
          throw new AppError('forbidden', { reason: 'only_adder_removes' })
        await takeGameAway(tx, id, gameId)
      }),
  } satisfies Handlers<typeof addedGamesContract>
}

/** Games as a group has corrected them; the same list where it has corrected none. */
export function asCorrected(games: readonly ListedGame[], corrections: Corrections): readonly ListedGame[] {
  if (corrections.size === 0) return games
  return games.map((game) => {
    const players_max = corrections.get(game.details.appid)
    return players_max === undefined ? game : { details: { ...game.details, players_max } }
  })
}
