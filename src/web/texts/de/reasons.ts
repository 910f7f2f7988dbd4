import type { reasons as english } from '../en/reasons.ts'
import type { Translated } from '#shared/texts/types.ts'

export const reasons: Translated<typeof english> = {
  ownSome: '{owners, plural, one {1 von {known} besitzt es} other {# von {known} besitzen es}}',
  ownNotKnown:
    '{owners, plural, one {1 besitzt es, bei {unknown} unbekannt} other {# besitzen es, bei {unknown} unbekannt}}',
  ownNotKnownOf:
    '{owners, plural, one {1 besitzt es, bei {names} unbekannt} other {# besitzen es, bei {names} unbekannt}}',
  ownAll: '{people, plural, =2 {beide besitzen es} one {1 besitzt es} other {alle # besitzen es}}',
  more: '{count, plural, one {1 weiteren} other {# weiteren}}',
  ways: {
    online_coop: 'Online-Koop',
    online_versus: 'Online-PvP',
    online: 'Online-Mehrspieler',
    same_screen: 'am selben Bildschirm',
    remote_play: 'Remote Play Together',
    coop: 'Koop',
    multi: 'Mehrspieler',
    unknown: 'nicht bekannt, ob man es zusammen spielen kann',
  },
  pickedLast: 'letztes Mal gewählt',
  thisMonth: {
    alone: 'diesen Monat gespielt',
    both: 'beide haben es diesen Monat gespielt',
    all: 'alle haben es diesen Monat gespielt',
    some: '{count, plural, one {eine Person hat es diesen Monat gespielt} other {{number} haben es diesen Monat gespielt}}',
  },
  nobody: 'noch von niemandem gespielt',
  played: {
    both: 'beide haben es schon gespielt',
    all: 'alle haben es schon gespielt',
    some: '{count, plural, one {eine Person hat es schon gespielt} other {{number} haben es schon gespielt}}',
  },
  newTo: '{count, plural, one {neu für eine Person} other {neu für {number}}}',
  picked: {
    overAYear: 'seit über einem Jahr nicht gewählt',
    notFor: '{weeks, plural, one {seit 1 Woche nicht gewählt} other {seit # Wochen nicht gewählt}}',
    underAWeek: 'vor weniger als einer Woche gewählt',
    ago: '{weeks, plural, one {vor einer Woche gewählt} other {vor # Wochen gewählt}}',
  },
  numbers: ['eine', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'],
}
