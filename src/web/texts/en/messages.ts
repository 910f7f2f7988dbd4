/** Texts that several screens share, and all that the first load shows; those that are fixed (LANG-5) stand to the letter. */
import { dashboard, wizard } from './dashboard.ts'
import { crash, language, login, navigation, notFound, theme } from './frame.ts'
import { gameView } from './games.ts'
import {
  comparisonInFirst,
  groupInFirst,
  libraryInFirst,
  friendsInFirst,
  myGamesInFirst,
} from './in-first.ts'
import { groups, invitation } from './groups.ts'

export const messages = {
  product: 'Shelfmates',
  /** PLAY-3. */
  loading: 'Loading...',
  networkError: 'Network error.',
  /** PAGE-37. */
  offline: 'You’re offline. This may be out of date.',
  clockAhead: 'This device’s clock is {by} fast. Times here follow the server’s clock.',
  clockBehind: 'This device’s clock is {by} slow. Times here follow the server’s clock.',
  /** PAGE-33. */
  updated: 'Shelfmates has been updated.',
  reload: 'Reload',
  /** PAGE-41. */
  foreign: 'Something in front of Shelfmates answered in its place. Reload the page.',
  /** PAGE-33. */
  codeMissing: 'This page could not be loaded. It will load once the server is back.',
  tryAgain: 'Try again',
  justNow: 'just now',
  /** PAGE-12. */
  playtime: '{hours}h {minutes}m',
  /** The cross of a dialog in which there is nothing to cancel. */
  close: 'Close',
  /** When the server gave no reason and no text is fixed for the failure. */
  somethingWrong: 'Something went wrong.',
  saveFailed: 'Couldn’t save your change.',
  /** Below a list that shows only its first entries. */
  andMore: 'and {count} more',

  /** Lengths of what is typed (LIM-4). */
  field: {
    tooLong: 'At most {max} characters.',
    count: '{count} of {max} characters',
  },

  /** Choosing an image file, wherever one can be uploaded (LIM-6). */
  picture: {
    label: 'Picture (optional)',
    choose: 'Choose an image',
    chooseAnother: 'Choose another image',
    hint: 'PNG, JPEG, WebP or GIF, at most 5\u00A0MB',
    wrongKind: 'This image format isn’t supported. Please choose a PNG, JPEG, WebP or GIF.',
    tooLarge: 'The picture is larger than 5 MB. Please choose a smaller one.',
    clear: 'Remove picture',
    preview: 'Preview of the chosen picture',
  },

  /** On every sync button (PAGE-6, PAGE-9), and how old synced data is (LOOK-11). */
  sync: {
    busy: 'Syncing...',
    left: '{left} of {limit} syncs left today',
    noneLeft: 'No syncs left today.',
    /** @param time such as '18:40' */
    nextFree: 'No syncs left today. Next sync at {time}.',
    nextFreeTomorrow: 'No syncs left today. Next sync tomorrow at {time}.',
    progress: '{total, plural, one {{synced} of 1 library} other {{synced} of # libraries}}',
    progressTitle: 'Syncing your friends’ libraries',
    synced: 'synced {time}',
    neverSynced: 'not synced yet',
  },

  navigation,
  theme,
  language,
  login,
  dashboard,
  wizard,
  myGames: myGamesInFirst,
  gameView,
  library: libraryInFirst,
  friends: friendsInFirst,
  comparison: comparisonInFirst,
  groups,
  invitation,
  group: groupInFirst,
  privacy: { title: 'Privacy' },
  notFound,
  crash,
} as const
