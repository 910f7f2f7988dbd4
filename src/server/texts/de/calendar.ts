import type { Translated } from '#shared/texts/types.ts'
import type { calendar as english } from '../en/calendar.ts'

export const calendar: Translated<typeof english> = {
  name: 'Spieleabende',
  night: 'Spieleabend',
  nightOf: 'Spieleabend: {group}',
  picked: 'Gewählt: {game}',
  notAsked: 'Geplant, es ist noch niemand eingeladen',
}
