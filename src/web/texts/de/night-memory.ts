import type { nightMemory as english } from '../en/night-memory.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightMemory: Translated<typeof english> = {
  title: 'Schon gespielt',
  nights: '{count, plural, one {1 Abend dieses Jahr} other {# Abende dieses Jahr}}',
  together: {
    picked: 'In dieser Runde habt ihr zuletzt am {day} gespielt: {game}',
    none: 'In dieser Runde habt ihr euch zuletzt am {day} getroffen',
  },
  last: {
    picked: 'Zuletzt gespielt am {day}: {game}, mit {names}',
    none: 'Zuletzt getroffen am {day}, mit {names}',
  },
  year: 'Dieses Jahr: {names}',
  cameOf: '{name} ({count, number} von {nights, number})',
  came: '{name} ({count, number})',
  picked: 'Gewählt: {games}',
  pick: '{game} {count, number}×',
  more: '{names} und {count, plural, one {# weitere Person} other {# weitere}}',
  again: 'Nächste Woche wieder',
}
