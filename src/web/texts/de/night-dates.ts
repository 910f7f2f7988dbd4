import type { nightDates as english } from '../en/night-dates.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightDates: Translated<typeof english> = {
  propose: {
    evenings: 'Abende um {clock} Uhr',
    week: 'Diese Woche',
    weekend: 'Nächstes Wochenende',
    other: 'Anderer Tag oder andere Zeit',
    add: 'Termin hinzufügen',
    wrong: 'Wähle einen Zeitpunkt innerhalb des nächsten Jahres.',
    twice: 'Dieser Termin steht schon auf der Liste.',
    full: 'Mehr als {max} Termine sind nicht möglich.',
    chosen:
      '{count, plural, =0 {Wähle mindestens zwei Termine.} one {1 von {max} Terminen. Wähle mindestens zwei.} other {# von {max} Terminen}}',
    list: 'Vorgeschlagene Termine',
    remove: '{time} entfernen',
    deadline: 'Frist (optional)',
    deadlineHint: 'Dann wird der beste Termin automatisch übernommen.',
    deadlineWrong: 'Wähle einen Zeitpunkt zwischen jetzt und dem letzten Termin.',
    submit: 'Termin suchen',
  },

  title: 'Wann kannst du spielen?',
  explained:
    'Mit „Ja“ bist du dabei, wenn der Termin gewählt wird. Die Leute dieses Abends sehen dann, welche Spiele der Liste du besitzt.',
  proposed: '{count, plural, one {1 Termin zur Wahl} other {# Termine zur Wahl}}',
  answered:
    '{answered} von {asked} haben geantwortet{partly, plural, =0 {} one {, # zum Teil} other {, # zum Teil}}',
  deadline: 'Der beste Termin wird automatisch gewählt: {when}.',
  deadlinePassed: {
    leads: 'Die Frist ist vorbei, und niemand konnte. Wähle einen Termin oder sag den Abend ab.',
    others: 'Die Frist ist vorbei, und niemand konnte. Der Gastgeber wählt einen Termin.',
  },
  agreed: 'Sobald alle geantwortet haben und ein Termin vorn liegt, wird er automatisch gewählt.',
  legend: 'Kannst du {time}?',
  options: { yes: 'Ja', maybe: 'Zur Not', no: 'Nein' },
  who: { yes: 'Kann', maybe: 'Zur Not', no: 'Kann nicht', missing: 'Keine Antwort' },
  passed: 'Vorbei',
  best: 'Bisher am besten',
  failed: 'Deine Antwort konnte nicht gespeichert werden.',
  none: 'Keiner davon',
  noneTitle: 'Kannst du an keinem dieser Termine?',
  noneText:
    'Deine Antworten werden entfernt, und die anderen warten nicht mehr auf dich. Antworte zu einem Termin, um zurückzukommen.',
  isOut: 'Du kannst an keinem dieser Termine. Antworte zu einem, um zurückzukommen.',
  take: 'Diesen Termin wählen',
  takeTitle: 'Termin {time} wählen?',
  takeText:
    'Aus „Ja“ wird „Dabei“, aus „Zur Not“ wird „Vielleicht“, aus „Nein“ wird „Nicht dabei“. Danach kann niemand mehr zu den Terminen antworten.',
  takeFailed: 'Der Termin konnte nicht gewählt werden.',
  people: 'Wer ist eingeladen?',
  asked: 'Eingeladen',
  changed: {
    found: 'Der Termin steht fest: {when}',
    answered: '{name} hat zu den Terminen geantwortet',
  },
}
