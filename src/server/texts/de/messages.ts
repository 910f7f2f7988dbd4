import type { Translated } from '#shared/texts/types.ts'
import type { messages as english } from '../en/messages.ts'

export const messages: Translated<typeof english> = {
  test: 'Das ist ein Test von Shelfmates: Hier kommen Nachrichten über Spieleabende an.',
  about: {
    planned: 'Ein Spieleabend ist geplant ({night}).',
    found: 'Der Termin des Spieleabends steht fest ({night}).',
    moved: 'Der Spieleabend wurde verschoben ({night}).',
    cancelled: 'Der Spieleabend wurde abgesagt ({night}).',
    started: 'Der Spieleabend beginnt jetzt ({night}).',
    decided: 'Der Spieleabend ist entschieden ({night}).',
  },
  decidedFor: 'Der Spieleabend ist entschieden ({night}): {game}.',
  what: {
    planned: 'Ein Spieleabend ist geplant.',
    found: 'Der Termin des Spieleabends steht fest.',
    moved: 'Der Spieleabend wurde verschoben.',
    cancelled: 'Der Spieleabend wurde abgesagt.',
    started: 'Der Spieleabend beginnt jetzt.',
    decided: 'Der Spieleabend ist entschieden.',
  },
  picked: 'Gewählt: {game}',
  inOfGroup: '{count} dabei · {group}',
  open: 'Öffnen',
  failures: {
    unreachable: 'Die Adresse ist nicht erreichbar.',
    not_public: 'Die Adresse liegt nicht im öffentlichen Internet.',
    too_slow: 'Die Adresse hat zu langsam geantwortet.',
    redirects: 'Die Adresse leitet weiter.',
    refused: 'Die Adresse hat mit {status} geantwortet.',
    unknown: 'Die Nachricht konnte nicht gesendet werden.',
    tooMany: 'Mehr als {count} Nachrichten in einer Stunde: Einige wurden nicht gesendet.',
  },
  givenUp: '{failure} Eine Nachricht wurde aufgegeben.',
  off: '{failure} Es wird nichts mehr gesendet.',
}
