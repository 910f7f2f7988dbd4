import type { nightTell as english } from '../en/night-tell.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightTell: Translated<typeof english> = {
  label: 'Nachricht für euren Chat',
  copy: 'Nachricht kopieren',
  now: '{title}: Wir fangen jetzt an.',
  planned: '{title}: {when} ({zone})',
  plannedForDiscord: '{title}: {when}',
  repeats: { week: 'Danach jede Woche.', two_weeks: 'Danach alle zwei Wochen.' },
  areYouIn: 'Seid ihr dabei? {url}',
  dates: '{title}: Welche Termine passen euch?',
  datesInZone: '{title}: Welche Termine passen euch? ({zone})',
  timeInZone: '{when} ({zone})',
}
