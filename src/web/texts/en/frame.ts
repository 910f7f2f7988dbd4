/** Texts around the screens: navigation, sign-in, the 404 page and crashes. */

/** NAV-1; the hamburger's name is NAV-4. */
export const navigation = {
  dashboard: 'Dashboard',
  myGames: 'My Games',
  shelf: 'My Shelf',
  friends: 'Friends',
  groups: 'Groups',
  friendsGames: "Friend's Games",
  gameComparison: 'Game Comparison',
  account: 'Account',
  operator: 'Operator',
  privacy: 'Privacy',
  open: 'Open navigation',
  close: 'Close navigation',
  skip: 'Skip to content',
  find: 'Find',
  controlKey: 'Ctrl',
  findFailed: 'Find couldn’t be loaded. Please try again.',
  logOut: 'Log Out',
  defaultName: 'Player',
  poweredBySteam: 'Powered by Steam',
  demo: 'Demo',
  demoHint: 'Players and games are made up.',
  publicDemo:
    'This is a public demo: everyone sees what you write and upload here, and all of it is deleted regularly.',
  nextReset: 'Next reset at {time}.',
  invitations: '{count, plural, one {1 open invitation} other {# open invitations}}',
  answersWaiting: '{count, plural, one {1 night needs your answer} other {# nights need your answer}}',
} as const

/** LANG-1. */
export const language = { title: 'Language', browser: 'As in the browser' } as const

/** LOOK-36. */
export const theme = {
  title: 'Appearance',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
} as const

/** LOGIN-1. */
export const login = {
  title: 'Log in',
  lead: 'See what you can all play tonight.',
  about: 'Compare your Steam library with your friends’, and find the games your whole group owns.',
  signedInAs: 'You’re signed in as {name}.',
  button: 'Sign in with Steam',
  opening: 'Opening Steam...',
  note: 'Secure login, handled by Steam. Shelfmates never sees or stores your password.',
  signingIn: 'Signing you in...',
  /** Where the page that was asked for is not public (LOGIN-9). */
  wanted: 'Sign in to open the page you asked for.',
  /** Why the user was signed out (LOGIN-9). */
  signedOut: {
    deleted: 'Your account and everything in it were deleted.',
    everywhere: 'You were signed out on all devices.',
    ended: 'Your session ended. Sign in again.',
    elsewhere: 'You were signed out in another tab.',
    reset: 'The demo was reset. Sign in again to start over.',
  },
} as const

/** LOST-1. */
export const notFound = {
  code: '404',
  title: 'Page Not Found',
  hint: 'The link may be broken, or the address may have been mistyped.',
  back: 'Go to Dashboard',
} as const

/** LOOK-14. */
export const crash = {
  title: 'This part of the page crashed.',
  hint: 'The rest still works.',
} as const
