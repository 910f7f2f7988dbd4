/** The order of groups on the dashboard, and the index of the selected group (DASH-10, DASH-26). */
import type { Group } from '#shared/entities.ts'
import type { NightSummary } from '#shared/nights/entities.ts'
import { compareNames } from '#shared/names.ts'

export type GroupSort = 'size' | 'newest' | 'oldest' | 'alpha'

/** Newest first: a higher id is newer (ENT-7). Also breaks ties, so that the order is stable. */
const newest = (a: Group, b: Group) => b.group_id - a.group_id

const orders: Record<GroupSort, (a: Group, b: Group) => number> = {
  // The count may be missing in a response (DASH-7).
  size: (a, b) => (b.member_count ?? 0) - (a.member_count ?? 0) || newest(a, b),
  newest,
  oldest: (a, b) => newest(b, a),
  alpha: (a, b) => compareNames(a.name, b.name) || newest(a, b),
}

/** The groups in the chosen order, as a new list. */
export function sortedGroups(groups: readonly Group[], sort: GroupSort): Group[] {
  return groups.toSorted(orders[sort])
}

/** For whom Top Common Games answers first (DASH-42): the group of the next night, then by members; a group of one last. */
export function groupsToAnswer(groups: readonly Group[], nights: readonly NightSummary[]): Group[] {
  const next = nights.find(({ group }) => groups.some(({ group_id }) => group_id === group?.group_id))?.group
  const isNext = ({ group_id }: Group) => Number(group_id === next?.group_id)
  return sortedGroups(groups, 'size').sort((a, b) => isNext(b) - isNext(a))
}

/** The index after an arrow was pressed, wrapping around at both ends. `by` is 1 or -1, `count` at least 1. */
export function neighbour(index: number, by: 1 | -1, count: number): number {
  return (index + by + count) % count
}
