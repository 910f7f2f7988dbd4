import type { reportTexts as english } from '../en/report-group.ts'
import type { Translated } from '../types.ts'

export const reportTexts: Translated<typeof english> = {
  button: 'Gruppe melden',
  title: 'Gruppe melden',
  text: 'Der Betreiber dieser Seite sieht Name, Bild und Besitzer der Gruppe und deine Begründung. Die Gruppe erfährt nichts davon.',
  what: 'Was stimmt nicht?',
  about: { name: 'Der Name', picture: 'Das Bild' },
  reason: 'Warum?',
  send: 'Meldung senden',
  close: 'Schließen',
  sending: 'Wird gesendet …',
  sent: 'Danke. Der Betreiber sieht es sich an.',
  failed: 'Die Gruppe konnte nicht gemeldet werden.',
  cancel: 'Abbrechen',
  reasonMissing: 'Sag in ein paar Worten, warum.',
}
