/** Telling others of a game night that was planned, with a message for their chat (NIGHT-149). */
export const nightTell = {
  titles: { planned: 'Planned. Tell the others', dates: 'Times proposed. Tell the others' },
  asked: 'Nobody without notifications knows of it yet.',
  byLink: 'Nobody has been asked yet. Everyone with the link can join.',
  label: 'Message for your chat',
  copy: 'Copy message',
  toNight: 'To the night',
  /** The first line of the message: what and when; of proposed times only what. */
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
