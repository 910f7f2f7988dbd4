/**
 * A year of a user, from stored months and nights, and of a group, from its nights alone: only users see in which month they
 * have played how long (LATELY-5, LATELY-6).
 */
import type { Year, yearContract } from '#shared/contract/year.ts'
import type { SteamId } from '#shared/entities.ts'
import { summaryOf } from '../../catalogue/catalogue.ts'
import { column } from '../../database/chunks.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { blankLibrary, findGame, gamesIn, totalMinutes } from '../../library/library.ts'
import { addMinutes, type Month, monthAfter, monthOf } from '../../library/months.ts'
import { listPlayed, listPlayersOfNights, type NightsOf } from '../../storage/nights/lists.ts'
import { notJoined } from '../access.ts'
import { readGains } from '../players/library.ts'
import { profileOf } from '../players/visible-libraries.ts'

/** Nights that are looked at, the latest. */
const NIGHTS_MAX = 2000
const LISTED = 5
const NONE = blankLibrary(0)

type YearDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>

/** Handlers of years. */
export function yearHandlers(deps: YearDeps) {
  const years = createYears(deps)
  return {
    mine: ({ user, params: { year } }) => years.ofUser(user, year, 'owner'),
    ofGroup: async ({ user, params: { id, year } }) => {
      if (!(await deps.readCache.joinedGroupIds(user)).includes(id)) throw notJoined()
      return years.ofGroup(id, year)
    },
  } satisfies Handlers<typeof yearContract>
}

/** Reads years of users and groups. */
export function createYears(deps: YearDeps) {
  const { database, readCache, catalogue, clock } = deps
  const { queries } = database
  const notSharing = queries.selectFrom('groups').select('group_id').where('shares', '=', 0)

  return {
    /** Others see what a library shows them all, and nights of groups that share (NIGHT-75). */
    ofUser: async (user: SteamId, year: number, viewer: 'owner' | 'others') => {
      const { since, known, library, gains, hidden } = await readGains(deps, user, viewer)
      const from = (first: number, last: number) =>
        [...gains.entries()]
          .filter(([month]) => yearOf(month) >= first && yearOf(month) <= last)
          .reduce((sum, [, gain]) => addMinutes(sum, gain), NONE)
      const played = from(year, year)
      const upToNow = from(year, Infinity)
      // Of a game that was not played before, all minutes are in months since.
      const first = [...gamesIn(played)].filter(
        ({ appid }) => findGame(library, appid)?.minutes === findGame(upToNow, appid)!.minutes,
      )
      const nights = await nightsOf({ steam_id: user }, year, viewer)
      const picks = new Map([...nights.picks].filter(([appid]) => !hidden.includes(appid)))
      return answer({ ...nights, picks }, [...gains.keys()].map(yearOf), {
        since,
        months: monthsOf(year).map((month) =>
          month < known ? null : totalMinutes(gains.get(month) ?? NONE),
        ),
        amounts: new Map([...gamesIn(played)].map(({ appid, minutes }) => [appid, minutes])),
        first: column(first, 'appid'),
      })
    },

    ofGroup: async (groupId: number, year: number) => {
      const nights = await nightsOf({ group_id: groupId }, year, 'owner')
      const months = countOf(nights.held.map(({ starts_at }) => monthOf(starts_at)))
      return answer(nights, [], {
        since: null,
        months: monthsOf(year).map((month) => months.get(month) ?? 0),
        amounts: nights.picks,
        first: [...nights.picks.keys()].filter((appid) => !nights.before.has(appid)),
      })
    },
  }

  /** The months of a year, up to the current one. */
  function monthsOf(year: number): Month[] {
    const months = Array.from({ length: 12 }, (_, nth) => monthAfter(year * 100 + 1, nth))
    return months.filter((month) => month <= monthOf(clock()))
  }

  /**
   * Nights with a pick on which at least two were in. No pick is left out for hiding, as on the nights' pages (NIGHT-112): one
   * that is missing would tell who hides it. Only the public page of a user leaves out what this user hides.
   */
  async function nightsOf(of: NightsOf, year: number, viewer: 'owner' | 'others') {
    const listed = await listPlayed(queries, of, { since: 0, now: clock(), limit: NIGHTS_MAX })
    const groups = new Set(listed.flatMap(({ group_id }) => (viewer === 'others' && group_id) || []))
    const closed = column(await notSharing.where('group_id', 'in', [...groups]).execute(), 'group_id')
    const shown = listed.filter(({ group_id }) => !closed.includes(group_id!))
    const all = shown.map((night) => ({ ...night, year: yearOf(monthOf(night.starts_at)) }))
    const inYear = all.filter((night) => night.year === year)
    const playersOf = await listPlayersOfNights(queries, column(inYear, 'night_id'))
    const cameTo = (nightId: number) => playersOf.get(nightId)!.filter(({ answer }) => answer === 'in')
    const held = inYear.filter(({ night_id }) => cameTo(night_id).length > 1)
    const came = held.flatMap(({ night_id }) => cameTo(night_id))
    const ids = [...new Set(column(came, 'steam_id'))]
    const players = new Map((await readCache.players(ids)).map((player, nth) => [ids[nth]!, player]))
    const named = came.filter(
      ({ steam_id, gone }) => gone === 0 && ('group_id' in of || steam_id !== of.steam_id),
    )
    return {
      held,
      people: most(countOf(column(named, 'steam_id'))).map(([id, nights]) => ({
        ...profileOf(id, players.get(id)),
        nights,
      })),
      average: held.length === 0 ? 0 : came.length / held.length,
      picks: countOf(column(held, 'appid')),
      before: new Set(all.flatMap((night) => (night.year < year ? [night.appid] : []))),
      years: column(all, 'year'),
    }
  }

  async function answer(
    { held, people, average, picks, years }: Awaited<ReturnType<typeof nightsOf>>,
    otherYears: readonly number[],
    own: Pick<Year, 'since' | 'months'> & { amounts: ReadonlyMap<number, number>; first: readonly number[] },
  ): Promise<Year> {
    const games = most(own.amounts)
    const [best] = most(new Map(own.first.map((appid) => [appid, own.amounts.get(appid)!])))
    const [pick] = most(picks)
    const detailsOf = await catalogue.detailsOf(
      [...games, ...(best ? [best] : []), ...(pick ? [pick] : [])].map(([appid]) => appid),
    )
    const game = ([appid]: [number, number]) => summaryOf(detailsOf(appid))
    return {
      years: [...new Set([yearOf(monthOf(clock())), ...otherYears, ...years])].sort((a, b) => b - a),
      since: own.since,
      months: own.months,
      games: games.map((one) => ({ ...game(one), amount: one[1] })),
      first: { count: own.first.length, most: best ? game(best) : null },
      people,
      nights: { count: held.length, people: average },
      pick: pick ? { ...game(pick), nights: pick[1] } : null,
    }
  }
}

const yearOf = (month: Month) => Math.floor(month / 100)

function countOf<Item>(items: readonly Item[]): Map<Item, number> {
  const counts = new Map<Item, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** The largest, in their order where they are the same. */
function most<Item>(counts: ReadonlyMap<Item, number>): [Item, number][] {
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, LISTED)
}
