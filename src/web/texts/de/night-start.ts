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
  forbids: '„Heute nicht“ schließt ein Spiel aus',
  forbidsMeans: {
    on: 'Ein „Heute nicht“ genügt: Das Spiel kann nicht gewählt werden.',
    off: '„Heute nicht“ senkt nur die Chancen eines Spiels.',
    asGroup: 'Wie in deiner Gruppe eingestellt, außer du änderst es hier.',
    groupOn: 'Wie in deiner Gruppe eingestellt: Ein „Heute nicht“ genügt.',
    groupOff: 'Wie in deiner Gruppe eingestellt: Es senkt nur die Chancen eines Spiels.',
  },
  startNow: 'Jetzt starten',
  plan: 'Abend planen',
  starting: 'Wird gestartet …',
  failed: 'Der Spieleabend konnte nicht gestartet werden.',
}
