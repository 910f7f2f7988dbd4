/** Texts of Friend's Games, Game Comparison and Friends Who Play. */
import { comparisonInFirst, myGamesInFirst } from './in-first.ts'

/** FGAM-2. */
export const friendGames = {
  title: "Friend's Games",
  heading: "{name}'s Games",
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

export const comparison = {
  ...comparisonInFirst,
  title: 'Game Comparison',
  list: 'Games You Both Own',
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
  people: 'Who is compared',
  /** Between the two names, which shorten to one line each. */
  with: 'and',
  /** Where a library is not known (COMP-11). */
  notKnown: {
    mine: {
      private: {
        reason: 'Your game details are private on Steam.',
        remedy: 'Set "Game details" to Public in Steam’s Privacy Settings, then sync your games.',
      },
      never: { reason: 'Your games haven’t been synced yet.', remedy: 'Sync them on My Games.' },
      hidden: { reason: 'Your library is hidden.', remedy: 'You can share it on your Account page.' },
    },
    theirs: {
      // It could not be loaded.
      ok: { reason: 'How much you have in common is not known.', remedy: 'Reload the page to try again.' },
      private: {
        reason: 'This friend’s game details are private on Steam.',
        remedy: 'They can set "Game details" to Public in Steam’s Privacy Settings; then sync their games.',
      },
      never: {
        reason: 'This friend’s library hasn’t been synced yet.',
        remedy: 'Sync their games on their page.',
      },
      hidden: {
        reason: 'This friend’s library is hidden.',
        remedy: 'They can share it on their Account page.',
      },
    },
  },
} as const

/** PLAY-1. */
export const gameFriends = {
  title: 'Friends Who Play {game}',
  unknownGame: 'This Game',
  empty: 'None of your friends play this game.',
  failed: 'Failed to fetch friends',
  yours: 'Your playtime',
  list: 'Friends',
  compare: 'Compare',
  compareWith: 'Compare with {name}',
  unavailable:
    '{friends, plural, one {1 friend may own it too, but their library isn’t available: {reasons}.} other {# friends may own it too, but their libraries aren’t available: {reasons}.}}',
} as const

/** MINE-1. */
export const myGames = {
  ...myGamesInFirst,
  title: 'My Games',
  compare: 'Compare with Friends',
  empty: 'No games found. Click Sync Games above to fetch your library from the platform.',
  searchLabel: 'Search my games',
  privateTitle: 'Your game details are private on Steam',
  privateHint:
    'In Steam, go to Profile > Edit Profile > Privacy Settings and set "Game details" to Public. Then press Sync Games.',
  noPlaytimeTitle: 'Steam shows no playtime for your games',
  noPlaytimeHint:
    'If you have played some of them: in Steam, go to Profile > Edit Profile > Privacy Settings and uncheck “Always keep my total playtime private”. Then press Sync Games.',
  privateStored: 'Games synced earlier are still here.',
} as const
