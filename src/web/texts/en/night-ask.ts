/** Texts of asking more people to a game night, which are loaded with the dialog (NIGHT-111). */
export const nightAsk = {
  title: 'Ask more people',
  find: 'Search friends to ask',
  list: 'Friends who can be asked',
  failedToLoad: 'Failed to fetch friends',
  none: 'All your friends are part of this night. Others can join by its link.',
  choose: 'Choose at least one friend.',
  /** @param room how many more people the night may have */
  room: '{room, plural, one {One more person can be asked.} other {Choose at most # friends.}}',
  full: 'This night has the most people it can have.',
  ask: '{count, plural, one {Ask 1 person} other {Ask # people}}',
  asking: 'Asking…',
  failed: 'Failed to ask.',
} as const
