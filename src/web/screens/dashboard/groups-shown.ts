/** Which groups the dashboard shows, and in what order (DASH-10, DASH-26). */
import type { Group } from '#shared/entities.ts'

export type GroupSort = 'size' | 'newest' | 'oldest' | 'alpha'

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Newest first: a higher id is newer (ENT-8). It also decides between equals, so that nothing jumps. */
const newest = (a: Group, b: Group) => b.group_id - a.group_id

const orders: Record<GroupSort, (a: Group, b: Group) => number> = {
  // The count may be missing in an answer (DASH-8).
  size: (a, b) => (b.member_count ?? 0) - (a.member_count ?? 0) || newest(a, b),
  newest,
  oldest: (a, b) => newest(b, a),
  alpha: (a, b) => byName.compare(a.name, b.name) || newest(a, b),
}

/** The groups in the chosen order; the list given is left as it is. */
export function sortedGroups(groups: readonly Group[], sort: GroupSort): Group[] {
  return groups.toSorted(orders[sort])
}

/** The index that an arrow leads to: it wraps around at both ends. `by` is 1 or -1, `count` at least 1. */
export function neighbour(index: number, by: 1 | -1, count: number): number {
  return (index + by + count) % count
}

/** The index to show: 0 where the chosen one has fallen outside the list, as when a group is gone. */
export function indexWithin(index: number, count: number): number {
  return index < count ? index : 0
}
