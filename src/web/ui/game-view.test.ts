import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gameFeature, gameKind, playMode } from '#shared/entities.ts'
import { matcherOf } from '#shared/names.ts'
import {
  activeFilters,
  byName,
  filterParams,
  findGames,
  type GameFilter,
  inOrder,
  type ListedGame,
  NO_FILTER,
} from './game-view.ts'
import { notesOn } from './game-shelf.tsx'

let nextAppid = 1
function game(name: string, part: Partial<ListedGame> = {}): ListedGame {
  return { appid: nextAppid++, name, modes: ['single'], features: [], kind: 'game', ...part }
}
const names = (games: readonly ListedGame[]) => games.map(({ name }) => name)
const filter = (part: Partial<GameFilter>): GameFilter => ({ ...NO_FILTER, ...part })

const portal = game('Portal 2', {
  modes: ['single', 'coop', 'online'],
  features: ['online_coop', 'same_screen'],
})
const arena = game('Arena', { modes: ['multi', 'online'], features: ['online_versus', 'cross_platform'] })
const alone = game('Alone')
const mystery = game('Mystery', { modes: [], kind: null })
const demo = game('Portal Demo', { modes: ['single'], kind: 'demo' })
const tool = game('Level Editor', { modes: [], kind: 'tool' })
const mod = game('Portal Mod', { kind: 'mod' })
const games = [portal, arena, alone, mystery, demo, tool, mod]

describe('a list of games', () => {
  test('LIST-1: is searched by any part of a name, in any case', () => {
    expect(names(findGames(games, filter({ search: ' PORTAL ' })).games)).toEqual([
      'Portal 2',
      'Portal Demo',
      'Portal Mod',
    ])
    expect(findGames(games, NO_FILTER).games).toEqual(games)
  })

  test('LIST-3: is filtered by mode, with the games whose modes are not known apart', () => {
    const coop = findGames(games, filter({ mode: 'online_coop' }))
    expect(names(coop.games)).toEqual(['Portal 2'])
    expect(names(coop.unknownModes)).toEqual(['Mystery', 'Level Editor'])
    expect(names(findGames(games, filter({ mode: 'multi' })).games)).toEqual(['Portal 2', 'Arena'])
    expect(names(findGames(games, filter({ mode: 'cross_platform' })).games)).toEqual(['Arena'])
    expect(names(findGames(games, filter({ mode: 'single' })).games)).toEqual([
      'Portal 2',
      'Alone',
      'Portal Demo',
      'Portal Mod',
    ])
    expect(findGames(games, NO_FILTER).unknownModes).toEqual([])
  })

  test('LIST-4: leaves out what is known to be no game, and says what; what is not known stays', () => {
    const found = findGames(games, filter({ kind: 'games' }))
    expect(names(found.games)).toEqual(['Portal 2', 'Arena', 'Alone', 'Mystery', 'Portal Mod'])
    expect(found.leftOut).toEqual({ demo: 1, tool: 1 })
    expect(found.unknownKinds).toBe(1)
    // Only what would be shown otherwise is counted.
    expect(findGames(games, filter({ kind: 'games', search: 'portal' })).leftOut).toEqual({ demo: 1 })
  })

  test('LIST-6: is filtered by what the user owns too, as soon as that is known', () => {
    const owned = new Set([portal.appid, mystery.appid])
    expect(names(findGames(games, filter({ own: 'mine' }), { owned }).games)).toEqual(['Portal 2', 'Mystery'])
    expect(findGames(games, filter({ own: 'mine' }), { owned: null }).games).toEqual(games)
    expect(findGames(games, filter({ own: 'mine' })).games).toEqual(games)
  })

  test('LIST-10: games that are known to be for fewer people stand apart, unknown ones do not', () => {
    const [two, six, unknown] = [
      game('It Takes Two', { players_max: 2 }),
      game('Six', { players_max: 6 }),
      game('Unknown', { players_max: null }),
    ]
    const list = [two, portal, six, unknown]
    const found = findGames(list, NO_FILTER, { people: 6 })
    expect(names(found.games)).toEqual(['Portal 2', 'Six', 'Unknown'])
    expect(names(found.tooSmall)).toEqual(['It Takes Two'])
    expect(findGames(list, filter({ search: 'takes' }), { people: 3 }).tooSmall).toEqual([two])
    expect(findGames(list, NO_FILTER, { people: 2 }).tooSmall).toEqual([])
    expect(findGames(list, filter({ fits: 'no' }), { people: 6 }).games).toEqual(list)
    // A list of games of no group has no people.
    expect(findGames(list, NO_FILTER).games).toEqual(list)
    expect(notesOn(found, 6)).toEqual(['1 game for fewer than 6 is below'])
    expect(notesOn({ ...found, tooSmall: list }, 6)).toEqual(['4 games for fewer than 6 are below'])
  })

  test('filters are counted without the search', () => {
    expect(activeFilters(filter({ search: 'portal' }))).toBe(0)
    expect(activeFilters(filter({ mode: 'coop', kind: 'games', own: 'mine', fits: 'no' }))).toBe(4)
  })

  test('an order is stable and changes no list', () => {
    const given = [game('b', { appid: 1 }), game('a'), game('B', { appid: 3 })]
    expect(names(inOrder(given, byName))).toEqual(['a', 'b', 'B'])
    expect(names(given)).toEqual(['b', 'a', 'B'])
    expect(inOrder(given, undefined)).toBe(given)
  })

  test('names of modes in older links are understood', () => {
    expect(filterParams.mode.read('together')).toBe('multi')
    expect(filterParams.mode.read('local')).toBe('same_screen')
    expect(filterParams.mode.read('constructor')).toBeUndefined()
  })
})

