/** Texts of how many can play a game (API-53, GPAGE-36), which come with the screens that say it. */
import { PLAYERS_MAX } from '#shared/limits.ts'

const upTo = (people: number) => (people >= PLAYERS_MAX ? 'any number' : `up to ${people}`)

export const gamePlayers = {
  title: 'How many can play?',
  failed: 'Failed to fetch how many can play',
  online: (people: number) => (people === 0 ? 'not over the internet' : `${upTo(people)} over the internet`),
  screen: (people: number) => (people === 0 ? 'not on one screen' : `${upTo(people)} on one screen`),
  screenUnknown: 'on one screen nobody has checked',
  checked: (year: number) => `checked in ${year}`,
  notListed: 'Shelfmates doesn’t know how many can play this game.',
  corrected: (people: number) => `In this group: ${upTo(people)}.`,
  by: 'Corrected by',
  byFormer: 'a former member',
  label: 'The most who can play together',
  hint: 'For this group and its game nights. Every member who has joined can change it.',
  invalid: `A whole number from 1 to ${PLAYERS_MAX}.`,
  save: 'Save',
  saving: 'Saving...',
  saved: 'Saved for this group.',
  takeBack: 'Take it back',
  takenBack: 'Taken back.',
  saveFailed: 'Failed to save.',
} as const
