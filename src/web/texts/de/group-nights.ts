import type { groupNights as english, webhookTexts as englishWebhook } from '../en/group-nights.ts'
import type { Translated } from '#shared/texts/types.ts'

export const groupNights: Translated<typeof english> = {
  title: 'Spieleabende',
  failed: 'Die Einstellungen konnten nicht geladen werden.',
  forbids: '„Heute nicht“ schließt ein Spiel aus',
  forbidsHint: 'Gilt für Abende, die ab jetzt starten, wenn der Gastgeber nichts anderes einstellt.',
  shares: 'Die Wahl darf per Link geteilt werden',
  sharesHint:
    'Ohne Konto sieht man das Spiel, den Namen dieser Gruppe, Datum und Uhrzeit und wie viele dabei sind.',
  saved: 'Gespeichert.',
  stopTitle: 'Wahl nicht mehr teilen?',
  stopText:
    'Alle Links zu Wahlen dieser Gruppe funktionieren dann endgültig nicht mehr, auch wenn du das Teilen wieder erlaubst.',
  stop: 'Nicht mehr teilen',
  messages: 'Nachrichten einrichten',
  messagesHint:
    'Sag einem Discord-Kanal oder einem anderen Dienst Bescheid, wenn ein Abend geplant ist, beginnt und entschieden ist.',
}

export const webhookTexts: Translated<typeof englishWebhook> = {
  title: 'Nachrichten über Spieleabende',
  about: 'Für alle Abende dieser Gruppe.',
  none: 'Es ist kein Webhook eingerichtet. Wer die Gruppe übernimmt, richtet einen eigenen ein; der des bisherigen Besitzers wird entfernt.',
  explained:
    'Nachrichten gehen raus, wenn ein Termin gesucht wird, wenn ein Abend geplant, verschoben, entschieden oder abgesagt wird und wenn er beginnt. Dazu kommen Erinnerungen einen Tag und eine halbe Stunde vorher. Keine Nachricht nennt Personen.',
  failed: 'Der Webhook konnte nicht geladen werden.',
  url: 'Webhook-URL',
  urlHint: {
    discord: 'In Discord: Servereinstellungen > Integrationen > Webhooks > Webhook-URL kopieren.',
    json: 'Deine eigene https-Adresse. Sie bekommt für jede Nachricht eine POST-Anfrage mit JSON.',
  },
  urlMissing: 'Gib eine Webhook-URL ein.',
  format: 'Format',
  formats: { discord: 'Discord', json: 'JSON' },
  set: 'Webhook speichern',
  setting: 'Wird gespeichert …',
  saved: 'Webhook gespeichert.',
  saveFailed: 'Der Webhook konnte nicht gespeichert werden.',
  secret: 'Geheimer Schlüssel',
  secretHint:
    'Damit werden die Nachrichten signiert (X-Shelfmates-Signature). Zu einer neuen Adresse gehört ein neuer.',
  copySecret: 'Schlüssel kopieren',
  state: 'Status',
  never: 'Es wurde noch keine Nachricht gesendet.',
  accepted: 'Die letzte Nachricht wurde {time} angenommen.',
  lastFailure: 'Letzter Fehler {time}: {reason}',
  waiting:
    '{count, plural, one {1 Nachricht wartet auf den Versand.} other {# Nachrichten warten auf den Versand.}}',
  test: 'Test senden',
  testing: 'Wird gesendet …',
  tested: 'Der Test ist unterwegs.',
  testFailed: 'Der Test konnte nicht gesendet werden.',
  remove: 'Webhook entfernen',
  removeFailed: 'Der Webhook konnte nicht entfernt werden.',
  removeTitle: 'Webhook entfernen?',
  removeText:
    'Spieleabende werden dann nicht mehr angekündigt, und wartende Nachrichten werden nicht gesendet.',
}
