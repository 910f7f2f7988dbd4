/** Texts of what the owner of a group sets for its game nights (NIGHT-109, NIGHT-110). */
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
  title: 'Messages about game nights',
  explained:
    'A message is sent when a night of this group is planned, moved, starts, is decided or is cancelled. No message names people.',
  failed: 'Failed to fetch the webhook',
  none: 'No webhook is set. A new owner of the group sets their own; the former owner’s is removed.',
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
  secretHint: 'Messages are signed with it (X-Shelfmates-Signature). Saving the webhook makes a new one.',
  copySecret: 'Copy secret',
  state: 'State',
  never: 'No message has been sent yet.',
  /** Before a relative time. */
  accepted: 'The last message was accepted',
  /** Before a relative time and the reason. */
  lastFailure: 'Last failure',
  off: 'Nothing is sent any more, because there was nothing at the address. Save the webhook to switch it on again.',
  waiting: '{count, plural, one {1 message waits to be sent.} other {# messages wait to be sent.}}',
  test: 'Send a test',
  testing: 'Sending…',
  tested: 'The test is on its way.',
  testFailed: 'Failed to send a test.',
  remove: 'Remove webhook',
  removed: 'Webhook removed.',
  removeFailed: 'Failed to remove the webhook.',
  removeTitle: 'Remove the webhook?',
  removeText: 'Game nights are no longer announced, and messages that wait are not sent.',
} as const
