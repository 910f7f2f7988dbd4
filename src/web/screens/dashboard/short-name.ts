/** Names for the bar chart (DASH-17). */
import { DASHBOARD } from '#shared/limits.ts'

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A name cut after 12 characters plus an ellipsis; counts graphemes, so that none is cut apart. */
export function shortName(name: string): string {
  const shown = [...characters.segment(name)]
  if (shown.length <= DASHBOARD.chartNameLength) return name
  return `${shown
    .slice(0, DASHBOARD.chartNameLength)
    .map(({ segment }) => segment)
    .join('')}…`
}
