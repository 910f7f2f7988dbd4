/** Texts of finding a date for a game night: in the dialog that starts it, and on its page (DATE-14 to DATE-17, DATE-19). */
export const nightDates = {
  /** In the dialog. */
  propose: {
    evenings: 'Evenings at {clock}',
    week: 'This week',
    weekend: 'Next weekend',
    other: 'Another day or time',
    add: 'Add this time',
    wrong: 'Choose a time from now to a year ahead.',
    twice: 'This time is proposed already.',
    full: 'At most {max} times can be proposed.',
    chosen:
      '{count, plural, =0 {Choose at least two times.} one {1 of {max} times. Choose at least two.} other {# of {max} times}}',
    list: 'Proposed times',
    remove: 'Remove {time}',
    deadline: 'Deadline (optional)',
    deadlineHint: 'The best time is then taken by itself.',
    deadlineWrong: 'Choose a time from now to the last of the times.',
    submit: 'Ask for a date',
  },

  title: 'When can you play?',
  explained:
    '“Yes” agrees to be “In” when the time is taken. The people of this night then see which games on the list you own.',
  proposed: '{count, plural, one {1 time is proposed} other {# times are proposed}}',
  answered: '{answered} of {asked} answered{partly, plural, =0 {} one {, # in part} other {, # in part}}',
  deadline: 'The best time is taken {when}.',
  deadlinePassed: {
    leads: 'The deadline has passed, and nobody could come. Take a time, or cancel the night.',
    others: 'The deadline has passed, and nobody could come. The host takes a time.',
  },
  agreed: 'A time is taken by itself when everyone has answered and one is best.',
  legend: 'Can you play {time}?',
  options: { yes: 'Yes', maybe: 'If need be', no: 'No' },
  /** Who gave an answer, or none. */
  who: { yes: 'Can', maybe: 'If need be', no: 'Cannot', missing: 'Not answered' },
  passed: 'Has passed',
  best: 'Best so far',
  failed: 'Failed to save your answer.',
  none: 'None of them',
  noneTitle: 'Can you come at none of these times?',
  noneText: 'Your answers are removed, and the others no longer wait for you. Answer a time to come back.',
  isOut: 'You said that you can come at none of them. Answer a time to come back.',
  take: 'Take this time',
  takeTitle: 'Take {time}?',
  takeText:
    '“Yes” becomes “In”, “If need be” becomes “Maybe” and “No” becomes “Out”. Nobody can answer the times any more.',
  takeFailed: 'Failed to take the time.',
  /** Above the people of the night, and of those who have not said that they are out. */
  people: 'Who is asked?',
  asked: 'Asked',
  changed: {
    found: 'The date was found: {when}',
    answered: '{name} has answered the times',
  },
} as const
