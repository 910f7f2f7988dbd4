/** Names for the bar chart (DASH-17). */

/** Characters of a name, without its ellipsis. */
const SHOWN_MAX = 12
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A name that is cut ends with an ellipsis. Graphemes are counted, so that none is cut apart. */
export function shortName(name: string): string {
  const all = [...characters.segment(name)]
  if (all.length <= SHOWN_MAX) return name
  const shown = all.slice(0, SHOWN_MAX).map(({ segment }) => segment)
  return `${shown.join('')}…`
}
