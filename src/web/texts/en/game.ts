/** Texts of a game's page, which are loaded with it rather than with the first screen (GAME-1). */
export const gamePage = {
  untitled: 'Game',
  failed: 'Failed to fetch this game',
  free: 'Free to play',
  howPlayed: 'How it is played',
  mine: 'Your playtime',
  total: 'In all',
  recent: 'Last two weeks',
  lastPlayed: 'Last played',
  neverPlayed: 'Never',
  lastUnknown: 'Not known',
  notMine: 'Not in your library',
  launch: 'Launch',
  install: 'Install',
  store: 'Store page',
  /** After the text of a link, for screen readers. */
  inSteam: '(opens Steam)',
  inNewTab: '(opens the Steam store in a new tab)',
  friendsWhoPlay: 'Friends Who Play',
  friends: 'Friends',
  playingNow: 'In it now',
  plays: 'Play it',
  owns: 'Own it, never played',
  /** A friend who is in the game, but whose library is not known. */
  hoursUnknown: 'Hours not known',
  nobody: 'None of your friends has it.',
  nobodyKnown: 'No friend’s library is known yet.',
  uncounted:
    '{friends, plural, one {1 friend’s library is not known and not counted here.} other {# friends’ libraries are not known and not counted here.}}',
  groups: 'Groups that all own it',
  noGroups: 'In none of your groups does everybody own it.',
  counted: '{members, plural, one {{counted} of 1 library counted} other {{counted} of # libraries counted}}',
  moreGroups: 'Older groups were not looked at.',
  unknown: {
    title: 'Unknown Game',
    text: 'Nobody here has had this game, so there is nothing to show. The link may be old or mistyped.',
    toMyGames: 'Go to My Games',
  },
} as const

/** What a game costs. */
export const gamePrice = {
  times: '{people, number} × {price}',
  sale: '{price}, {percent} off',
  saleUntil: '{price}, {percent} off until {day}',
  source: 'Store in {country}, read {time}.',
} as const
