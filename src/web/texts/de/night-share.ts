import type { nightShare as english } from '../en/night-share.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightShare: Translated<typeof english> = {
  share: 'Teilen',
  title: 'Wahl teilen',
  explained:
    'Alle mit dem Link sehen das Spiel, den Namen der Gruppe, Datum und Uhrzeit und wie viele dabei sind. Personen werden nicht genannt.',
  none: 'Gerade gibt es keinen Link.',
  onlyIn: 'Wer dabei ist, kann einen erstellen.',
  failed: 'Der Link konnte nicht geladen werden',
  create: 'Link erstellen',
  creating: 'Wird erstellt …',
  link: 'Link',
  copy: 'Link kopieren',
  openPicture: 'Bild öffnen',
  inNewTab: '(öffnet in neuem Tab)',
  switchOff: 'Ausschalten',
  switchingOff: 'Wird ausgeschaltet …',
  switchedOff: 'Der Link ist ausgeschaltet.',
  switchOffTitle: 'Link ausschalten?',
  switchOffText: 'Die Seite und das Bild dahinter lassen sich dann nicht mehr öffnen.',
  changeFailed: 'Der Link konnte nicht geändert werden.',
}
