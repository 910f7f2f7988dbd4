import type { Translated } from '#shared/texts/types.ts'
import type { share as english } from '../en/share.ts'

export const share: Translated<typeof english> = {
  untitled: 'Spieleabend',
  findingDate: 'Der Termin wird noch gesucht',
  in: '{count, plural, one {1 ist dabei} other {# sind dabei}}',
  joined: '{count, plural, one {1 Mitglied ist beigetreten} other {# Mitglieder sind beigetreten}}',
  invites: '{name} lädt dich ein',
  play: 'Seht, was ihr alle spielen könnt',
  goneTitle: 'Nicht gefunden',
  gone: 'Dieser Link gilt nicht mehr',
  askForNew: 'Bitte um einen neuen.',
  demo: 'Das ist eine öffentliche Demo: Fremde haben geschrieben, was du hier siehst, und alles wird regelmäßig gelöscht.',
  nextReset: 'Nächstes Zurücksetzen um {time}.',
}
