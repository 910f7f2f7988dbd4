import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type GameKind, gameKind, type PlayMode } from '#shared/entities.ts'
import { SHORTLIST_MAX } from '#shared/limits.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { isAddedGame } from '#shared/playable.ts'
import { arbitraryAppid, arbitraryLibrary } from '../../../tests/support/arbitrary-libraries.ts'
import { sharedGames } from './algebra.ts'
import { gamesIn, libraryFrom, type OwnedGame } from './library.ts'
import type { SyncedLibrary } from './months.ts'
import { type CatalogueGame, rankOf, rankShortlist } from './shortlist.ts'

const DAY = 24 * 60 * 60_000
const NOW = Date.UTC(2026, 10, 22, 20)
const seconds = (time: number) => Math.floor(time / 1000)

/** Online co-op, as most games of game nights are. */
const ONLINE: PlayMode[] = ['multi', 'coop', 'online']

type Details = CatalogueGame['details']
type World = {
  /** What the catalogue says of a game; online co-op without it. */
  details?: (appid: number) => Partial<Details>
  name?: (appid: number) => number
  players?: number
  /** The first of the libraries, which alone decide what is on the list; all without it. */
  coming?: number
  /** Games of players without a known library. */
  elsewhere?: readonly ReadonlySet<number>[]
  pickedAt?: ReadonlyMap<number, number>
}

/** The game of the catalogue in a world. */
function catalogued({ details, name }: World, appid: number): CatalogueGame {
  return {
    details: {
      appid,
      // Digits compare as numbers.
      name: `Game ${name?.(appid) ?? appid}`,
      modes: ONLINE,
      features: [],
      kind: 'game',
      players_max: null,
      ...details?.(appid),
    },
  }
}

async function listOf(libraries: readonly SyncedLibrary[], world: World = {}, marked?: ReadonlySet<number>) {
  const deciding = libraries.slice(0, world.coming).map(({ library }) => library)
  const appids = (await sharedGames(deciding)).map(({ appid }) => appid).sort((a, b) => a - b)
  return rankShortlist({
    players: world.players ?? libraries.length,
    libraries,
    elsewhere: world.elsewhere ?? [],
    games: appids.map((appid) => catalogued(world, appid)),
    marked: marked ?? new Set(appids),
    pickedAt: world.pickedAt ?? new Map(),
    now: NOW,
  })
}

/** All games in their order: those that are not among the best were marked. */
async function shortlist(libraries: readonly SyncedLibrary[], world: World = {}) {
  const { best, marked } = await listOf(libraries, world)
  const all = [...best, ...marked]
  expect(best.length).toBe(Math.min(SHORTLIST_MAX, all.length))
  return all
}

/** A library that was synced now, from the values of its games that are not 0. */
const synced = (games: Record<number, Partial<OwnedGame>>, at = NOW): SyncedLibrary => ({
  library: libraryFrom(
    Object.entries(games).map(([appid, game]) => ({
      appid: Number(appid),
      minutes: 0,
      recentMinutes: 0,
      lastPlayed: 0,
      ...game,
    })),
  ),
  at,
})

describe('the games of a shortlist', () => {
  test('NIGHT-134: games that players with unknown libraries own elsewhere come first and count', async () => {
    const host = synced({ 10: { minutes: 900 }, 20: {}, 30: {} })
    const ada = synced({ 10: {}, 20: {} })
    const elsewhere = [new Set([20, 30]), new Set([30, 99])]
    const entries = await shortlist([host, ada], { coming: 1, players: 4, elsewhere })
    // Who is known to lack a game counts for more than who says that they own it.
    expect(entries.map(({ appid }) => appid)).toEqual([20, 10, 30])
    expect(entries.map(({ facts: { known, owners } }) => [known, owners])).toEqual([
      [3, 3],
      [2, 2],
      [4, 3],
    ])
  })

  test('NIGHT-20, NIGHT-124: are listed up to the 24 best, and further ones where they were marked', async () => {
    const libraries = [synced(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at + 1, {}])))]
    const appidsOfBest = Array.from({ length: 24 }, (_, at) => at + 1)
    const { best, marked } = await listOf(libraries, {}, new Set([2, 31, 29, 27]))
    expect([best, marked].map((entries) => entries.map(({ appid }) => appid))).toEqual([
      appidsOfBest,
      [27, 29],
    ])
  })

  test('NIGHT-20: are found in time linear in their number', async () => {
    const appids = Array.from({ length: 5000 }, (_, at) => at + 1)
    const libraries = Array.from({ length: 3 }, () =>
      synced(Object.fromEntries(appids.map((appid) => [appid, {}]))),
    )
    let names = 0
    const games = appids.map((appid) => ({
      details: {
        ...catalogued({}, appid).details,
        get name() {
          names++
          return 'Game'
        },
      },
    }))
    const all = { players: 3, libraries, elsewhere: [], games, marked: new Set<number>(), now: NOW }
    await rankShortlist({ ...all, pickedAt: new Map() })
    expect(names).toBe(5000)
  })
})