describe('against a naive search', () => {
  const anyGame: fc.Arbitrary<ListedGame> = fc.record({
    appid: fc.integer({ min: 1, max: 30 }),
    name: fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('Portal', 'PORT', 'ΟΔΟΣ', 'İ')),
    modes: fc.subarray([...playMode.options]),
    features: fc.subarray([...gameFeature.options]),
    kind: fc.option(fc.constantFrom(...gameKind.options)),
    players_max: fc.option(fc.integer({ min: 1, max: 6 })),
  })
  const anyFilter: fc.Arbitrary<GameFilter> = fc.record({
    search: fc.oneof(fc.constant(''), fc.string({ maxLength: 2 }), fc.constantFrom('port', ' ')),
    mode: fc.constantFrom('any', ...gameFeature.options, 'multi', 'coop', 'online', 'mmo', 'single'),
    kind: fc.constantFrom('any', 'games'),
    own: fc.constantFrom('any', 'mine'),
    fits: fc.constantFrom('yes', 'no'),
  })
  const anyPeople = fc.option(fc.integer({ min: 2, max: 6 }), { nil: undefined })
  const anyOwned = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 30 })))

  test('LIST-3, LIST-4, LIST-10: every game is shown, in the group of unknown modes or of too few players, counted as left out, or known not to match', () => {
    fc.assert(
      fc.property(fc.array(anyGame), anyFilter, anyOwned, anyPeople, (list, wanted, ownedIds, people) => {
        const owned = ownedIds && new Set(ownedIds)
        const found = findGames(list, wanted, { owned, people })
        const { games, unknownModes, tooSmall, leftOut, unknownKinds } = found

        const isNamed = (one: ListedGame) => matcherOf(wanted.search)(one.name)
        const isOwned = (one: ListedGame) => wanted.own === 'any' || !ownedIds || ownedIds.includes(one.appid)
        const isUnknown = (one: ListedGame) => one.modes.length + one.features.length === 0
        const ways = (one: ListedGame): string[] => [
          'any',
          ...one.modes,
          ...one.features,
          ...(one.modes.some((mode) => mode !== 'single') ? ['multi'] : []),
        ]
        const isPlayed = (one: ListedGame) => ways(one).includes(wanted.mode)
        const isWantedKind = (one: ListedGame) =>
          wanted.kind === 'any' || [null, 'game', 'mod'].includes(one.kind)

        const candidates = list.filter(isNamed).filter(isOwned)
        const playable = candidates.filter((one) => isPlayed(one) || isUnknown(one))
        const isSmall = (one: ListedGame) =>
          people !== undefined && wanted.fits === 'yes' && (one.players_max ?? Infinity) < people
        const shown = playable.filter(isWantedKind)
        const fitting = shown.filter((one) => !isSmall(one))
        expect(tooSmall).toEqual(shown.filter(isSmall))
        expect(games).toEqual(fitting.filter(isPlayed))
        expect(unknownModes).toEqual(wanted.mode === 'any' ? [] : fitting.filter(isUnknown))
        const counted = Object.values(leftOut).reduce((sum, number) => sum + number, 0)
        expect(counted).toBe(playable.filter((one) => !isWantedKind(one)).length)
        expect(games.length + unknownModes.length + tooSmall.length + counted).toBe(playable.length)
        expect(unknownKinds).toBe(
          wanted.kind === 'any' ? 0 : playable.filter(({ kind }) => kind === null).length,
        )
      }),
      { numRuns: 2000 },
    )
  })
})
