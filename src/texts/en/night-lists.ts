/** Texts of game nights in lists: the dashboard's card and the section of a group (NIGHT-102 to NIGHT-104). */
export const nightLists = {
  section: 'Game nights',
  start: 'Start a game night',
  invite: 'Invite by link',
  none: 'Nothing is planned. Ask who is in, and vote on a game.',
  noneOfGroup: 'No game nights yet. Start one: everyone says who is in, you vote, and one game is picked.',
  /** Below the first nights of a group. */
  explained: 'In a game night everyone says who is in, you vote, and one game is picked.',
  failed: 'Failed to fetch game nights',
  all: 'All nights',
  allTitle: 'Game nights',
  ofGroup: 'Game nights of {name}',
  mine: 'All my nights',
  upcoming: 'Now and planned',
  decided: 'Decided',
  past: 'Past',
  answerNow: 'Answer',
  needsAnswer: 'needs your answer',
  answers: { in: 'You’re in', maybe: 'Maybe', out: 'You’re out' },
  status: { cancelled: 'Cancelled', over: 'No pick', tied: 'To be drawn' },
  /** Before the host's name. */
  hostedBy: 'Hosted by',
  in: '{count, number} in',
  came: 'In:',
  more: 'and {count, number} more',
  together: 'Played together:',
} as const
