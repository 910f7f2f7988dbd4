/**
 * What happened lately among a user's friends and groups (LATELY-1, LATELY-2, LATELY-4), from stored syncs, nights and
 * prices. Only libraries that the user may see are looked at, without what their owners hide.
 */
import type { Lately, latelyContract } from '#shared/contract/lately.ts'
import type { SteamId } from '#shared/entities.ts'
import { GAME_PAGE_PLAYERS_MAX, LATELY_LISTED, LATELY_MS } from '#shared/limits.ts'
import { isAddedGame, isPlayableTogether, mayBeGame } from '#shared/playable.ts'
import { summaryOf } from '../../catalogue/catalogue.ts'
import { column } from '../../database/chunks.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { nearMisses } from '../../library/algebra.ts'
import { hiddenAppids, indexOfGame } from '../../library/library.ts'
import { listGroupsOf } from '../../storage/groups/groups.ts'
import { joinedMemberIds, listMemberIdsByGroup } from '../../storage/groups/memberships.ts'
import { listPlayed } from '../../storage/nights/lists.ts'
import { readWishes, type Wishes } from '../../storage/groups/games.ts'
import {
  announceWeek,
  groupsWithDueWeek,
  type Week,
  weekBegan,
} from '../../storage/notifications/messages.ts'
import type { LibraryChange } from '../../storage/players/libraries.ts'
import type { RowByRow } from '../../sync/loop.ts'
import { isoTime } from '../../time.ts'
import { countsOutside } from '../access.ts'
import {
  profileOf,
  type ReadableLibrary,
  readLibrariesOfFriends,
  readVisibleLibraries,
  visibleChanges,
  visibleLibrariesOf,
  withElsewhere,
} from '../players/visible-libraries.ts'

/** Members who want a game before that is news. */
const WISHERS_MIN = 3
/** Games that are named of one sync. */
const GAMES_NAMED = 3
/** Sales are always the newest entries; more of them would leave no room for the rest. */
const SALES_MAX = 2
/** Groups, the newest, whose sales are looked for, and games of each, the most played. */
const SALE_GROUPS = 5
const SALE_GAMES = 20

/** Games of each kind that the message of a week names. */
const WEEK_NAMED = 5
/** A viewer who is none of the members, for what is said to everybody. */
const NOBODY = ''

type DetailsOf = Awaited<ReturnType<Deps['catalogue']['detailsOf']>>
type Groups = Awaited<ReturnType<typeof listGroupsOf>>
type Circle = { group: { group_id: number; name: string }; members: number; readable: ReadableLibrary[] }