/** The definition, game by game, for any libraries. */
function expected(libraries: readonly SyncedLibrary[], world: World) {
  const lists = libraries.map(({ library, at }) => ({ games: [...gamesIn(library)], at }))
  const of = (appid: number) => lists.map(({ games }) => games.find((game) => game.appid === appid))
  const found = (lists[0]?.games ?? [])
    .filter(({ appid }) =>
      lists.slice(0, world.coming).every(({ games }) => games.some((game) => game.appid === appid)),
    )
    .map(({ appid }) => ({ appid, owned: of(appid), ...catalogued(world, appid) }))
    .filter(({ details: { modes } }) => modes.length === 0 || modes.some((mode) => mode !== 'single'))
    .filter(({ details: { kind } }) => ['game', 'mod', 'demo', null].includes(kind))
    .map(({ appid, owned, details }) => {
      const picked = world.pickedAt?.get(appid)
      const tells = (nth: number) => lists[nth]!.games.some(({ minutes }) => minutes > 0)
      const has = (condition: (game: OwnedGame, nth: number) => boolean) =>
        owned.filter((game, nth) => game !== undefined && condition(game, nth)).length
      // Nobody lacks a game that the group has added.
      const lacking = owned.flatMap((game, nth) => (game || isAddedGame(appid) ? [] : [nth]))
      const facts: GameFacts = {
        people: world.players ?? libraries.length,
        known: libraries.length,
        owners: libraries.length - lacking.length,
        played_recently: has(
          ({ lastPlayed, recentMinutes }, nth) =>
            NOW - lastPlayed * 1000 <= 30 * DAY || (recentMinutes > 0 && NOW - lists[nth]!.at <= 16 * DAY),
        ),
        experienced: has(({ minutes }) => minutes >= 120),
        played: has(({ minutes, lastPlayed }) => minutes + lastPlayed > 0),
        never_played: has(({ minutes, lastPlayed }, nth) => minutes + lastPlayed === 0 && tells(nth)),
        picked_weeks_ago: picked === undefined ? null : Math.floor((NOW - picked) / DAY / 7),
        picked_last: picked !== undefined && [...world.pickedAt!.values()].every((other) => other <= picked),
      }
      const total = owned.reduce((sum, game) => sum + (game?.minutes ?? 0), 0)
      const modesKnown = details.modes.length > 0
      const score = rankOf(facts, details.modes)
      const tooSmall = (details.players_max ?? Infinity) < facts.people
      return { appid, facts, score, lacking, modesKnown, tooSmall, total, name: world.name?.(appid) ?? appid }
    })
  const key = (game: (typeof found)[number]) => [
    game.tooSmall ? 1 : 0,
    game.modesKnown ? 0 : 1,
    game.lacking.length,
    -game.score,
    -game.total,
    game.name,
    game.appid,
  ]
  found.sort((a, b) => {
    const [one, other] = [key(a), key(b)]
    const at = one.findIndex((value, index) => value !== other[index])
    return one[at]! - other[at]!
  })
  return found.map(({ appid, facts, score, lacking, modesKnown, tooSmall }) => ({
    appid,
    facts,
    score,
    lacking,
    modesKnown,
    tooSmall,
  }))
}

describe('the shortlist matches the definition', () => {
  const arbitraryTime = (days: number) =>
    fc.oneof(
      fc.integer({ min: 0, max: days }).map((ago) => NOW - ago * DAY),
      fc.integer({ min: NOW - days * DAY, max: NOW }),
    )
  /** Times of few games, so that libraries have some of them. */
  const arbitraryTimes = fc
    .array(fc.tuple(arbitraryAppid, arbitraryTime(500)), { maxLength: 6 })
    .map((times) => new Map(times))
  /** Recently played, a little longer ago, and whatever an arbitrary library has. */
  const arbitrarySynced = fc
    .tuple(
      arbitraryLibrary,
      arbitraryTime(40),
      fc.uniqueArray(
        fc.tuple(fc.integer({ min: 1, max: 24 }), arbitraryTime(60), fc.integer({ max: 300, min: 0 })),
        { maxLength: 24, selector: ([appid]) => appid },
      ),
    )
    .map(([library, at, played]): SyncedLibrary => {
      const games = played.map(([appid, lastPlayed, minutes]) => ({
        appid,
        minutes,
        recentMinutes: minutes % 3,
        lastPlayed: minutes % 5 === 0 ? 0 : seconds(lastPlayed),
      }))
      const others = [...gamesIn(library)].filter(({ appid }) => !games.some((game) => game.appid === appid))
      return { library: libraryFrom([...others, ...games]), at }
    })
  const arbitraryModes = fc.subarray<PlayMode>(['single', 'multi', 'coop', 'online', 'local', 'mmo'])
  const arbitraryKind = fc.constantFrom<GameKind | null>('game', 'game', 'game', ...gameKind.options, null)
  const arbitraryDetails = fc
    .array(
      fc.record({
        modes: arbitraryModes,
        kind: arbitraryKind,
        name: fc.integer({ min: 1, max: 3 }),
        players_max: fc.option(fc.integer({ min: 1, max: 5 })),
      }),
      {
        minLength: 7,
        maxLength: 7,
      },
    )
    .map((details) => (appid: number) => details[appid % 7]!)

  test('NIGHT-20, NIGHT-23, NIGHT-24, NIGHT-26, NIGHT-128: for random libraries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitrarySynced, { maxLength: 6 }),
        fc.record({ coming: fc.integer({ min: 1, max: 6 }) }),
        arbitraryDetails,
        arbitraryTimes,
        async (libraries, rules, details, pickedAt) => {
          const name = (appid: number) => details(appid).name
          const unnamed = (appid: number) => ({ ...details(appid), name: `Game ${name(appid)}` })
          const world: World = { ...rules, details: unnamed, name, pickedAt }
          expect(await shortlist(libraries, world)).toMatchObject(expected(libraries, world))
        },
      ),
      { numRuns: 500 },
    )
  })
})
