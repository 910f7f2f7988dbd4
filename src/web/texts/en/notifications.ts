/** Texts of notifications: on the Account page and where a night offers them (PUSH-7 to PUSH-20). */
export const notifications = {
  title: 'Notifications',
  hint: 'Messages about your game nights, even while Shelfmates is closed.',
  states: {
    off: 'They’re off on this device. Your browser asks whether you allow them.',
    on: 'They’re on for this device.',
    refused:
      'They’re off on this device: your browser’s push service refused several in a row. Turn them on again to subscribe anew.',
    blocked:
      'Your browser blocks notifications from this site. To allow them, press the icon beside the address and change its permissions. For an installed app, use your device’s settings.',
    unsupported: 'This browser can’t show notifications of websites.',
    home_screen_first:
      'On iPhone and iPad, first add Shelfmates to your Home Screen with the Share button, then open it from there.',
    insecure: 'Notifications need a secure address, one that begins with https.',
  },
  failed: 'Failed to check notifications on this device',
  turnOn: 'Turn on notifications on this device',
  turningOn: 'Turning on...',
  turnedOn: 'Notifications are on for this device.',
  turnOnFailed: 'Failed to turn on notifications.',
  /** What the browser says of it means nothing to people. */
  noPushService:
    'Your browser couldn’t reach its push service. Some browsers have it switched off in their settings.',
  notAllowed: 'Notifications stay off, because your browser wasn’t allowed to show them.',
  turnOff: 'Turn off on this device',
  turningOff: 'Turning off...',
  turnedOff: 'Notifications are off on this device.',
  turnOffFailed: 'Failed to turn off notifications.',
  kindsTitle: 'What you’re notified of, on all your devices',
  kinds: {
    asked: 'You are asked to a game night',
    moved: 'A night was moved or cancelled',
    vote: 'A vote is on and you have not voted',
    picked: 'A game was picked',
    starting: 'A night starts tomorrow or in 30 minutes',
  },
  discreet: 'Discreet: no names or games on the lock screen',
  offer: 'Want to know when a game is picked, or the night is moved?',
  offerTurnOn: 'Turn on notifications',
  offerDecline: 'Don’t offer notifications again',
} as const
