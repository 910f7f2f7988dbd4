/** How playtime is written (SPEC.md section 9). Playtimes are whole minutes everywhere. */

const grouped = new Intl.NumberFormat('en-US')

/** Minutes as hours and minutes, "1204h 5m": My Games and Friends Who Play (SPEC.md 9). */
export function hoursAndMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Minutes as rounded hours, a number: dashboard, comparison, group hours (SPEC.md 9). */
export function roundedHours(minutes: number): number {
  return Math.round(minutes / 60)
}

/** A whole number with thousands separated, for figures that stand alone (not in SPEC.md's fixed forms). */
export function withSeparators(value: number): string {
  return grouped.format(value)
}
