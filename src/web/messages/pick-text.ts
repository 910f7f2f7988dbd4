/** The line about a pick to paste into a chat (NIGHT-123). */
export const pickToPaste = {
  label: 'To paste into your chat',
  copy: 'Copy text',
  /** @param names empty when nobody is in any more */
  line: (when: string, game: string, names: string) =>
    names === '' ? `${when}: ${game}` : `${when}: ${game} with ${names}`,
  more: (count: number) => `${count} more`,
} as const
