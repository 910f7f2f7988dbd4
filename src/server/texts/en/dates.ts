/** Times in the zone that they name. */
export const dates = {
  inZone: '{weekday} {day} {month} at {time}, {zone}',
  inUtc: '{weekday}, {day} {month} {year} {time} UTC',
} as const
