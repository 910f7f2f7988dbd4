/** The line about a pick to paste into a chat (NIGHT-105). */
export const pickToPaste = {
  label: 'To paste into your chat',
  copy: 'Copy text',
  copyForDiscord: 'Copy for Discord',
  /** `what` such as 'Tonight at 20:30: Portal 2'. */
  line: '{what} with {names}',
  planned: '{when}: {game}',
  now: 'We are playing {game}',
  more: '{count} more',
} as const
