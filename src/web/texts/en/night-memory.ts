/** What earlier game nights of the same people say, and playing with them again (MEMORY-6 to MEMORY-8). */
export const nightMemory = {
  title: 'Played before',
  /** The folded card on phones. */
  nights: '{count, plural, one {1 night this year} other {# nights this year}}',
  /** All who are expected. */
  together: {
    picked: 'You last played in this round on {day}: {game}',
    none: 'You last met in this round on {day}',
  },
  last: { picked: 'Last played on {day}: {game}, with {names}', none: 'Last met on {day}, with {names}' },
  year: 'This year: {names}',
  /** The first of the names, and the others. */
  cameOf: '{name} ({count, number} of {nights, number})',
  came: '{name} ({count, number})',
  picked: 'Picked: {games}',
  pick: '{game} {count, number}×',
  more: '{names} and {count, number} more',
  again: 'Again next week',
} as const
