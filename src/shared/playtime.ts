/** How playtime is written (PAGE-12 to PAGE-14). Playtimes are whole minutes everywhere. */

const grouped = new Intl.NumberFormat('en-US')

/** Minutes as hours and minutes, "1204h 5m": My Games and Friends Who Play (PAGE-13). */
export function hoursAndMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Minutes as rounded hours, a number: dashboard, comparison, group hours (PAGE-12, PAGE-14). */
export function roundedHours(minutes: number): number {
  return Math.round(minutes / 60)
}

/** A whole number with thousands separated, for figures that stand alone (not in the forms of PAGE-12 to PAGE-14). */
export function withSeparators(value: number): string {
  return grouped.format(value)
}
