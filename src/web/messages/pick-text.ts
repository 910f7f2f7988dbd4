/** The line about a pick to paste into a chat (NIGHT-105). */
export const pickToPaste = {
  label: 'To paste into your chat',
  copy: 'Copy text',
  copyForDiscord: 'Copy for Discord',
  /** @param what such as 'Tonight at 20:30: Portal 2' @param names empty when nobody is in any more */
  line: (what: string, names: string) => (names === '' ? what : `${what} with ${names}`),
  planned: (when: string, game: string) => `${when}: ${game}`,
  now: (game: string) => `We are playing ${game}`,
  more: (count: number) => `${count} more`,
} as const
