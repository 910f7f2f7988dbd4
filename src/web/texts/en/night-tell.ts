/** Telling others of a game night that was planned, with a message for their chat (NIGHT-149). */
export const nightTell = {
  label: 'Message for your chat',
  copy: 'Copy message',
  /** The first line of the message: what and when; of proposed times only what. */
  now: '{title}: we start now.',
  planned: '{title}: {when} ({zone})',
  plannedForDiscord: '{title}: {when}',
  /** A line of its own, of a night that repeats. */
  repeats: { week: 'It repeats every week.', two_weeks: 'It repeats every two weeks.' },
  areYouIn: 'Are you in? {url}',
  dates: '{title}: which suit you?',
  datesInZone: '{title}: which suit you? ({zone})',
  /** One of the proposed times, where their zones differ. */
  timeInZone: '{when} ({zone})',
} as const
