import type { nightCalendarFeed as english } from '../en/night-calendar.ts'
import type { Translated } from '../types.ts'

export const nightCalendarFeed: Translated<typeof english> = {
  title: 'Spieleabende in deinem Kalender',
  explained:
    'Deine Kalender-App kann deine geplanten Spieleabende abonnieren. Sie merkt dann, wenn sich einer ändert oder abgesagt wird.',
  none: 'Das ist ausgeschaltet: Keine Adresse führt zu deinen Abenden.',
  secret: 'Behalte die Adresse für dich: Wer sie hat, kann deine geplanten Abende lesen.',
  failed: 'Dein Kalender konnte nicht geladen werden',
  create: 'Adresse erstellen',
  creating: 'Wird erstellt …',
  address: 'Adresse deines Kalenders',
  copy: 'Adresse kopieren',
  renew: 'Erneuern',
  renewing: 'Wird erneuert …',
  renewed: 'Das ist die neue Adresse. Die alte gilt nicht mehr.',
  renewTitle: 'Adresse erneuern?',
  renewText:
    'Kalender mit der bisherigen Adresse werden nicht mehr aktualisiert, bis du ihnen die neue gibst.',
  switchOff: 'Ausschalten',
  switchingOff: 'Wird ausgeschaltet …',
  switchedOff: 'Der Kalender ist ausgeschaltet.',
  switchOffTitle: 'Kalender ausschalten?',
  switchOffText: 'Kalender mit dieser Adresse werden nicht mehr aktualisiert.',
  changeFailed: 'Dein Kalender konnte nicht geändert werden.',
}
