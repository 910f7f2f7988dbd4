import type { Translated } from '#shared/texts/types.ts'
import type { dates as english } from '../en/dates.ts'

export const dates: Translated<typeof english> = {
  inZone: '{weekday}, {day}. {month} um {time} Uhr, {zone}',
  inUtc: '{weekday}, {day}. {month} {year}, {time} UTC',
}
