/** Texts of the screens that list games: My Games, Friend's Games, Game Comparison, Friends Who Play. */
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

/** FGAM-1. */
export const friendGames = {
  title: "Friend's Games",
  heading: "{name}'s Games",
  /** The heading after a name that is marked up as one. */
  headingAfterName: "'s Games",
  choose: 'Choose a friend to see their games.',
  nobody:
    'Nobody can have the Steam id in this address. It may be mistyped. Choose a friend to see their games.',
  searchLabel: 'Search their games',
  compare: 'Compare with mine',
  sync: 'Sync Games',
  empty: 'Oops! It looks like we don’t have this friend’s games in our system yet.',
  failed: "Failed to fetch friend's games",
  former: 'You are no longer friends on Steam, so their games can’t be shown.',
  formerRemedy: 'If you are, press Sync Friends on the Friends page.',
  syncing: 'Their games are syncing from Steam and will appear here automatically.',
} as const

/** COMP-1. */
export const comparison = {
  title: 'Game Comparison',
  list: 'Games You Both Own',
  hours: 'You: {you}h | Friend: {friend}h',
  empty: 'No games in common.',
  chooseFriend: 'Select a friend to compare your games!',
  failed: 'Failed to fetch common games.',
  loading: 'Comparing your games...',
  theirGames: 'See all their games',
  toMyGames: 'Go to My Games',
  searchLabel: 'Search common games',
  sorts: {
    both: 'Both play it most',
    combined: 'Most combined hours',
    mine: 'Your most played',
    theirs: 'Their most played',
    alphabetical: 'Alphabetical',
  },
} as const

/** PLAY-1. */
export const gameFriends = {
  title: 'Friends Who Play {game}',
  /** The heading before a name that is marked up as one. */
  titleBeforeName: 'Friends Who Play',
  unknownGame: 'This Game',
  empty: 'None of your friends play this game.',
  failed: 'Failed to fetch friends',
  yours: 'Your playtime',
  list: 'Friends',
  compare: 'Compare',
  compareWith: 'Compare with {name}',
  unavailable:
    '{friends, plural, one {1 friend may own it too, but their library isn’t available:} other {# friends may own it too, but their libraries aren’t available:}}',
} as const
