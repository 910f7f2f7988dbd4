/** What earlier game nights of the same people say, and playing with them again (MEMORY-6 to MEMORY-8). */
export const nightMemory = {
  title: 'Played before',
  last: { picked: 'Last played on {day}: {game}, with {names}', none: 'Last met on {day}, with {names}' },
  again: 'Again next week',
} as const
