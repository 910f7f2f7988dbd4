/** Texts of lists of games. */
import type * as english from '../en/games.ts'
import type { Translated } from '#shared/texts/types.ts'

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
  totalHours: '{hours, number}\u00A0h gesamt',
  noMatch: 'Keine passenden Spiele.',
  showAll: 'Alle Spiele anzeigen',
  features: {
    online_coop: 'Online-Koop',
    online_versus: 'Online-PvP',
    same_screen: 'Ein Bildschirm',
    remote_play: 'Remote Play Together',
    cross_platform: 'Crossplay',
  },
  unknownModes: 'Spielmodi unbekannt',
  players: { any: 'Beliebig viele', exactly: 'Für {max}', upTo: 'Bis zu {max}' },
}
