/** Texts of hiding games (VIS-6). Not part of `messages`: they come with the screens, after the first load. */
export const hiddenGames = {
  mark: 'only you see it',
  hide: 'Hide from everybody else',
  hideName: 'Hide {game} from everybody else',
  show: 'Show again',
  showName: 'Show {game} to others again',
  /** On the page of a game: what hiding it does, and that it is hidden. */
  about: 'If you hide it, nobody but you sees that you own it; in groups it counts for you only.',
  isHidden: 'Hidden: nobody but you sees that you own it; in groups it counts for you only.',
  wasHidden: '{game} is hidden. Nobody but you sees that you own it; in groups it counts for you only.',
  wasShown: '{game} is shown to others again.',
  hideFailed: '{game} could not be hidden.',
  showFailed: '{game} could not be shown again.',
  undo: 'Undo',
  dismiss: 'Dismiss',
  /** The card on the Account page. */
  title: 'Games I hide',
  hint: 'Nobody but you sees that you own or play these games; in groups they count for you only.',
  count: '{games, plural, one {You hide 1 game.} other {You hide # games.}}',
  list: 'Hidden games',
  none: 'You hide no games.',
  noneHint: 'To hide one, press the crossed eye at it in My Games.',
  toGames: 'Go to My Games',
  /** A hidden game that is not in the library. */
  unknown: 'App {appid}',
} as const