/** Handlers of what happened lately. */
export function latelyHandlers(
  deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'prices' | 'clock'>,
) {
  const { database, readCache, catalogue, prices, clock } = deps

  return {
    read: async ({ user }) => pageOf(await entriesFor(user), 0),
    more: async ({ user, params: { from } }) => pageOf(await entriesFor(user), from),
  } satisfies Handlers<typeof latelyContract>

  async function entriesFor(user: SteamId): Promise<Lately[]> {
    const groups = await listGroupsOf(database.queries, user)
    const circles = await circlesOf(user, groups)
    const { readable } = await readLibrariesOfFriends(deps, user)
    const known = new Map(
      [...circles.flatMap((circle) => circle.readable), ...readable].map((one) => [one.player.steam_id, one]),
    )
    const entries = [
      ...(await libraryNews(user, known, circles)),
      ...(await nightNews(user, groups)),
      ...(await wishNews(user, circles)),
      ...(await sales(user, circles.slice(0, SALE_GROUPS))),
    ]
    return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  }

  /** The groups that a user has joined, newest first, with the libraries that count there. */
  async function circlesOf(user: SteamId, groups: Groups): Promise<Circle[]> {
    const joined = groups.filter((group) => group.joined_at !== null && group.member_count > 1)
    let players = 0
    const looked = joined.filter((group) => (players += group.member_count) <= GAME_PAGE_PLAYERS_MAX)
    // Members who have not joined do not count.
    const members = await listMemberIdsByGroup(database.queries, column(looked, 'group_id'), 'joined')
    return Promise.all(
      looked.map(async ({ group_id, name }) => {
        const ids = members.get(group_id)!
        return {
          group: { group_id, name },
          members: ids.length,
          readable: withElsewhere(user, await readVisibleLibraries(deps, user, ids)),
        }
      }),
    )
  }

  async function libraryNews(
    user: SteamId,
    known: ReadonlyMap<SteamId, ReadableLibrary>,
    circles: readonly Circle[],
  ): Promise<Lately[]> {
    const changes = await visibleChanges(deps, [...known.values()], 'got', clock() - LATELY_MS)
    const detailsOf = await catalogue.detailsOf(column(changes, 'appid'))
    const shown = changes.filter(({ appid }) => mayBeGame(detailsOf(appid)))
    const owned: Lately[] = []
    const isSaid = new Set<(typeof shown)[number]>()
    for (const circle of circles)
      for (const change of ownedByAll(shown, circle, detailsOf)) {
        const { appid, steam_id, at } = change
        const { group, members } = circle
        isSaid.add(change)
        const player = profileOf(steam_id, known.get(steam_id)!.player)
        const game = summaryOf(detailsOf(appid))
        owned.push({ kind: 'all_own', at: isoTime(at)!, player, group, game, members })
      }
    const others = shown.filter((change) => change.steam_id !== user && !isSaid.has(change))
    const together = Map.groupBy(others, ({ steam_id, at, kind }) => `${kind} ${steam_id} ${at}`)
    const got = [...together.values()].map((same): Lately => {
      const { kind, steam_id, at } = same[0]!
      return {
        kind: kind === 'again' ? 'again' : 'got',
        at: isoTime(at)!,
        player: profileOf(steam_id, known.get(steam_id)!.player),
        games: same.slice(0, GAMES_NAMED).map(({ appid }) => summaryOf(detailsOf(appid))),
        more: Math.max(0, same.length - GAMES_NAMED),
      }
    })
    return [...owned, ...got]
  }

  async function nightNews(user: SteamId, mine: Groups): Promise<Lately[]> {
    const now = clock()
    const nights = await listPlayed(database.queries, { steam_id: user }, { since: now - LATELY_MS, now })
    const groups = new Map(mine.map(({ group_id, name }) => [group_id, { group_id, name }]))
    const detailsOf = await catalogue.detailsOf(column(nights, 'appid'))
    return nights.map(({ night_id, title, group_id, starts_at, appid }) => ({
      kind: 'night',
      at: isoTime(starts_at)!,
      night_id,
      title,
      group: groups.get(group_id ?? 0) ?? null,
      game: summaryOf(detailsOf(appid)),
    }))
  }

  /** Games that at least three members want, since the third one does. */
  async function wishNews(user: SteamId, circles: readonly Circle[]): Promise<Lately[]> {
    const now = clock()
    const found = await Promise.all(
      circles.map(async ({ group }) => {
        const wishes = await readWishes(database.queries, group.group_id, { viewer: user, now })
        return sharedWishes(wishes, now - LATELY_MS).map((wish) => ({ group, ...wish }))
      }),
    )
    const shared = found.flat()
    const detailsOf = await catalogue.detailsOf(column(shared, 'appid'))
    const players = await readCache.players(column(shared, 'steamId'))
    return shared.map(({ group, steamId, appid, at, members }, nth) => ({
      kind: 'wish',
      at: isoTime(at)!,
      player: profileOf(steamId, players[nth]),
      group,
      game: summaryOf(detailsOf(appid)),
      members,
    }))
  }

  /** Of the games that one member lacks, those with the largest discounts. */
  async function sales(user: SteamId, circles: readonly Circle[]): Promise<Lately[]> {
    const lacked = await Promise.all(
      circles
        // Of two somebody would play alone.
        .filter(({ readable }) => readable.length > 2)
        .map(async ({ group, readable }) => {
          const near = await nearMisses(
            readable.map(({ library }) => library),
            1,
          )
          const detailsOf = await catalogue.detailsOf(column(near, 'appid'))
          return near
            .filter(({ appid }) => {
              const details = detailsOf(appid)
              return mayBeGame(details) && isPlayableTogether(details) && details.is_free !== true
            })
            .slice(0, SALE_GAMES)
            .map(({ appid, minutes }) => {
              const { player } = readable.find((_, nth) => minutes[nth] === undefined)!
              return { group, player: profileOf(player.steam_id, player), game: summaryOf(detailsOf(appid)) }
            })
        }),
    )
    const candidates = lacked.flat()
    const [me] = await readCache.players([user])
    const appids = [...new Set(candidates.map(({ game }) => game.appid))]
    const priceOf = await prices.of(appids, me?.country ?? null)
    return candidates
      .flatMap((candidate): (Lately & { kind: 'sale' })[] => {
        const price = priceOf(candidate.game.appid)
        return price && price.discount_percent > 0
          ? [{ kind: 'sale', at: price.read_at, ...candidate, price }]
          : []
      })
      .sort((a, b) => b.price.discount_percent - a.price.discount_percent)
      .slice(0, SALES_MAX)
  }
}

