/** Texts of what the owner of a group sets for its game nights (NIGHT-109), and of webhooks (NIGHT-110). */
export const groupNights = {
  title: 'Game nights',
  failed: 'Failed to fetch the settings',
  forbids: '“Not tonight” rules a game out',
  forbidsHint: 'In nights that start from now on, unless their host chooses otherwise.',
  shares: 'Picks may be shared by link',
  sharesHint:
    'Without an account one sees the game, this group’s name, the date and time, and how many are in.',
  saved: 'Saved.',
  stopTitle: 'Stop sharing picks?',
  stopText: 'All links to picks of this group stop working for good, even if you allow sharing again.',
  stop: 'Stop sharing',
  messages: 'Set up messages',
  messagesHint:
    'Tell a channel of Discord, Slack or Mattermost, or another service, when a night is planned, starts and is decided.',
} as const

export const webhookTexts = {
  ofGroup: {
    title: 'Messages about game nights',
    about: 'For all nights of this group.',
    none: 'No webhook is set. A new owner of the group sets their own; the former owner’s is removed.',
  },
  mine: {
    title: 'Messages about your game nights',
    about: 'For nights without a group that you host.',
    none: 'No webhook is set.',
  },
  explained:
    'Messages are sent when a date is being found, when a night is planned, moved, decided or cancelled, and when it starts. Reminders come a day and half an hour before. No message names people.',
  /** On the Account page. */
  hint: 'For nights without a group that you host: tell a channel of Discord, Slack or Mattermost, or another service, when one is planned, starts and is decided.',
  failed: 'Failed to fetch the webhook',
  url: 'Webhook URL',
  urlHint: {
    discord: 'From Discord: Server Settings > Integrations > Webhooks > Copy Webhook URL.',
    slack: 'From Slack: your app > Incoming Webhooks > Copy Webhook URL.',
    mattermost: 'From Mattermost: Integrations > Incoming Webhooks > the URL of the webhook.',
    json: 'Your own https address, which gets a POST request with JSON for each message.',
  },
  urlMissing: 'Enter a webhook URL.',
  format: 'Format',
  formats: { discord: 'Discord', slack: 'Slack', mattermost: 'Mattermost', json: 'JSON' },
  set: 'Save webhook',
  setting: 'Saving…',
  saved: 'Webhook saved.',
  saveFailed: 'Failed to save the webhook.',
  secret: 'Secret',
  secretHint: 'Messages are signed with it (X-Shelfmates-Signature). A new address gets a new one.',
  copySecret: 'Copy secret',
  state: 'State',
  never: 'No message has been sent yet.',
  accepted: 'The last message was accepted {time}.',
  lastFailure: 'Last failure {time}: {reason}',
  waiting: '{count, plural, one {1 message waits to be sent.} other {# messages wait to be sent.}}',
  test: 'Send a test',
  testing: 'Sending…',
  tested: 'The test is on its way.',
  testFailed: 'Failed to send a test.',
  remove: 'Remove webhook',
  removeFailed: 'Failed to remove the webhook.',
  removeTitle: 'Remove the webhook?',
  removeText: 'Game nights are no longer announced, and messages that wait are not sent.',
} as const
