/** Texts of a person's calendar of game nights, on the Account page (NIGHT-108). */
export const nightCalendarFeed = {
  title: 'Game nights in your calendar',
  explained:
    'Your calendar app can subscribe to your planned game nights. It then follows when they change or are cancelled.',
  none: 'This is switched off: no address leads to your nights.',
  secret: 'Keep the address to yourself: whoever has it can read your planned nights.',
  failed: 'Failed to fetch your calendar',
  create: 'Create an address',
  creating: 'Creating…',
  address: 'Address of your calendar',
  copy: 'Copy address',
  renew: 'Renew',
  renewing: 'Renewing…',
  renewed: 'This is the new address. The one before no longer works.',
  renewTitle: 'Renew the address?',
  renewText: 'Calendars that use the address so far stop updating, until you give them the new one.',
  switchOff: 'Switch off',
  switchingOff: 'Switching off…',
  switchedOff: 'The calendar is switched off.',
  switchOffTitle: 'Switch your calendar off?',
  switchOffText: 'Calendars that use the address stop updating.',
  changeFailed: 'Failed to change your calendar.',
} as const
