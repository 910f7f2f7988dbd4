import type { nightMemory as english } from '../en/night-memory.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightMemory: Translated<typeof english> = {
  title: 'Schon gespielt',
  last: {
    picked: 'Zuletzt gespielt am {day}: {game}, mit {names}',
    none: 'Zuletzt getroffen am {day}, mit {names}',
  },
  more: '{names} und {count, plural, one {# weitere Person} other {# weitere}}',
  again: 'Nächste Woche wieder',
}
