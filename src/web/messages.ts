/**
 * Every text of the pages by the screen that shows it; those that are fixed (PAGE-1) stand to the letter. Screens take
 * their texts from here, or from `messages/` where they come with the code of a screen, after the first load.
 */
import { dashboard, wizard } from './messages/dashboard.ts'
import { crash, login, navigation, notFound, theme } from './messages/frame.ts'
import { friends, friendSearch, peoplePicker } from './messages/friends.ts'
import { comparison, friendGames, gameFriends, gameView, myGames } from './messages/games.ts'
import { group } from './messages/group-detail.ts'
import { groups, invitation } from './messages/groups.ts'
import { library } from './messages/library.ts'

export const messages = {
  product: 'Shelfmates',
  /** PLAY-4. */
  loading: 'Loading...',
  networkError: 'Network error.',
  /** PAGE-29. */
  offline: 'Offline, showing what was known',
  /** PAGE-34. */
  codeMissing: 'This page could not be loaded. It comes by itself when the server can be reached again.',
  tryAgain: 'Try again',
  /** The cross of a dialog in which there is nothing to cancel. */
  close: 'Close',
  /** When the server gave no reason and no text is fixed for the failure. */
  somethingWrong: 'Something went wrong.',
  saveFailed: 'Couldn’t save your change.',
  /** Below a list that shows only its first entries. */
  andMore: (count: number) => `and ${count} more`,

  /** Lengths of what is typed (LIM-4). */
  field: {
    tooLong: (max: number) => `At most ${max} characters.`,
    count: (count: number, max: number) => `${count} of ${max} characters`,
  },

  /** Choosing an image file, wherever one can be uploaded (LIM-6, LIM-7). */
  picture: {
    label: 'Picture (optional)',
    choose: 'Choose an image',
    chooseAnother: 'Choose another image',
    hint: 'PNG, JPEG, WebP or GIF, at most 5\u00A0MB',
    wrongKind: 'This image format isn’t supported. Please choose a PNG, JPEG, WebP or GIF.',
    tooLarge: 'The picture is larger than 5 MB. Please choose a smaller one.',
    clear: 'Remove picture',
    preview: 'Preview of the chosen picture',
    notLoaded: 'The picture at this URL hasn’t loaded yet. Until it does, the group shows its initials.',
  },

  /** On every sync button (PAGE-6, PAGE-9), and how old synced data is (LOOK-11). */
  sync: {
    busy: 'Syncing...',
    left: (left: number, limit: number) => `${left} of ${limit} syncs left today`,
    noneLeft: 'No syncs left today.',
    /** Before a time, such as '18:40' or 'tomorrow at 09:15'. */
    nextFree: 'Next sync',
    today: (time: string) => `at ${time}`,
    tomorrow: (time: string) => `tomorrow at ${time}`,
    /** After a sync that failed (PAGE-27), before a relative time and the reason. */
    lastTry: 'Last try',
    progress: (synced: number, total: number) =>
      `${synced} of ${total} ${total === 1 ? 'library' : 'libraries'}`,
    progressTitle: 'Syncing your friends’ libraries',
    synced: 'synced',
    neverSynced: 'not synced yet',
  },

  navigation,
  theme,
  login,
  dashboard,
  wizard,
  myGames,
  gameView,
  library,
  friends,
  friendSearch,
  peoplePicker,
  friendGames,
  comparison,
  gameFriends,
  groups,
  invitation,
  group,
  privacy: { title: 'Privacy' },
  notFound,
  crash,
} as const
