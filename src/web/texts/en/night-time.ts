/** When a game night is, and what it is called without a title: wherever nights are shown (NIGHT-79). */
export const nightTime = {
  /** A night without a title of its own. */
  untitled: 'Game night',
  /** 'Tomorrow at 20:30 in your time zone, Central European Time.' */
  inZone: '{when} in your time zone, {zone}.',
  /** 'Your time zone, Central European Time' */
  yourZone: 'Your time zone, {zone}',
  /** Alone or within a sentence; alone it begins with a capital. */
  when: {
    started: 'Started {ago}',
    today: 'today at {clock}',
    tonight: 'tonight at {clock}',
    tomorrow: 'tomorrow at {clock}',
    yesterday: 'yesterday at {clock}',
    onDay: '{day} at {clock}',
  },
} as const
