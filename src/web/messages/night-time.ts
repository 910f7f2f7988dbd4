/** When a game night is, and what it is called without a title: wherever nights are shown (NIGHT-80). */
export const nightTime = {
  /** A night without a title of its own. */
  untitled: 'Game night',
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
