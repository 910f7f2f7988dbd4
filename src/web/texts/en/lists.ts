/** Texts of the lists of games that are loaded with them rather than with the first screen. */

/** Searching, filtering and sorting a list of games (LIST-1 to LIST-8). */
export const gameList = {
  searchPlaceholder: '{label}...',
  searchHint:
    'Searches {games, plural, one {1 game} other {all # games}}. Your browser’s own search (Ctrl+F) finds only those on the screen.',
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
  actions: 'Actions for {game}',
  filters: 'Filters',
  activeFilters: 'Filters ({active})',
  gamesOnly: 'Games only',
  owned: 'You own it too',
  ownedUnknown: 'Your own games are not known yet.',
  layout: 'Show as',
  layouts: { tiles: 'Tiles', list: 'List' },
  /** What an app is that is no ordinary game. */
  kinds: {
    mod: 'Mod',
    demo: 'Demo',
    beta: 'Playtest',
    dlc: 'DLC',
    tool: 'Tool',
    software: 'Software',
    video: 'Video',
    other: 'Not a game',
  },
  unknownKind: 'Kind not known',
  /** What 'Games only' leaves out, by kind. */
  leftOut: '{kinds} left out',
  kindCounts: {
    demo: '{apps, plural, one {1 demo} other {# demos}}',
    dlc: '{apps, plural, one {1 DLC} other {# DLCs}}',
    tool: '{apps, plural, one {1 tool} other {# tools}}',
    software: '{apps, plural, one {1 software app} other {# software apps}}',
    video: '{apps, plural, one {1 video} other {# videos}}',
    other: '{apps, plural, one {1 other app} other {# other apps}}',
  },
  unknownKinds:
    '{games, plural, one {1 whose kind is not known stays} other {# whose kind is not known stay}}',
  playersHint: 'How many can play together',
  change: 'I have it elsewhere, how many can play together',
  fits: 'Fits {people}',
  tooSmallBelow:
    '{games, plural, one {1 game for fewer than {people} is below} other {# games for fewer than {people} are below}}',
  tooSmall: 'For fewer than {people}',
  tooSmallHint: 'These are known to have no room for everybody.',
  unknownModes: 'Modes not known',
  unknownModesBelow:
    '{games, plural, one {1 game whose modes are not known is shown below} other {# games whose modes are not known are shown below}}',
  unknownModesHint: 'The store has not said yet how these are played.',
} as const

/** Additional sorts of Game Comparison and of its other parts. */
export const comparisonSorts = { least: 'Least combined hours' } as const

/** The last of a group's sorts. */
export const groupSorts = { least: 'Least hours' } as const
