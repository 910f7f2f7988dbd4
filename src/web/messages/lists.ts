/** Texts of the lists of games that are loaded with them rather than with the first screen. */
import { withSeparators } from '#shared/playtime.ts'

const count = (games: number, one: string, more: string) =>
  games === 1 ? `1 ${one}` : `${withSeparators(games)} ${more}`

/** What an app is that is no ordinary game. */
const kinds = {
  mod: 'Mod',
  demo: 'Demo',
  beta: 'Playtest',
  dlc: 'DLC',
  tool: 'Tool',
  software: 'Software',
  video: 'Video',
  other: 'Not a game',
} as const

const kindCounts = {
  demo: (apps: number) => count(apps, 'demo', 'demos'),
  dlc: (apps: number) => count(apps, 'DLC', 'DLCs'),
  tool: (apps: number) => count(apps, 'tool', 'tools'),
  software: (apps: number) => count(apps, 'software app', 'software apps'),
  video: (apps: number) => count(apps, 'video', 'videos'),
  other: (apps: number) => count(apps, 'other app', 'other apps'),
} as const

/** Searching, filtering and sorting a list of games (LIST-1 to LIST-8). */
export const gameList = {
  searchHint: (games: number) =>
    `Searches ${games === 1 ? '1 game' : `all ${withSeparators(games)} games`}. Your browser’s own search (Ctrl+F) finds only those on the screen.`,
  modes: {
    any: 'Any mode',
    online_coop: 'Online co-op',
    online_versus: 'Online versus',
    same_screen: 'Same screen',
    remote_play: 'Remote Play Together',
    cross_platform: 'Cross-platform',
    multi: 'Multiplayer',
    coop: 'Co-op',
    online: 'Online',
    mmo: 'MMO',
    single: 'Single-player',
  },
  filters: 'Filters',
  activeFilters: (active: number) => `Filters (${active})`,
  gamesOnly: 'Games only',
  owned: 'You own it too',
  ownedUnknown: 'Your own games are not known yet.',
  layout: 'Show as',
  layouts: { tiles: 'Tiles', list: 'List' },
  kinds,
  unknownKind: 'Kind not known',
  /** What 'Games only' leaves out, by kind. */
  leftOut: (apps: Partial<Record<keyof typeof kindCounts, number>>) => {
    const parts = Object.entries(kindCounts).flatMap(([kind, text]) => {
      const number = apps[kind as keyof typeof kindCounts] ?? 0
      return number === 0 ? [] : [text(number)]
    })
    return `${parts.join(', ')} left out`
  },
  unknownKinds: (games: number) =>
    games === 1 ? '1 whose kind is not known stays' : `${withSeparators(games)} whose kind is not known stay`,
  playersHint: 'How many can play together',
  fits: (people: number) => `Fits ${people}`,
  tooSmallBelow: (games: number, people: number) =>
    games === 1
      ? `1 game for fewer than ${people} is below`
      : `${withSeparators(games)} games for fewer than ${people} are below`,
  tooSmall: (people: number) => `For fewer than ${people}`,
  tooSmallHint: 'These are known to have no room for everybody.',
  unknownModes: 'Modes not known',
  unknownModesBelow: (games: number) =>
    games === 1
      ? '1 game whose modes are not known is shown below'
      : `${withSeparators(games)} games whose modes are not known are shown below`,
  unknownModesHint: 'The store has not said yet how these are played.',
} as const

/** Additional sorts of Game Comparison and of its other parts. */
export const comparisonSorts = { least: 'Least combined hours' } as const

/** The last of a group's sorts. */
export const groupSorts = { least: 'Least hours' } as const
