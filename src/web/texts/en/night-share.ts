/** Texts of the link to a pick (NIGHT-107). */
export const nightShare = {
  share: 'Share',
  title: 'Share the pick',
  explained:
    'Everyone with the link sees the game, the group’s name, the date and time, and how many are in. It names no people.',
  none: 'There is no link at the moment.',
  onlyIn: 'People who are in can create one.',
  failed: 'Failed to fetch the link',
  create: 'Create a link',
  creating: 'Creating…',
  link: 'Link',
  copy: 'Copy link',
  openPicture: 'Open the picture',
  /** After it, for screen readers. */
  inNewTab: '(opens in a new tab)',
  switchOff: 'Switch off',
  switchingOff: 'Switching off…',
  switchedOff: 'The link is switched off.',
  switchOffTitle: 'Switch the link off?',
  switchOffText: 'The page and the picture behind it can no longer be opened.',
  changeFailed: 'Failed to change the link.',
} as const
