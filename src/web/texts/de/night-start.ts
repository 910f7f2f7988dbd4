import type { nightStart as english } from '../en/night-start.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightStart: Translated<typeof english> = {
  title: 'Spieleabend starten',
  who: 'Wer wird eingeladen?',
  friends: 'Freunde, die ich auswähle',
  everyoneIn: 'Alle in {group} werden eingeladen.',
  leaveOut: 'Jemanden auslassen',
  leftOut:
    '{count, plural, one {1 Mitglied wird nicht eingeladen.} other {# Mitglieder werden nicht eingeladen.}}',
  isAsked: 'Mitglieder, die eingeladen werden',
  membersFailed: 'Mitglieder konnten nicht geladen werden',
  find: 'Freunde suchen',
  list: 'Freunde, die du einladen kannst',
  noFriends:
    'Keine Freunde zur Auswahl. Vielleicht ist deine Freundesliste auf Steam privat oder noch nicht synchronisiert.',
  toFriends: 'Zu den Freunden',
  friendsFailed: 'Freunde konnten nicht geladen werden',
  byLink: 'Niemand ausgewählt: Du bekommst einen Link zum Verschicken.',
  tooMany: 'Wähle höchstens {max} Freunde aus.',
  when: 'Wann?',
  whens: { now: 'Jetzt', planned: 'Später', dates: 'Termin finden' },
  time: 'Datum und Uhrzeit',
  timeWrong: 'Wähle einen Zeitpunkt innerhalb des nächsten Jahres.',
  name: 'Titel (optional)',
  startNow: 'Jetzt starten',
  plan: 'Abend planen',
  starting: 'Wird gestartet …',
  failed: 'Der Spieleabend konnte nicht gestartet werden.',
}
