import type { notifications as english } from '../en/notifications.ts'
import type { Translated } from '#shared/texts/types.ts'

export const notifications: Translated<typeof english> = {
  title: 'Benachrichtigungen',
  hint: 'Nachrichten zu deinen Spieleabenden, auch wenn Shelfmates geschlossen ist.',
  states: {
    off: 'Auf diesem Gerät sind sie aus. Dein Browser fragt, ob du sie erlaubst.',
    on: 'Auf diesem Gerät sind sie an.',
    refused:
      'Auf diesem Gerät sind sie aus: Der Push-Dienst deines Browsers hat mehrere nacheinander abgelehnt. Schalte sie noch einmal ein, um sie neu anzumelden.',
    blocked:
      'Dein Browser blockiert Benachrichtigungen dieser Seite. Um sie zu erlauben, drück auf das Symbol neben der Adresse und ändere die Berechtigungen. Bei einer installierten App geht das in den Einstellungen deines Geräts.',
    unsupported: 'Dieser Browser kann keine Benachrichtigungen von Websites anzeigen.',
    home_screen_first:
      'Füge Shelfmates auf dem iPhone oder iPad zuerst über „Teilen“ zum Home-Bildschirm hinzu, und öffne es dann von dort.',
    insecure: 'Benachrichtigungen brauchen eine sichere Adresse, die mit https beginnt.',
  },
  failed: 'Benachrichtigungen auf diesem Gerät konnten nicht geprüft werden',
  turnOn: 'Auf diesem Gerät einschalten',
  turningOn: 'Wird eingeschaltet …',
  turnedOn: 'Benachrichtigungen sind auf diesem Gerät an.',
  turnOnFailed: 'Die Benachrichtigungen konnten nicht eingeschaltet werden.',
  noPushService:
    'Dein Browser konnte seinen Push-Dienst nicht erreichen. Manche Browser haben ihn in den Einstellungen ausgeschaltet.',
  notAllowed: 'Die Benachrichtigungen bleiben aus, weil dein Browser sie nicht anzeigen darf.',
  turnOff: 'Auf diesem Gerät ausschalten',
  turningOff: 'Wird ausgeschaltet …',
  turnedOff: 'Benachrichtigungen sind auf diesem Gerät aus.',
  turnOffFailed: 'Die Benachrichtigungen konnten nicht ausgeschaltet werden.',
  kindsTitle: 'Worüber du benachrichtigt wirst, auf allen deinen Geräten',
  kinds: {
    asked: 'Du wirst zu einem Spieleabend eingeladen',
    moved: 'Ein Abend wurde verschoben oder abgesagt',
    vote: 'Eine Abstimmung läuft, und du hast noch nicht abgestimmt',
    picked: 'Ein Spiel wurde gewählt',
    starting: 'Ein Abend beginnt morgen oder in 30 Minuten',
  },
  discreet: 'Diskret: keine Namen oder Spiele auf dem Sperrbildschirm',
  offer: 'Willst du erfahren, wenn ein Spiel gewählt wird oder sich der Abend verschiebt?',
  offerTurnOn: 'Benachrichtigungen einschalten',
  offerDecline: 'Benachrichtigungen nicht mehr anbieten',
}
