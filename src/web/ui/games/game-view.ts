/** Searching, filtering and sorting a list of games: the rules of all lists of games (LIST-1 to LIST-6). */
import type { GameFeature, GameKind, PlayMode } from '#shared/entities.ts'
import { isPlayableTogether, isTooSmall } from '#shared/playable.ts'
import { compareNames, matcherOf } from '#shared/names.ts'
import { anyText, oneOf, type Params, readView } from '../query-string.ts'
import { GAME_LAYOUTS, gameLayout } from '../remembered.ts'

/** What a game needs to be found in a list. */
export type ListedGame = {
  appid: number
  name: string
  modes: readonly PlayMode[]
  features: readonly GameFeature[]
  kind: GameKind | null
  /** The most people who can play it together; null when unknown. */
  players_max?: number | null
}

const MODES = [
  'any',
  'online_coop',
  'online_versus',
  'same_screen',
  'remote_play',
  'cross_platform',
  'multi',
  'coop',
  'online',
  'mmo',
  'single',
] as const
export type ModeFilter = (typeof MODES)[number]

export type GameFilter = {
  search: string
  mode: ModeFilter
  /** 'games': without demos, tools and the like. */
  kind: 'any' | 'games'
  /** 'mine': only games that the user owns too. */
  own: 'any' | 'mine'
  /** 'yes': games for fewer people than there are stand below the others (LIST-10). */
  fits: 'yes' | 'no'
}
export type GameLayout = 'tiles' | 'list'
export type GameView<Sort extends string = string> = GameFilter & { sort: Sort; view: GameLayout }

/** The names of the filters in the query string; earlier versions had other names for two of the modes. */
export const filterParams = {
  search: anyText,
  mode: oneOf(MODES, { also: { together: 'multi', local: 'same_screen' } }),
  kind: oneOf(['any', 'games']),
  own: oneOf(['any', 'mine']),
  fits: oneOf(['yes', 'no']),
}
const layoutParam = oneOf(GAME_LAYOUTS, { remembered: gameLayout })
const tilesFirst = oneOf(['tiles', 'list'], { remembered: gameLayout })

/** The layout that a list of games of this address begins with. */
export const layoutOf = (query: string): GameLayout => readView({ view: layoutParam }, query).view

/**
 * What a list of games has in the query string.
 * @param sorts of which the first is the default
 * @param by which filters of their own it has: by the user's games, and by how many want to play; `isCompact`: whether a
 *   phone has room for two of its tiles beside each other, so that they are the default there too
 */
export function viewParams<Sort extends string>(
  sorts: Readonly<Record<Sort, unknown>>,
  by: { owned?: boolean; people?: boolean; isCompact?: boolean } = {},
): Params<GameView<Sort>> {
  return {
    ...filterParams,
    ...(!by.owned && { own: oneOf(['any']) }),
    ...(!by.people && { fits: oneOf(['yes']) }),
    sort: oneOf(Object.keys(sorts) as [Sort, ...Sort[]]),
    view: by.isCompact ? tilesFirst : layoutParam,
  } as Params<GameView<Sort>>
}

export const NO_FILTER: GameFilter = { search: '', mode: 'any', kind: 'any', own: 'any', fits: 'yes' }

/** The number of filters that are set, apart from the search. */
export function activeFilters(filter: GameFilter): number {
  return (['mode', 'kind', 'own', 'fits'] as const).filter((name) => filter[name] !== NO_FILTER[name]).length
}

/** Compares two games; undefined for the order in which they are given. */
export type Order<Row> = ((a: Row, b: Row) => number) | undefined

export function byName(a: { name: string }, b: { name: string }): number {
  return compareNames(a.name, b.name)
}

/** The games in an order. The sort is stable, and the given list is not changed. */
export function inOrder<Row>(games: readonly Row[], order: Order<Row>): readonly Row[] {
  return order ? games.toSorted(order) : games
}

/** The games that match a filter, in the given order. */
export type Found<Row> = {
  games: Row[]
  /** Games that match otherwise, but it is not known how they are played: they are shown after the others. */
  unknownModes: Row[]
  /** Games that match and are known to be for fewer people: they are shown after all others. */
  tooSmall: Row[]
  /** How many apps match otherwise, but are known to be no game, by kind. */
  leftOut: Partial<Record<GameKind, number>>
  /** How many of the games are of unknown kind, where only games are wanted. */
  unknownKinds: number
}

/**
 * Finds the games that match a filter. What is not known of a game never hides it.
 * @param owned appids of the user's games; without it, or before it is known, `own` has no effect
 * @param people how many want to play; without it `fits` has no effect
 */
export function findGames<Row extends ListedGame>(
  games: readonly Row[],
  { search, mode, kind, own, fits }: GameFilter,
  { owned, people }: { owned?: ReadonlySet<number> | null; people?: number } = {},
): Found<Row> {
  const found: Found<Row> = { games: [], unknownModes: [], tooSmall: [], leftOut: {}, unknownKinds: 0 }
  const isNamed = matcherOf(search)
  for (const game of games) {
    if (search !== '' && !isNamed(game.name)) continue
    if (own === 'mine' && owned && !owned.has(game.appid)) continue
    const isUnknown = mode !== 'any' && hasUnknownModes(game)
    if (!isUnknown && !isOfMode(game, mode)) continue
    if (kind === 'games') {
      if (game.kind === null) found.unknownKinds++
      else if (!isGame(game.kind)) {
        found.leftOut[game.kind] = (found.leftOut[game.kind] ?? 0) + 1
        continue
      }
    }
    if (people !== undefined && fits === 'yes' && isTooSmall(game, people)) found.tooSmall.push(game)
    else (isUnknown ? found.unknownModes : found.games).push(game)
  }
  return found
}

/** Whether the store has not said how a game is played. */
export function hasUnknownModes({ modes, features }: Pick<ListedGame, 'modes' | 'features'>): boolean {
  return modes.length === 0 && features.length === 0
}

function isOfMode(game: ListedGame, mode: ModeFilter): boolean {
  if (mode === 'any') return true
  if (mode === 'multi') return isPlayableTogether(game)
  return (
    (game.features as readonly string[]).includes(mode) || (game.modes as readonly string[]).includes(mode)
  )
}

/** Mods are games; demos and playtests are told apart. */
function isGame(kind: GameKind): boolean {
  return kind === 'game' || kind === 'mod'
}
