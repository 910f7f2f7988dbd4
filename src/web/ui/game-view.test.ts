import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gameFeature, gameKind, playMode } from '#shared/entities.ts'
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
  test('LIST-2: is searched by any part of a name, in any case', () => {
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
    expect(names(findGames(games, filter({ own: 'mine' }), owned).games)).toEqual(['Portal 2', 'Mystery'])
    expect(findGames(games, filter({ own: 'mine' }), null).games).toEqual(games)
    expect(findGames(games, filter({ own: 'mine' })).games).toEqual(games)
  })

  test('filters are counted without the search', () => {
    expect(activeFilters(filter({ search: 'portal' }))).toBe(0)
    expect(activeFilters(filter({ mode: 'coop', kind: 'games', own: 'mine' }))).toBe(3)
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
  })
  const anyFilter: fc.Arbitrary<GameFilter> = fc.record({
    search: fc.oneof(fc.constant(''), fc.string({ maxLength: 2 }), fc.constantFrom('port', ' ')),
    mode: fc.constantFrom('any', ...gameFeature.options, 'multi', 'coop', 'online', 'mmo', 'single'),
    kind: fc.constantFrom('any', 'games'),
    own: fc.constantFrom('any', 'mine'),
  })
  const anyOwned = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 30 })))

  test('LIST-3, LIST-4: every game is shown, in the group of unknown modes, counted as left out, or known not to match', () => {
    fc.assert(
      fc.property(fc.array(anyGame), anyFilter, anyOwned, (list, wanted, ownedIds) => {
        const owned = ownedIds && new Set(ownedIds)
        const { games, unknownModes, leftOut, unknownKinds } = findGames(list, wanted, owned)

        const isNamed = (one: ListedGame) =>
          one.name.toLowerCase().includes(wanted.search.trim().toLowerCase())
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
          wanted.kind === 'any' || [null, 'game', 'mod', 'beta'].includes(one.kind)

        const candidates = list.filter(isNamed).filter(isOwned)
        const playable = candidates.filter((one) => isPlayed(one) || isUnknown(one))
        expect(games).toEqual(candidates.filter(isWantedKind).filter(isPlayed))
        expect(unknownModes).toEqual(
          wanted.mode === 'any' ? [] : candidates.filter(isWantedKind).filter(isUnknown),
        )
        const counted = Object.values(leftOut).reduce((sum, number) => sum + number, 0)
        expect(counted).toBe(playable.filter((one) => !isWantedKind(one)).length)
        expect(games.length + unknownModes.length + counted).toBe(playable.length)
        expect(unknownKinds).toBe(
          wanted.kind === 'any' ? 0 : playable.filter(({ kind }) => kind === null).length,
        )
      }),
      { numRuns: 2000 },
    )
  })
})
