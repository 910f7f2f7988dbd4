/** The ids of headings that links within a night's page lead to. */
export const anchors = {
  answer: 'my-answer',
  people: 'who-is-in',
  list: 'shortlist',
  vote: 'my-vote',
  missed: 'not-all-own',
  tooSmall: 'too-small',
} as const