/** Changes by which a whole group, with all libraries known, came to own a game to play together. */
function ownedByAll(
  changes: readonly LibraryChange[],
  { members, readable }: Pick<Circle, 'members' | 'readable'>,
  detailsOf: DetailsOf,
): LibraryChange[] {
  if (members < 2 || readable.length < members) return []
  const ids = new Set(readable.map(({ player }) => player.steam_id))
  const said = new Set<number>()
  // Latest first: who got it last.
  return changes.filter(({ kind, appid, steam_id }) => {
    if (kind !== 'got' || !ids.has(steam_id) || said.has(appid)) return false
    const isOwned = readable.every(({ library }) => indexOfGame(library, appid) !== -1)
    if (!isOwned || !isPlayableTogether(detailsOf(appid))) return false
    said.add(appid)
    return true
  })
}

/** Wishes since a time that made enough members want a game, and how many want it. */
function sharedWishes(wishes: ReadonlyMap<SteamId, Wishes>, since: number) {
  const all = [...wishes].flatMap(([steamId, games]) =>
    [...games].map(([appid, at]) => ({ steamId, appid, at })),
  )
  return [...Map.groupBy(all, ({ appid }) => appid).values()].flatMap((same) => {
    const last = same.toSorted((a, b) => a.at - b.at)[WISHERS_MIN - 1]
    return last && last.at > since ? [{ ...last, members: same.length }] : []
  })
}

/**
 * Writes the messages of the week to the webhooks that are to get one (LATELY-4); returns whether there may be more. They
 * name nobody, and no library for groups only or for nobody counts, because the readers may be anybody.
 */
export function announceWeeks(
  deps: Pick<Deps, 'database' | 'readCache' | 'catalogue'>,
  rows: RowByRow,
  now: number,
): Promise<boolean> {
  const { database, readCache, catalogue } = deps
  const { queries } = database

  return rows.each<number>('messages of the week', {
    now,
    due: (batch) => groupsWithDueWeek(queries, now, batch),
    work: async (groupId) => {
      const since = await weekBegan(queries, groupId)
      if (since === undefined) return
      const week = await weekOf(groupId, since)
      await database.transaction((tx) => announceWeek(tx, groupId, week, { since, now }))
    },
  })

  /** @param since later than that */
  async function weekOf(groupId: number, since: number): Promise<Week> {
    const ids = await joinedMemberIds(queries, groupId)
    const players = await readCache.players(ids)
    const readable = withElsewhere(NOBODY, visibleLibrariesOf(NOBODY, players, countsOutside))
    const changes = await visibleChanges(deps, readable, 'got', since + 1)
    const detailsOf = await catalogue.detailsOf(column(changes, 'appid'))
    const wishes = await readWishes(queries, groupId, { viewer: null, now })
    const nights = await listPlayed(queries, { group_id: groupId }, { since, now })
    // Also what was picked before somebody hid it.
    const hidden = new Set(players.flatMap((player) => hiddenAppids(player?.hidden_appids)))
    const named = (rows: readonly { appid: number }[]) =>
      [...new Set(column(rows, 'appid'))].filter((appid) => !hidden.has(appid)).slice(0, WEEK_NAMED)
    return {
      owned: named(ownedByAll(changes, { members: ids.length, readable }, detailsOf)),
      // What only members know of is in no chat.
      wanted: named(sharedWishes(wishes, since).filter(({ appid }) => !isAddedGame(appid))),
      played: named(nights),
    }
  }
}

function pageOf(entries: readonly Lately[], from: number) {
  const next = from + LATELY_LISTED
  return { entries: entries.slice(from, next), next: next < entries.length ? next : null }
}
