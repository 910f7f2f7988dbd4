/** Game nights in calendars (NIGHT-62, NIGHT-65). */
export const calendar = {
  name: 'Game nights',
  night: 'Game night',
  nightOf: 'Game night: {group}',
  picked: 'Picked: {game}',
  /** Of a date on which a game night repeats. */
  notAsked: 'Planned, nobody has been asked yet',
} as const
