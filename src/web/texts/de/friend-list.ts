import type { friendList as english, ownerList as englishOwners } from '../en/friend-list.ts'
import type { Translated } from '#shared/texts/types.ts'

export const friendList: Translated<typeof english> = {
  searchHint:
    'Durchsucht {friends, plural, one {1 Freund} other {alle # Freunde}}. Die Suche deines Browsers (Strg+F) findet nur, wer gerade auf dem Bildschirm ist.',
  filter: 'Welche Freunde',
  filters: {
    all: 'Alle',
    playing: 'Im Spiel',
    online: 'Online',
    private: 'Privat',
    joined: 'Bei Shelfmates',
  },
  sort: 'Sortierung',
  sorts: {
    presence: 'Status',
    name: 'Name',
    common: 'Gemeinsame Spiele',
  },
  common: '{games, plural, one {1 gemeinsames Spiel} other {# gemeinsame Spiele}}',
  former: 'Auf Steam nicht mehr befreundet',
  formerRemedy: 'Zum Aktualisieren Freunde synchronisieren',
}

export const ownerList: Translated<typeof englishOwners> = {
  searchLabel: 'Diese Freunde durchsuchen',
  toGame: 'Zur Seite von {game}',
  plays: 'Spielen es',
  owns: 'Besitzen es, nie gespielt',
  notMine: 'Nicht in deiner Bibliothek',
  sorts: {
    hours: 'Meistgespielt',
    presence: 'Status',
    name: 'Name',
  },
}
