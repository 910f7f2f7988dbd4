/** Texts of My Games and of lists of games. */
/** MINE-1. */
export const myGames = {
  title: 'My Games',
  sync: 'Sync Games',
  compare: 'Compare with Friends',
  empty: 'No games found. Click Sync Games above to fetch your library from the platform.',
  failed: 'Failed to fetch games',
  played: '{playtime} played',
  searchLabel: 'Search my games',
  privateTitle: 'Your game details are private on Steam',
  privateHint:
    'In Steam, go to Profile > Edit Profile > Privacy Settings and set "Game details" to Public. Then press Sync Games.',
  privateExplained:
    'Your game details are private on Steam. In Steam, go to Profile > Edit Profile > Privacy Settings and set "Game details" to Public. Then press Sync Games.',
  noPlaytimeTitle: 'Steam shows no playtime for your games',
  noPlaytimeHint:
    'If you have played some of them: in Steam, go to Profile > Edit Profile > Privacy Settings and uncheck “Always keep my total playtime private”. Then press Sync Games.',
  privateStored: 'Games synced earlier are still here.',
} as const

/** Searching, sorting and filtering games. */
export const gameView = {
  sortLabel: 'Sort',
  sorts: {
    playtime: 'Playtime descending',
    alphabetical: 'Alphabetical',
    recent: 'Recently played',
    least: 'Least played',
  },
  modeLabel: 'Game mode',
  count: '{games, plural, one {1 game} other {# games}}',
  hours: '{hours, number}h',
  totalHours: '{hours, number}h in total',
  noMatch: 'No games match.',
  showAll: 'Show all games',
  features: {
    online_coop: 'Online co-op',
    online_versus: 'Online versus',
    same_screen: 'Same screen',
    remote_play: 'Remote Play Together',
    cross_platform: 'Cross-platform',
  },
  unknownModes: 'Player modes unknown',
  /** How many can play a game together (LIST-10). */
  players: { any: 'No limit', exactly: 'For {max}', upTo: 'Up to {max}' },
} as const
