import type { comparisonOverlap as english } from '../en/comparison.ts'
import type { Translated } from '#shared/texts/types.ts'

export const comparisonOverlap: Translated<typeof english> = {
  people: 'Wer verglichen wird',
  with: 'und',
  legend: 'Angezeigte Spiele',
  parts: { mine: 'Nur du', both: 'Beide', theirs: 'Nur Freund' },
  games: '{count, plural, one {1 Spiel} other {# Spiele}}',
  noneInCommon: 'Ihr habt keine gemeinsamen Spiele.',
  playedByNeither:
    '{count, plural, =0 {Jedes eurer gemeinsamen Spiele hat mindestens einer von euch gespielt.} one {1 eurer gemeinsamen Spiele hat noch keiner von euch gespielt.} other {# eurer gemeinsamen Spiele hat noch keiner von euch gespielt.}}',
  alikeLabel: 'Gleiche Spielzeit:',
  alike: '{percent}\u00A0%',
  alikeMeaning:
    '{share} eurer Spielzeit entfallen auf dieselben Spiele: Von jedem Spiel zählt der kleinere eurer beiden Anteile.',
  alikeUnknown: 'Nicht bekannt, weil einer von euch noch nichts gespielt hat.',
  failed: 'Eure Gemeinsamkeiten konnten nicht geladen werden.',
  notKnown: {
    mine: {
      private: {
        reason: 'Deine Spieldetails sind auf Steam privat.',
        remedy:
          'Stelle „Spieldetails“ in den Privatsphäre-Einstellungen von Steam auf „Öffentlich“ und synchronisiere dann deine Spiele.',
      },
      never: {
        reason: 'Deine Spiele wurden noch nicht synchronisiert.',
        remedy: 'Synchronisiere sie unter „Meine Spiele“.',
      },
      hidden: {
        reason: 'Deine Bibliothek ist verborgen.',
        remedy: 'Auf deiner Kontoseite kannst du sie freigeben.',
      },
    },
    theirs: {
      ok: {
        reason: 'Eure Gemeinsamkeiten sind nicht bekannt.',
        remedy: 'Lade die Seite neu, um es noch einmal zu versuchen.',
      },
      private: {
        reason: 'Die Spieldetails dieses Freundes sind auf Steam privat.',
        remedy:
          'Sie lassen sich in den Privatsphäre-Einstellungen von Steam auf „Öffentlich“ stellen; synchronisiere danach die Spiele.',
      },
      never: {
        reason: 'Die Bibliothek dieses Freundes wurde noch nicht synchronisiert.',
        remedy: 'Synchronisiere die Spiele auf der Seite des Freundes.',
      },
      hidden: {
        reason: 'Die Bibliothek dieses Freundes ist verborgen.',
        remedy: 'Auf der eigenen Kontoseite lässt sie sich freigeben.',
      },
    },
    lists: {
      both: 'Welche Spiele ihr beide besitzt, ist nicht bekannt.',
      mine: 'Welche Spiele nur du besitzt, ist nicht bekannt.',
      theirs: 'Welche Spiele nur dein Freund besitzt, ist nicht bekannt.',
    },
  },
  lists: { mine: 'Spiele, die nur du besitzt', theirs: 'Spiele, die nur dein Freund besitzt' },
  none: { mine: 'Dein Freund besitzt alle deine Spiele.', theirs: 'Du besitzt alle Spiele deines Freundes.' },
  searchLabel: {
    mine: 'Spiele durchsuchen, die nur du besitzt',
    theirs: 'Spiele durchsuchen, die nur dein Freund besitzt',
  },
}
