import type {
  comparisonInFirst as englishComparison,
  groupInFirst as english,
  libraryInFirst as libraryEnglish,
  friendsInFirst as friendsEnglish,
  myGamesInFirst as myGamesEnglish,
} from '../en/in-first.ts'
import type { Translated } from '#shared/texts/types.ts'

export const groupInFirst: Translated<typeof english> = {
  notJoined: 'noch nicht beigetreten',
  moreMembers: '+{count}',
  counted: '{counted} von {all} gezählt',
  without: 'ohne {names}',
  onlyMine: 'für andere ohne {names}',
  shown: {
    legend: 'Angezeigte Spiele',
    together: 'Zusammen spielbar ({games, number})',
    all: 'Besitzen alle ({games, number})',
    hidden:
      '{games, plural, one {1 Einzelspieler-Spiel ausgeblendet} other {# Einzelspieler-Spiele ausgeblendet}}',
    none: 'Eure gemeinsamen Spiele sind alle für eine Person.',
  },
  free: 'Kostenlos',
  empty: 'Keine gemeinsamen Spiele in dieser Gruppe gefunden.',
  commonGames: 'Gemeinsame Spiele',
  memberAddFailed: 'Das Mitglied konnte nicht hinzugefügt werden.',
  pictureFailed: 'Das Bild konnte nicht geändert werden.',
}

export const comparisonInFirst: Translated<typeof englishComparison> = {
  hours: 'Du: {you}\u202Fh | Freund: {friend}\u202Fh',
  empty: 'Keine gemeinsamen Spiele.',
}

export const libraryInFirst: Translated<typeof libraryEnglish> = {
  toPrivacy: 'Privatsphäre-Einstellungen von Steam öffnen',
  inNewTab: '(öffnet Steam in einem neuen Tab)',
  theirs: {
    private: 'Die Spieldetails von {name} sind privat',
    never: 'Die Bibliothek von {name} ist noch nicht synchronisiert',
    hidden: 'Die Bibliothek von {name} ist verborgen',
    unjoined: '{name} ist noch nicht beigetreten',
    unseen: 'Die Bibliothek von {name} ist verborgen, bis du beitrittst',
  },
  friend: {
    private: 'Die Spieldetails dieses Freundes sind auf Steam privat.',
    never: 'Die Bibliothek dieses Freundes wurde noch nicht synchronisiert.',
    hidden: 'Die Bibliothek dieses Freundes ist verborgen.',
  },
}

export const friendsInFirst: Translated<typeof friendsEnglish> = {
  playing: 'Spielt {game}',
  presence: { online: 'Online', away: 'Abwesend', offline: 'Offline' },
  privateExplained:
    'Deine Freundesliste ist auf Steam privat. Stell in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Freundesliste“ auf „Öffentlich“. Drück dann auf „Freunde synchronisieren“.',
  none: 'Deine Freundesliste auf Steam ist leer.',
  empty: 'Keine Freunde gefunden.',
  sync: 'Freunde synchronisieren',
  count: '{friends, plural, one {1 Freund} other {# Freunde}}',
  failed: 'Freunde konnten nicht geladen werden',
}

export const myGamesInFirst: Translated<typeof myGamesEnglish> = {
  sync: 'Spiele synchronisieren',
  privateExplained:
    'Deine Spieldetails sind auf Steam privat. Stell in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Spieldetails“ auf „Öffentlich“. Drück dann auf „Spiele synchronisieren“.',
  failed: 'Spiele konnten nicht geladen werden',
  played: '{playtime}',
}
