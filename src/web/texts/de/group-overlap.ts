import type { groupOverlap as english } from '../en/group-overlap.ts'
import type { Translated } from '#shared/texts/types.ts'

export const groupOverlap: Translated<typeof english> = {
  title: 'Wer mit wem wie viele Spiele gemeinsam hat',
  hint: 'Wie viele Spiele je zwei Mitglieder beide besitzen. Auf der Diagonale: wie viele jedes Mitglied besitzt.',
  failed: 'Wer mit wem wie viele Spiele gemeinsam hat, konnte nicht geladen werden.',
  tooFew: 'Dafür müssen die Bibliotheken von mindestens zwei Mitgliedern verfügbar sein.',
  most: '{games, plural, one {{first} und {second} haben am meisten gemeinsam: 1 Spiel.} other {{first} und {second} haben am meisten gemeinsam: # Spiele.}}',
  noneShared: 'Keine zwei Mitglieder besitzen dasselbe Spiel.',
  missing:
    '{members, plural, one {Die Bibliothek von 1 Mitglied ist nicht verfügbar.} other {Die Bibliotheken von # Mitgliedern sind nicht verfügbar.}}',
  member: 'Mitglied',
  showAll: 'Alle {members} Mitglieder anzeigen',
}
