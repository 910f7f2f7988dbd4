import type { comparisonInFirst as englishComparison, groupInFirst as english } from '../en/in-first.ts'
import type { Translated } from '../types.ts'

export const groupInFirst: Translated<typeof english> = {
  notJoined: 'noch nicht beigetreten',
  moreMembers: '+{count}',
  shown: {
    legend: 'Angezeigte Spiele',
    together: 'Zusammen spielbar ({games, number})',
    all: 'Alle Spiele ({games, number})',
    hidden:
      '{games, plural, one {1 Einzelspieler-Spiel ausgeblendet} other {# Einzelspieler-Spiele ausgeblendet}}',
    none: 'Eure gemeinsamen Spiele sind alle für eine Person.',
  },
  empty: 'Keine gemeinsamen Spiele in dieser Gruppe gefunden.',
  commonGames: 'Gemeinsame Spiele',
  memberAddFailed: 'Das Mitglied konnte nicht hinzugefügt werden.',
  pictureFailed: 'Das Bild konnte nicht geändert werden.',
}

export const comparisonInFirst: Translated<typeof englishComparison> = {
  hours: 'Du: {you}\u202Fh | Freund: {friend}\u202Fh',
  empty: 'Keine gemeinsamen Spiele.',
}
