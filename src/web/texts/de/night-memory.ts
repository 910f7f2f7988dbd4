import type { nightMemory as english } from '../en/night-memory.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightMemory: Translated<typeof english> = {
  title: 'Schon gespielt',
  last: {
    picked: 'Zuletzt gespielt am {day}: {game}, mit {names}',
    none: 'Zuletzt getroffen am {day}, mit {names}',
  },
  again: 'Nächste Woche wieder',
}
