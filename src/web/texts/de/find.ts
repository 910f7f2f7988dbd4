import type { find as english, keyList as englishKeys } from '../en/find.ts'
import type { Translated } from '#shared/texts/types.ts'

export const find: Translated<typeof english> = {
  title: 'Suchen',
  placeholder: 'Freund, Spiel, Gruppe oder Seite',
  list: 'Ergebnisse',
  sections: { friends: 'Freunde', games: 'Meine Spiele', groups: 'Gruppen', screens: 'Seiten' },
  more: {
    friends: 'Weitere Freunde',
    games: 'Weitere meiner Spiele',
    groups: 'Weitere Gruppen',
    screens: 'Weitere Seiten',
  },
  ofAll: '{shown} von {total, number}',
  found:
    '{results, plural, one {1 Ergebnis. Die Eingabetaste öffnet {name}.} other {# Ergebnisse. Die Eingabetaste öffnet {name}.}}',
  none: 'Nichts gefunden.',
  failed: {
    friends: 'Deine Freunde konnten nicht geladen werden.',
    games: 'Deine Spiele konnten nicht geladen werden.',
    groups: 'Deine Gruppen konnten nicht geladen werden.',
  },
  allKeys: 'Alle Tasten',
  open: 'öffnen',
  move: 'auswählen',
}

export const keyList: Translated<typeof englishKeys> = {
  title: 'Tasten',
  keys: { ctrlK: 'Strg+K', enter: 'Eingabe', space: 'Leertaste' },
  find: 'Freund, Spiel, Gruppe oder Seite suchen',
  list: 'Diese Liste zeigen',
  move: 'Durch die Ergebnisse einer Suche gehen',
  choose: 'Markiertes Ergebnis öffnen oder auswählen',
  chooseSeveral: 'Eine von mehreren Personen aus- oder abwählen',
  close: 'Offenes Fenster schließen',
  tab: 'Zum nächsten Bedienelement',
  or: 'oder',
  single: 'Die Tasten {keys} verwenden',
  singleHint: 'Schalte das aus, wenn du diktierst oder Tasten versehentlich drückst. Strg+K bleibt.',
}
