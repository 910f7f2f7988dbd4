import { describe, expect, test } from 'vitest'
import type { Group } from '#shared/entities.ts'
import type { NightSummary } from '#shared/nights/entities.ts'
import { groupsToAnswer, neighbour, sortedGroups, type GroupSort } from './groups.ts'

const group = (group_id: number, name: string, member_count: number) =>
  ({ group_id, name, member_count }) as Group

const groups = [group(2, 'zebra', 3), group(9, 'Apple', 1), group(5, 'élan', 8), group(7, 'apple 10', 3)]

describe('order of groups', () => {
  const ids = (sort: GroupSort) => sortedGroups(groups, sort).map(({ group_id }) => group_id)

  test('DASH-10: by size: most members first, then newest first', () =>
    expect(ids('size')).toEqual([5, 7, 2, 9]))
  test('DASH-10, ENT-7: newest first: a higher id is newer', () =>
    expect(ids('newest')).toEqual([9, 7, 5, 2]))
  test('DASH-10: oldest first', () => expect(ids('oldest')).toEqual([2, 5, 7, 9]))
  test('DASH-10: A-Z, whatever the case and accents', () => expect(ids('alpha')).toEqual([9, 7, 5, 2]))

  test('DASH-7: a group without a count comes last by size', () => {
    const { member_count: _, ...uncounted } = group(11, 'x', 0)
    expect(sortedGroups([uncounted as Group, ...groups], 'size').at(-1)?.group_id).toBe(11)
  })
})

describe('the group whose common games are shown', () => {
  test('DASH-26: the arrows wrap around at both ends', () => {
    expect(neighbour(0, 1, 3)).toBe(1)
    expect(neighbour(2, 1, 3)).toBe(0)
    expect(neighbour(0, -1, 3)).toBe(2)
    expect(neighbour(0, 1, 1)).toBe(0)
  })

  test('DASH-42: the group of the next night comes first, then the largest; nights of other groups and of none do not count', () => {
    const ids = (nights: (number | null)[]) =>
      groupsToAnswer(
        groups,
        nights.map((id) => ({ group: id === null ? null : { group_id: id } }) as NightSummary),
      ).map(({ group_id }) => group_id)
    const bySize = sortedGroups(groups, 'size').map(({ group_id }) => group_id)
    expect(ids([])).toEqual(bySize)
    expect(ids([null, 4711])).toEqual(bySize)
    const last = bySize.at(-1)!
    expect(ids([null, last, bySize[1]!])).toEqual([last, ...bySize.slice(0, -1)])
  })
})
