import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gameFeature, gameKind, playMode } from '#shared/entities.ts'
import { matcherOf } from '#shared/names.ts'
import { byName, filterParams, findGames, type GameFilter, inOrder, type ListedGame } from './game-view.ts'

let nextAppid = 1
function game(name: string, part: Partial<ListedGame> = {}): ListedGame {
  return { appid: nextAppid++, name, modes: ['single'], features: [], kind: 'game', ...part }
}
const names = (games: readonly ListedGame[]) => games.map(({ name }) => name)

describe('a list of games', () => {
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

  test('LIST-1, LIST-3, LIST-4, LIST-6, LIST-10: every game is shown, in the group of unknown modes or of too few players, counted as left out, or known not to match', () => {
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
