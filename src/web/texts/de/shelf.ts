import type { shelf as english } from '../en/shelf.ts'
import type { Translated } from '../types.ts'

export const shelf: Translated<typeof english> = {
  toGames: 'Alle meine Spiele',
  played: 'Gespielt',
  never: 'Nie gespielt',
  playedTitle: 'Gespielt und nie gespielt',
  playedShare: '{percent}\u00A0%',
  playedShareBelow: 'gespielt',
  totals: { hours: 'Stunden insgesamt', perGame: 'Stunden pro gespieltem Spiel' },
  spread: 'Stunden pro Spiel',
  spreadHint: 'Wie viele deiner Spiele du wie lange gespielt hast.',
  spans: {
    never: 'Nie',
    minutes: 'Unter 1\u202Fh',
    few: '1–10\u202Fh',
    some: '10–50\u202Fh',
    many: '50–200\u202Fh',
    most: '200\u202Fh und mehr',
  },
  recent: 'Letzte zwei Wochen',
  recentTotal: '{games, plural, one {{time} in 1 Spiel} other {{time} in # Spielen}}',
  recentNone: 'Keine Spielzeit in den letzten zwei Wochen.',
  showAll: 'Alle {games, number} anzeigen',
  months: 'Monat für Monat',
  monthsFailed: 'Deine Spielzeit nach Monaten konnte nicht geladen werden.',
  since: 'Gezählt seit dem {date}; was du davor gespielt hast, steckt nur in den Gesamtzahlen.',
  notCounted:
    'Gezählt wird ab deiner nächsten Synchronisierung: Was du von da an spielst, wird seinem Monat zugeordnet.',
  monthsNone: 'Seitdem ist nichts dazugekommen. Komm wieder, wenn du gespielt und synchronisiert hast.',
  chooseMonth: 'Monat',
  ofMonth: '{month}: {time}',
  monthEmpty: 'Keine Spielzeit in diesem Monat.',
  mostPlayed: 'Meistgespielt in diesem Monat',
  empty: {
    never: 'Dein Regal füllt sich, sobald deine Spiele synchronisiert sind.',
    private: 'Dein Regal bleibt leer, solange deine Spiele auf Steam privat sind.',
    ok: 'In deiner Steam-Bibliothek sind noch keine Spiele.',
  },
  toSync: 'Zu „Meine Spiele“',
}
