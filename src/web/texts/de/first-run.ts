import type { firstRun as english } from '../en/first-run.ts'
import type { Translated } from '../types.ts'

export const firstRun: Translated<typeof english> = {
  title: 'Drei Schritte zu deinem ersten Spieleabend',
  games: 'Spiele synchronisieren',
  gamesWhy: 'Füge deine Steam-Bibliothek zu Shelfmates hinzu. Das dauert nur ein paar Sekunden.',
  friends: 'Freunde synchronisieren',
  friendsWhy: 'Ihre Bibliotheken werden danach im Hintergrund synchronisiert.',
  then: 'Als Nächstes: deine Freunde, und dann, wer heute Abend mitspielt.',
  group: 'Wer spielt heute Abend mit?',
  groupWhy: 'Wähle Freunde, um zu sehen, welche Spiele ihr alle spielen könnt.',
  chosen: '{friends} ausgewählt. Daraus wird die Gruppe „{group}“; den Namen kannst du später ändern.',
  find: 'Freund suchen',
  see: 'Zeig, was wir spielen können',
  looking: 'Wird gesucht …',
  done: 'erledigt',
  private: 'auf Steam privat',
}
