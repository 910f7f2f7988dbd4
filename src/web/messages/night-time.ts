/** When a game night is, and what it is called without a title: wherever nights are shown (NIGHT-80). */
export const nightTime = {
  /** A night without a title of its own. */
  untitled: 'Game night',
  /** 'Tomorrow at 20:30 in your time zone, Central European Time.' */
  inZone: (when: string, zone: string) => `${when} in your time zone, ${zone}.`,
  /** 'Your time zone, Central European Time' */
  yourZone: (zone: string) => `Your time zone, ${zone}`,
  /** After 'Started ' or before a clock time. */
  when: {
    started: (ago: string) => `Started ${ago}`,
    today: (clock: string) => `today at ${clock}`,
    tonight: (clock: string) => `tonight at ${clock}`,
    tomorrow: (clock: string) => `tomorrow at ${clock}`,
    yesterday: (clock: string) => `yesterday at ${clock}`,
    onDay: (day: string, clock: string) => `${day} at ${clock}`,
  },
} as const
