import type {
  comparison as englishComparison,
  friendGames as english,
  gameFriends as englishFriends,
  myGames as englishMine,
} from '../en/others-games.ts'
import type { Translated } from '#shared/texts/types.ts'
import { comparisonInFirst, myGamesInFirst } from './in-first.ts'

export const friendGames: Translated<typeof english> = {
  title: 'Spiele eines Freundes',
  heading: 'Spiele von {name}',
  choose: 'Wähle einen Freund aus, um seine Spiele zu sehen.',
  nobody:
    'Die Steam-ID in dieser Adresse kann niemandem gehören. Vielleicht hat sich jemand vertippt. Wähle einen Freund aus, um seine Spiele zu sehen.',
  searchLabel: 'Diese Spiele durchsuchen',
  compare: 'Mit meinen vergleichen',
  sync: 'Spiele synchronisieren',
  empty: 'Ups! Die Spiele dieses Freundes haben wir anscheinend noch nicht.',
  failed: 'Die Spiele des Freundes konnten nicht geladen werden.',
  former: 'Ihr seid auf Steam nicht mehr befreundet, deshalb können die Spiele nicht angezeigt werden.',
  formerRemedy: 'Falls doch, drück auf der Seite „Freunde“ auf „Freunde synchronisieren“.',
  syncing: 'Die Spiele werden gerade von Steam geladen und erscheinen hier von selbst.',
}

export const comparison: Translated<typeof englishComparison> = {
  ...comparisonInFirst,
  title: 'Spielevergleich',
  list: 'Spiele, die ihr beide besitzt',
  chooseFriend: 'Wähle einen Freund aus, um eure Spiele zu vergleichen!',
  failed: 'Die gemeinsamen Spiele konnten nicht geladen werden.',
  loading: 'Eure Spiele werden verglichen …',
  theirGames: 'Alle Spiele des Freundes',
  toMyGames: 'Zu „Meine Spiele“',
  searchLabel: 'Gemeinsame Spiele durchsuchen',
  sorts: {
    both: 'Von beiden viel gespielt',
    combined: 'Meiste Stunden insgesamt',
    mine: 'Von dir am meisten',
    theirs: 'Vom Freund am meisten',
    alphabetical: 'Alphabetisch',
  },
  people: 'Wer verglichen wird',
  with: 'und',
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
  },
}

export const gameFriends: Translated<typeof englishFriends> = {
  title: 'Freunde mit {game}',
  unknownGame: 'diesem Spiel',
  empty: 'Keiner deiner Freunde spielt dieses Spiel.',
  failed: 'Die Freunde konnten nicht geladen werden.',
  yours: 'Deine Spielzeit',
  list: 'Freunde',
  compare: 'Vergleichen',
  compareWith: 'Mit {name} vergleichen',
  unavailable:
    '{friends, plural, one {Vielleicht besitzt es noch 1 Freund, dessen Bibliothek nicht verfügbar ist: {reasons}.} other {Vielleicht besitzen es noch # Freunde, deren Bibliotheken nicht verfügbar sind: {reasons}.}}',
}

export const myGames: Translated<typeof englishMine> = {
  ...myGamesInFirst,
  title: 'Meine Spiele',
  compare: 'Mit Freunden vergleichen',
  empty:
    'Keine Spiele gefunden. Drück oben auf „Spiele synchronisieren“, um deine Bibliothek von Steam zu holen.',
  searchLabel: 'Meine Spiele durchsuchen',
  privateTitle: 'Deine Spieldetails sind auf Steam privat',
  privateHint:
    'Stell in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Spieldetails“ auf „Öffentlich“. Drück dann auf „Spiele synchronisieren“.',
  noPlaytimeTitle: 'Steam zeigt für deine Spiele keine Spielzeit an',
  noPlaytimeHint:
    'Falls du einige davon gespielt hast: Entferne in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen das Häkchen, das deine Gesamtspielzeit immer privat hält. Drück dann auf „Spiele synchronisieren“.',
  privateStored: 'Früher synchronisierte Spiele sind noch da.',
}
