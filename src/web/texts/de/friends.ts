/** Texts of the Friends screen and of the friend search, in German. */
import type * as english from '../en/friends.ts'
import type { Translated } from '../types.ts'
import { friendsInFirst } from './in-first.ts'

export const friends: Translated<typeof english.friends> = {
  ...friendsInFirst,
  title: 'Freunde',
  trySyncing: 'Freunde jetzt synchronisieren',
  online: '{friends, number} online',
  searchLabel: 'Meine Freunde durchsuchen',
  searchPlaceholder: 'Freunde suchen …',
  noMatch: 'Keine passenden Freunde.',
  showAll: 'Alle Freunde anzeigen',
  neverSynced: 'Drück oben auf „Freunde synchronisieren“, um deine Steam-Freunde hinzuzufügen.',
  privateTitle: 'Deine Freundesliste ist auf Steam privat',
  privateHint:
    'Stell in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Freundesliste“ auf „Öffentlich“. Drück dann auf „Freunde synchronisieren“.',
  privateStored: 'Früher synchronisierte Freunde sind noch da.',
}

export const friendSearch: Translated<typeof english.friendSearch> = {
  label: 'Freund',
  placeholder: 'Freund suchen …',
  empty: 'Keine Freunde gefunden',
  loading: 'Freunde werden geladen …',
  clear: 'Suche leeren',
  picks: 'Freunde mit synchronisierter Bibliothek',
  toFriends: 'Zu den Freunden',
  enterChooses: 'Eingabetaste wählt {name}',
  library: {
    private: 'Bibliothek privat',
    hidden: 'Bibliothek verborgen',
    never: 'noch nicht synchronisiert',
  },
}

export const peoplePicker: Translated<typeof english.peoplePicker> = {
  chosen: '{people, number} ausgewählt',
  none: 'Noch niemand ausgewählt',
  chosenList: 'Ausgewählte Freunde',
  remove: '{name} entfernen',
}
