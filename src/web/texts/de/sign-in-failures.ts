import type { signInFailures as english } from '../en/sign-in-failures.ts'
import type { Translated } from '#shared/texts/types.ts'

export const signInFailures: Translated<typeof english> = {
  failed: 'Die Anmeldung bei Steam ist fehlgeschlagen. Bitte versuche es noch einmal.',
  storageBlocked:
    'Dein Browser blockiert hier Cookies und Websitedaten, deshalb kannst du dich nicht anmelden. Erlaube sie in den Einstellungen des Browsers für diese Seite und lade sie dann neu.',
  refused: {
    cancelled: 'Du hast die Anmeldung auf der Seite von Steam abgebrochen. Du kannst sie hier neu beginnen.',
    other_browser:
      'Diese Anmeldung hat in einem anderen Browser begonnen oder vor mehr als zehn Minuten. Melde dich hier noch einmal an und bleib dabei in diesem Browser.',
    not_confirmed:
      'Steam hat die Anmeldung nicht bestätigt, vielleicht wegen einer Störung. Versuch es gleich noch einmal.',
    clock:
      'Die Uhr dieses Servers geht falsch, deshalb kann er die Antwort von Steam nicht annehmen. Sag das bitte der Person, die ihn betreibt.',
    too_many_requests:
      'Aus deinem Netz sind in der letzten Minute zu viele Anmeldungen fehlgeschlagen. Warte eine Minute und versuch es noch einmal.',
    account_blocked: 'Dieses Konto ist hier gesperrt. Schreib dem Betreiber.',
    not_invited:
      'Hier können sich nur Eingeladene anmelden. Öffne den Link zu einer Gruppe oder einem Spieleabend, den du bekommen hast, und melde dich dort an.',
    not_listed:
      'Hier können sich nur Leute anmelden, die auf der Liste des Betreibers stehen. Schreib ihm, damit er dich aufnimmt.',
  },
}
