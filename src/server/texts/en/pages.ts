/**
 * What the built pages say without their scripts: `index.html`, `offline.html` and the manifest have these texts, word for
 * word (LANG-9).
 */
export const pages = {
  description:
    "Your shelf of games beside your friends': compare libraries and see what you can all play tonight.",
  slow: 'Shelfmates is taking long to load.',
  tryAgain: 'Try again',
  noScript: 'Shelfmates needs JavaScript to show your games.',

  /** offline.html */
  offlineTitle: 'Offline · Shelfmates',
  unreachable: 'Shelfmates can’t be reached',
  offline: 'You’re offline, or the server doesn’t answer. This page tries again by itself.',
  known: 'What is known',
  signedIn: 'You’re still signed in if you were, and nothing you saved is lost.',
  openPages: 'Pages that are open in other tabs or windows still show what they showed.',
  unknown: 'What isn’t',
  yours:
    'Your games, friends, groups and game nights. They’re kept on the server only, so that nobody else who uses this device sees them.',

  /** The manifest. */
  appDescription: "Your shelf of games beside your friends': see what you can all play tonight.",
  startNight: 'Start a game night',
  night: 'Game night',
  groups: 'Groups',
} as const
