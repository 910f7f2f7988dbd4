/** Formatting of playtimes (PAGE-12 to PAGE-14). Playtimes are in whole minutes. */

/** Minutes as rounded hours, for the dashboard, comparisons and group hours (PAGE-12, PAGE-14). */
export function roundedHours(minutes: number): number {
  return Math.round(minutes / 60)
}
