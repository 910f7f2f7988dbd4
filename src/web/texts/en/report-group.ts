/** Texts of reporting a group (OPER-13), which come with the group's page. */

export const reportTexts = {
  button: 'Report this group',
  title: 'Report this group',
  text: 'The operator of this site sees the group’s name, picture and owner and your reason. The group isn’t told.',
  what: 'What’s wrong?',
  about: { name: 'Its name', picture: 'Its picture' },
  reason: 'Why?',
  send: 'Send report',
  close: 'Close',
  sending: 'Sending...',
  sent: 'Thank you. The operator will look at it.',
  failed: 'Failed to report the group.',
  cancel: 'Cancel',
  reasonMissing: 'Say why in a few words.',
} as const
