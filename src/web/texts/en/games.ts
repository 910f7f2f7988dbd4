/** Texts of My Games and of lists of games. */

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
