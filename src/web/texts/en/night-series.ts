/** Texts of game nights that repeat: in the dialog that starts one, on its page and in lists (SERIES-10, SERIES-11). */
export const nightSeries = {
  label: 'Repeats',
  choices: { once: 'Once', week: 'Every week', two_weeks: 'Every two weeks' },
  /** 'Every Friday at 20:30, Central European Time' */
  every: { week: 'Every {day} at {clock}, {zone}', two_weeks: 'Every other {day} at {clock}, {zone}' },
  explained: 'Until you stop it. The same people are asked six days before each night.',
  stop: 'Stop repeating',
  stopping: 'Stopping…',
  stopTitle: 'Stop repeating this game night?',
  stopText: 'No more nights are created. Those that exist stay; cancel them if they don’t take place.',
  stopFailed: 'Failed to stop the game night from repeating.',
  /** Below the button that saves what the host has changed of a night. */
  changesOne: 'This changes only this night, not the next ones.',
  /** In the questions before a night is cancelled or left. */
  cancelsOne: 'Only this night is cancelled. The next one is {when}.',
  leavesChosen: 'You are not asked to the next nights either.',
  leavesAsHost: 'Somebody else hosts the next nights. If nobody has answered, there are none.',
} as const
