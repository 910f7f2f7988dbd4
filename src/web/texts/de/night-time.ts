import type { nightTime as english } from '../en/night-time.ts'
import type { Translated } from '../types.ts'

export const nightTime: Translated<typeof english> = {
  untitled: 'Spieleabend',
  inZone: '{when} in deiner Zeitzone, {zone}.',
  yourZone: 'Deine Zeitzone, {zone}',
  when: {
    started: '{ago} gestartet',
    today: 'heute um {clock} Uhr',
    tonight: 'heute Abend um {clock} Uhr',
    tomorrow: 'morgen um {clock} Uhr',
    yesterday: 'gestern um {clock} Uhr',
    onDay: '{day} um {clock} Uhr',
  },
}
