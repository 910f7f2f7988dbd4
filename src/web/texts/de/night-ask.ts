import type { nightAsk as english } from '../en/night-ask.ts'
import type { Translated } from '../types.ts'

export const nightAsk: Translated<typeof english> = {
  title: 'Weitere einladen',
  find: 'Freunde suchen',
  list: 'Freunde, die du einladen kannst',
  failedToLoad: 'Freunde konnten nicht geladen werden',
  none: 'Alle deine Freunde gehören zu diesem Abend. Andere können über den Link beitreten.',
  choose: 'Wähle mindestens einen Freund aus.',
  room: '{room, plural, one {Du kannst noch eine Person einladen.} other {Wähle höchstens # Freunde aus.}}',
  full: 'Mehr Leute kann dieser Abend nicht haben.',
  ask: '{count, plural, one {1 Person einladen} other {# Personen einladen}}',
  asking: 'Wird eingeladen …',
  failed: 'Die Einladung ist fehlgeschlagen.',
}
