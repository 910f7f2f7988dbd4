import type { nightTell as english } from '../en/night-tell.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightTell: Translated<typeof english> = {
  titles: {
    planned: 'Geplant. Sag den anderen Bescheid',
    dates: 'Termine vorgeschlagen. Sag den anderen Bescheid',
  },
  asked: 'Wer keine Benachrichtigungen hat, weiß noch nichts davon.',
  byLink: 'Bisher ist niemand eingeladen. Wer den Link hat, kann mitmachen.',
  label: 'Nachricht für euren Chat',
  copy: 'Nachricht kopieren',
  toNight: 'Zum Abend',
  planned: '{title}: {when} ({zone})',
  plannedForDiscord: '{title}: {when}',
  repeats: { week: 'Danach jede Woche.', two_weeks: 'Danach alle zwei Wochen.' },
  areYouIn: 'Seid ihr dabei? {url}',
  dates: '{title}: Welche Termine passen euch?',
  datesInZone: '{title}: Welche Termine passen euch? ({zone})',
  timeInZone: '{when} ({zone})',
}
