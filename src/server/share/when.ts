/** When a night is, for people whose time zone is not known: in the zone that its time was chosen in (NIGHT-76, NIGHT-120). */

/**
 * 'Friday 5 June at 20:30, Central European Summer Time'; in UTC where the zone is not known.
 * @param at in milliseconds
 */
export function whenInZone(at: number, zone: string | null): string {
  const timeZone = zone ?? 'UTC'
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'long' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value
  return `${day.format(at).replace(',', '')} at ${clock.format(at)}, ${zone === null ? 'UTC' : name}`
}
