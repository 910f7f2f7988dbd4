/** The line about a pick to paste into a chat (NIGHT-105). */
export const pickToPaste = {
  label: 'To paste into your chat',
  copy: 'Copy text',
  copyForDiscord: 'Copy for Discord',
  /** 'Tonight at 20:30 Central European Standard Time: Portal 2'. */
  planned: { alone: '{when} {zone}: {game}', with: '{when} {zone}: {game} with {names}' },
  now: { alone: 'We are playing {game}', with: 'We are playing {game} with {names}' },
  /** @param when what Discord shows as the time of each reader */
  discord: { alone: '{when}: {game}', with: '{when}: {game} with {names}' },
  lacking: 'missing for {names}',
  /** The last of the names. */
  more: '{count} more',
} as const
