/** Which entries a search finds, and in which order (NAV-10). */
import { comparable } from '#shared/names.ts'

/** An entry prepared for searching: each key press then only compares texts. */
export type Entry<Item> = { item: Item; words: readonly string[] }

/**
 * What is found of one section; `total` counts the matches that are not shown too. `isMore` if better matches of the same
 * kind are in a section before it.
 */
export type Section<Kind extends string, Item> = { kind: Kind; isMore: boolean; items: Item[]; total: number }

/** Entries in the order in which those that match alike are shown. */
export function entriesOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): Entry<Item>[] {
  // With a space before it, so that a word begins wherever a space and the word are found.
  return items.map((item) => ({ item, words: comparable(nameOf(item)).map((form) => ` ${form}`) }))
}

/** How well an entry matches, best first: the whole name, its beginning, a word's, every word's, a part of it. */
const RANKS = 5

/** What is typed, in each of its forms, which are not empty. */
type Wanted = readonly { form: string; parts: readonly string[] }[]

/** From 0; undefined without a match. */
function rankOf(entry: readonly string[], wanted: Wanted): number | undefined {
  let best: number | undefined
  for (const words of entry)
    for (const { form, parts } of wanted) {
      const rank = rankOfForm(words, form, parts)
      if (rank !== undefined) best = Math.min(rank, best ?? rank)
    }
  return best
}

function rankOfForm(words: string, wanted: string, parts: readonly string[]): number | undefined {
  if (!words.includes(wanted))
    return parts.length > 1 && parts.every((part) => words.includes(part)) ? 3 : undefined
  const begun = ` ${wanted}`
  if (words.startsWith(begun)) return words.length === begun.length ? 0 : 1
  if (words.includes(begun)) return 2
  return 4
}

/** Matches at the beginning of words come before those within a word, of whatever kind. */
const TIERS = [[0, 1, 2, 3], [4]] as const
/** At least this many matches of each section are shown in each tier, if it has them and there is room. */
const LEAST_OF_SECTION = 3

/**
 * The entries a search finds: those that match at the beginning of words, in sections of which the one with the best
 * match is first, then those that match within a word. In each section the better match is first; matches that are
 * equally good keep their order. Without a search the first entries of each section.
 * @param limit of all sections together
 */
export function found<Kind extends string, Item>(
  sections: readonly { kind: Kind; entries: readonly Entry<Item>[] }[],
  typed: string,
  limit: number,
): Section<Kind, Item>[] {
  const forms = typed.trim() === '' ? [] : comparable(typed)
  const wanted = forms.map((form) => ({ form, parts: form.split(' ').map((part) => ` ${part}`) }))
  const matched = sections.map(({ kind, entries }) => {
    // Of each rank only as many as could be shown are remembered: a letter may match thousands.
    const byRank = Array.from({ length: RANKS }, () => ({ total: 0, items: [] as Item[] }))
    for (const { item, words } of entries) {
      const rank = wanted.length === 0 ? 1 : rankOf(words, wanted)
      if (rank === undefined) continue
      const alike = byRank[rank]!
      alike.total += 1
      if (alike.items.length < limit) alike.items.push(item)
    }
    return { kind, byRank }
  })

  let room = limit
  const shownKinds = new Set<Kind>()
  return TIERS.flatMap((ranks) => {
    const tier = matched.map(({ kind, byRank }) => ({
      kind,
      ranked: ranks.flatMap((rank) => byRank[rank]!.items.map((item) => ({ item, rank }))),
      total: ranks.reduce<number>((sum, rank) => sum + byRank[rank]!.total, 0),
      shown: 0,
    }))
    for (const section of tier) {
      section.shown = Math.min(section.ranked.length, LEAST_OF_SECTION, room)
      room -= section.shown
    }
    for (const rank of ranks)
      for (const section of tier)
        while (room > 0 && section.ranked[section.shown]?.rank === rank) {
          section.shown += 1
          room -= 1
        }
    const found = tier
      .filter(({ shown }) => shown > 0)
      .sort((a, b) => a.ranked[0]!.rank - b.ranked[0]!.rank)
      .map(({ kind, ranked, total, shown }) => ({
        kind,
        isMore: shownKinds.has(kind),
        total,
        items: ranked.slice(0, shown).map(({ item }) => item),
      }))
    for (const { kind } of found) shownKinds.add(kind)
    return found
  })
}
