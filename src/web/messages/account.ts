/**
 * Texts of the Account page (ROUTE-15); the long ones of the Privacy page stand beside its screen. Not part of
 * `messages`: they come with the screen, after the first load.
 */

export const account = {
  title: 'Account & privacy',
  lead: 'Manage your privacy, sessions and data.',
  visibility: 'Who can see my library',
  visibilityHint: 'This also decides whose comparisons and groups your games count in.',
  visibilities: {
    connected: {
      label: 'Everyone I’m connected with',
      about: 'Your Steam friends, and members of groups you’ve joined.',
    },
    groups: {
      label: 'Only members of my groups',
      about: 'Friends who haven’t joined a group with you can’t see your library or what you’re playing.',
    },
    nobody: {
      label: 'Nobody',
      about: 'Your games only count for you, and nobody sees what you’re playing.',
    },
  },
  visibilitySaved: 'Saved.',
  settingsFailed: 'Failed to fetch your settings',
  sessions: 'Active sessions',
  sessionsHint: 'A session ends automatically after 30 days without use.',
  sessionsFailed: 'Failed to fetch your sessions',
  thisBrowser: 'This browser',
  unknownBrowser: 'Unknown browser',
  lastUsed: 'last used',
  signedIn: 'signed in',
  signOut: 'Sign out',
  signingOut: 'Signing out...',
  signedOut: 'Session signed out.',
  signOutFailed: 'Failed to sign out that session.',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereTitle: 'Sign out everywhere?',
  signOutEverywhereConsequence: 'You’ll be signed out in every browser, including this one.',
  signOutEverywhereFailed: 'Failed to sign out everywhere.',
  export: 'Export my data',
  exportHint: 'Everything stored about you, as one JSON file.',
  exportButton: 'Download my data',
  exporting: 'Preparing...',
  exported: 'Your data was downloaded.',
  exportFailed: 'Failed to download your data.',
  delete: 'Delete my account',
  deleteHint:
    'Permanently deletes your sessions, library, friends list and group memberships. Nothing about you is synced again until you sign in. Each group you own passes to the member who has been in it longest and has joined, or is deleted if nobody else has joined.',
  deleteButton: 'Delete my account',
  deleteTitle: 'Delete your account permanently?',
  deleteConsequence: 'This can’t be undone. Your Steam account isn’t affected.',
  deleteWord: 'DELETE',
  deleteType: (word: string) => `Type ${word} to confirm`,
  deleteConfirm: 'Delete permanently',
  deleting: 'Deleting...',
  deleteFailed: 'Failed to delete your account.',
  privacy: 'Privacy',
  privacyHint: 'What is stored about you and why, for how long, and who can see it.',
  privacyLink: 'Read about privacy',
} as const
