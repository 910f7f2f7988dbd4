/** Texts of asking more people to a game night, which are loaded with the dialog (NIGHT-111). */
export const nightAsk = {
  title: 'Ask more people',
  find: 'Search friends to ask',
  list: 'Friends who can be asked',
  failedToLoad: 'Failed to fetch friends',
  none: 'All your friends are part of this night. Others can join by its link.',
  choose: 'Choose at least one friend.',
  /** @param room how many more people the night may have */
  room: (room: number) => (room === 1 ? 'One more person can be asked.' : `Choose at most ${room} friends.`),
  full: 'This night has the most people it can have.',
  ask: (count: number) => (count === 0 ? 'Ask' : count === 1 ? 'Ask 1 person' : `Ask ${count} people`),
  asking: 'Asking…',
  failed: 'Failed to ask.',
} as const
