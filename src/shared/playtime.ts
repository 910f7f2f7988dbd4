/** Formatting of playtimes (PAGE-12). Playtimes are in whole minutes. */

/** Minutes as rounded hours, for the dashboard, comparisons and group hours (PAGE-12). */
export function roundedHours(minutes: number): number {
  return Math.round(minutes / 60)
}
