/** Texts of My Games and of lists of games, in German. */
import type * as english from '../en/games.ts'
import type { Translated } from '../types.ts'

export const myGames: Translated<typeof english.myGames> = {
  title: 'Meine Spiele',
  sync: 'Spiele synchronisieren',
  compare: 'Mit Freunden vergleichen',
  empty:
    'Keine Spiele gefunden. Klick oben auf „Spiele synchronisieren“, um deine Bibliothek von Steam zu holen.',
  failed: 'Spiele konnten nicht geladen werden',
  played: '{playtime} gespielt',
  searchLabel: 'Meine Spiele durchsuchen',
  privateTitle: 'Deine Spieldetails sind auf Steam privat',
  privateHint:
    'Stell in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Spieldetails“ auf „Öffentlich“. Drück dann auf „Spiele synchronisieren“.',
  privateExplained:
    'Deine Spieldetails sind auf Steam privat. Stell in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Spieldetails“ auf „Öffentlich“. Drück dann auf „Spiele synchronisieren“.',
  noPlaytimeTitle: 'Steam zeigt für deine Spiele keine Spielzeit an',
  noPlaytimeHint:
    'Falls du einige davon gespielt hast: Entferne in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen das Häkchen, das deine Gesamtspielzeit immer privat hält. Drück dann auf „Spiele synchronisieren“.',
  privateStored: 'Früher synchronisierte Spiele sind noch da.',
}

export const gameView: Translated<typeof english.gameView> = {
  sortLabel: 'Sortieren',
  sorts: {
    playtime: 'Meiste Spielzeit',
    alphabetical: 'Alphabetisch',
    recent: 'Zuletzt gespielt',
    least: 'Am wenigsten gespielt',
  },
  modeLabel: 'Spielmodus',
  count: '{games, plural, one {1 Spiel} other {# Spiele}}',
  hours: '{hours, number}\u00A0h',
  totalHours: '{hours, number}\u00A0h insgesamt',
  noMatch: 'Keine passenden Spiele.',
  showAll: 'Alle Spiele anzeigen',
  features: {
    online_coop: 'Online-Koop',
    online_versus: 'Gegeneinander online',
    same_screen: 'Am selben Bildschirm',
    remote_play: 'Remote Play Together',
    cross_platform: 'Plattformübergreifend',
  },
  unknownModes: 'Spielmodi unbekannt',
  players: { any: 'Beliebig viele', exactly: 'Für {max}', upTo: 'Bis zu {max}' },
}
