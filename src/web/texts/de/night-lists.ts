import type { nightLists as english } from '../en/night-lists.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightLists: Translated<typeof english> = {
  section: 'Spieleabende',
  start: 'Spieleabend starten',
  invite: 'Per Link einladen',
  tell: 'Den anderen Bescheid sagen',
  none: 'Nichts geplant. Frag, wer dabei ist, und stimmt über ein Spiel ab.',
  noneOfGroup:
    'Noch keine Spieleabende. Starte einen: Alle sagen, ob sie dabei sind, ihr stimmt ab, und ein Spiel wird gewählt.',
  failed: 'Spieleabende konnten nicht geladen werden',
  all: 'Alle Abende',
  allTitle: 'Spieleabende',
  ofGroup: 'Spieleabende von {name}',
  mine: 'Alle meine Abende',
  upcoming: 'Jetzt und geplant',
  decided: 'Entschieden',
  past: 'Vergangen',
  answerNow: 'Antworten',
  needsAnswer: 'deine Antwort fehlt',
  alsoAsk: 'Abende, die auch auf deine Antwort warten',
  asked: {
    legend: 'Bist du dabei?',
    in: 'Dabei',
    maybe: 'Vielleicht',
    out: 'Nicht dabei',
    open: 'Zum Spieleabend',
    failed: 'Deine Antwort konnte nicht gespeichert werden.',
  },
  answers: { in: 'Dabei', maybe: 'Vielleicht', out: 'Nicht dabei' },
  status: { cancelled: 'Abgesagt', over: 'Kein Spiel', tied: 'Auslosung offen' },
  hostedBy: 'Gastgeber: {host}',
  in: '{count, number}\u00A0dabei',
  dating:
    'Terminsuche · {answered} von {asked} haben geantwortet{partly, plural, =0 {} one {, # zum Teil} other {, # zum Teil}}',
  came: 'Dabei: {names}',
  more: '{names} und {count, plural, one {# weitere Person} other {# weitere}}',
}
