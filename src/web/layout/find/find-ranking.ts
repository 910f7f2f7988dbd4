/** Which entries a search finds, and in which order (NAV-10). */

/** An entry prepared for searching: each key press then only compares texts. */
export type Entry<Item> = { item: Item; words: string }

/** What is found of one section; `total` counts the matches that are not shown too. */
export type Section<Kind extends string, Item> = { kind: Kind; items: Item[]; total: number }

const ignored = /[\p{M}\p{Default_Ignorable_Code_Point}\p{C}.'’`´™®©]/gu
const separators = /[\p{P}\p{Z}]+/gu

/**
 * A text as it is compared: without case, accents and punctuation. A text of nothing but those is compared as it stands.
 */
export function comparable(text: string): string {
  const plain = text.replace(/[™®©]/g, '').normalize('NFKD').toLowerCase()
  return plain.replace(ignored, '').replace(separators, ' ').trim() || text.trim().toLowerCase()
}

/** Entries in the order in which those that match alike are shown. */
export function entriesOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): Entry<Item>[] {
  // With a space before it, so that a word begins wherever a space and the word are found.
  return items.map((item) => ({ item, words: ` ${comparable(nameOf(item))}` }))
}

/** How well an entry matches, best first: the whole name, its beginning, a word's, every word's, a part of it. */
const RANKS = 5

/**
 * @param wanted a {@link comparable} text that is not empty
 * @returns 0 to 4, or undefined without a match
 */
function rankOf(words: string, wanted: string, parts: readonly string[]): number | undefined {
  if (!words.includes(wanted))
    return parts.length > 1 && parts.every((part) => words.includes(part)) ? 3 : undefined
  const begun = ` ${wanted}`
  if (words.startsWith(begun)) return words.length === begun.length ? 0 : 1
  if (words.includes(begun)) return 2
  return 4
}

/** At least this many matches of each section are shown, if it has them and there is room. */
const LEAST_OF_SECTION = 3

/**
 * The entries a search finds: the section with the best match first, and in each the better match first; matches that
 * are equally good keep their order. Without a search the first entries of each section.
 * @param limit of all sections together
 */
export function found<Kind extends string, Item>(
  sections: readonly { kind: Kind; entries: readonly Entry<Item>[] }[],
  typed: string,
  limit: number,
): Section<Kind, Item>[] {
  const wanted = typed.trim() === '' ? '' : comparable(typed)
  const parts = wanted.split(' ').map((part) => ` ${part}`)
  const matched = sections.map(({ kind, entries }) => {
    // Of each rank only as many as could be shown are remembered: a letter may match thousands.
    const byRank: Item[][] = Array.from({ length: RANKS }, () => [])
    let total = 0
    for (const { item, words } of entries) {
      const rank = wanted === '' ? 1 : rankOf(words, wanted, parts)
      if (rank === undefined) continue
      total += 1
      const alike = byRank[rank]!
      if (alike.length < limit) alike.push(item)
    }
    return { kind, total, ranked: byRank.flatMap((items, rank) => items.map((item) => ({ item, rank }))) }
  })

  const shown = matched.map(({ ranked }) => Math.min(ranked.length, LEAST_OF_SECTION))
  let room = limit - shown.reduce((sum, count) => sum + count, 0)
  for (let rank = 0; rank < RANKS; rank++)
    for (const [section, { ranked }] of matched.entries())
      while (room > 0 && ranked[shown[section]!]?.rank === rank) {
        shown[section]! += 1
        room -= 1
      }

  return matched
    .map(({ kind, total, ranked }, section) => ({
      best: ranked[0]?.rank ?? RANKS,
      found: { kind, total, items: ranked.slice(0, shown[section]).map(({ item }) => item) },
    }))
    .filter(({ best }) => best < RANKS)
    .sort((a, b) => a.best - b.best)
    .map(({ found }) => found)
}
