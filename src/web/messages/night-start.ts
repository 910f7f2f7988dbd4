/** Texts of starting a game night, which are loaded with the dialog rather than with the first screen (NIGHT-92). */
export const nightStart = {
  title: 'Start a game night',
  who: 'Who is asked?',
  friends: 'Friends I choose',
  /** Before the name of a group. */
  everyoneIn: 'Everyone is asked who is in',
  find: 'Search friends to ask',
  list: 'Friends who can be asked',
  noFriends: 'Sync your friends first, then choose who plays.',
  toFriends: 'Go to Friends',
  friendsFailed: 'Failed to fetch friends',
  chooseFirst: 'Choose at least one friend.',
  tooMany: (max: number) => `Choose at most ${max} friends.`,
  when: 'When?',
  whens: { now: 'Now', planned: 'At a time' },
  time: 'Date and time',
  timeWrong: 'Choose a time from now to a year ahead.',
  /** 'Tomorrow at 20:30 in your time zone, Central European Time.' */
  timeHint: (when: string, zone: string) => `${when} in your time zone, ${zone}.`,
  name: 'Title (optional)',
  forbids: '“Not tonight” rules a game out',
  forbidsMeans: {
    on: 'One “Not tonight” is enough: the game can’t be picked.',
    off: '“Not tonight” only lowers a game’s chances.',
    asGroup: 'As your group has chosen, unless you change it here.',
    groupOn: 'As your group has chosen: one “Not tonight” is enough.',
    groupOff: 'As your group has chosen: it only lowers a game’s chances.',
  },
  startNow: 'Start now',
  plan: 'Plan this night',
  starting: 'Starting…',
  failed: 'Failed to start the game night.',
} as const
