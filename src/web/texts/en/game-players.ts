/** What users say of a game for groups and nights (NIGHT-136). */
export const gameMarks = {
  elsewhere: 'I have it elsewhere',
  places: {
    none: 'No',
    epic: 'Epic',
    gog: 'GOG',
    game_pass: 'Game Pass',
    family: 'Steam Families',
    other: 'another place',
  },
  elsewhereAbout: 'Groups and game nights then count you as an owner, and say where you have it.',
  elsewhereFailed: 'Failed to save where you have it.',
  says: 'Elsewhere: {people}',
  at: '{name} ({place})',
  /** The button of a game. */
  open: 'More about {game}',
} as const

/** Texts of how many can play a game (API-53, GPAGE-36), which come with the screens that say it. */
export const gamePlayers = {
  title: 'How many can play?',
  failed: 'Failed to fetch how many can play',
  /** What the product's list says: over the internet, on one screen, and when that was checked. */
  listed:
    '{online, select, none {Not over the internet} any {Any number over the internet} other {Up to {onlinePeople} over the internet}}, {screen, select, none {not on one screen} any {any number on one screen} unknown {on one screen nobody has checked} other {up to {screenPeople} on one screen}} (checked in {year}).',
  notListed: 'Shelfmates doesn’t know how many can play this game.',
  corrected: { any: 'In this group: any number.', upTo: 'In this group: up to {people}.' },
  by: 'Corrected by {person}, {time}',
  byFormer: 'Corrected by a former member, {time}',
  label: 'The most who can play together',
  hint: 'For this group and its game nights. Every member who has joined can change it.',
  invalid: 'A whole number from 1 to {max}.',
  save: 'Save',
  saving: 'Saving...',
  saved: 'Saved for this group.',
  takeBack: 'Take it back',
  takenBack: 'Taken back.',
  saveFailed: 'Failed to save.',
} as const
