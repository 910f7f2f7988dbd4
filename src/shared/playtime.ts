/** Formatting of playtimes (PAGE-12 to PAGE-14). Playtimes are in whole minutes. */

const grouped = new Intl.NumberFormat('en-US')

/** Minutes as hours and minutes, "1204h 5m", for My Games and Friends Who Play (PAGE-13). */
export function hoursAndMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Minutes as rounded hours, for the dashboard, comparisons and group hours (PAGE-12, PAGE-14). */
export function roundedHours(minutes: number): number {
  return Math.round(minutes / 60)
}

/** A whole number with thousands separators: counts and hours that no format above has (PAGE-12). */
export function withSeparators(value: number): string {
  return grouped.format(value)
}
