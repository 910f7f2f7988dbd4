/** Texts of the screens that list games: My Games, Friend's Games, Game Comparison, Friends Who Play. */
import { PLAYERS_MAX } from '#shared/limits.ts'
import { withSeparators } from '#shared/playtime.ts'
import { makePublic } from './library.ts'

const privateTitle = 'Your game details are private on Steam'
const privateHint = `${makePublic('Game details')} Then press Sync Games.`

/** MINE-1. */
export const myGames = {
  title: 'My Games',
  sync: 'Sync Games',
  compare: 'Compare with Friends',
  empty: 'No games found. Click Sync Games above to fetch your library from the platform.',
  failed: 'Failed to fetch games',
  played: (playtime: string) => `${playtime} played`,
  searchLabel: 'Search my games',
  privateTitle,
  privateHint,
  privateExplained: `${privateTitle}. ${privateHint}`,
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
  count: (games: number) => (games === 1 ? '1 game' : `${withSeparators(games)} games`),
  hours: (hours: number) => `${withSeparators(hours)}h`,
  totalHours: (hours: number) => `${withSeparators(hours)}h in total`,
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
  players: (max: number) => (max >= PLAYERS_MAX ? 'No limit' : max <= 2 ? `For ${max}` : `Up to ${max}`),
} as const

/** FGAM-1. */
export const friendGames = {
  title: "Friend's Games",
  heading: (name: string) => `${name}'s Games`,
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
  hours: (you: number, friend: number) => `You: ${you}h | Friend: ${friend}h`,
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
  title: (game: string) => `Friends Who Play ${game}`,
  /** The heading before a name that is marked up as one. */
  titleBeforeName: 'Friends Who Play',
  unknownGame: 'This Game',
  empty: 'None of your friends play this game.',
  failed: 'Failed to fetch friends',
  yours: 'Your playtime',
  list: 'Friends',
  compare: 'Compare',
  compareWith: (name: string) => `Compare with ${name}`,
  unavailable: (friends: number) =>
    friends === 1
      ? '1 friend may own it too, but their library isn’t available:'
      : `${withSeparators(friends)} friends may own it too, but their libraries aren’t available:`,
} as const
