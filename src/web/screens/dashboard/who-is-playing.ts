/** Whom to suggest for a first group (LOOK-31). */
import type { Friend } from '#shared/entities.ts'
import { presenceOf } from '../../ui/people/avatar.tsx'
import { inPickingOrder, presenceRank } from '../../ui/people/people.ts'

/** Friends offered at once; others are found by the search. */
export const SUGGESTED = typeof matchMedia === 'function' && matchMedia('(width >= 120rem)').matches ? 24 : 8

/**
 * Friends in the order of every list of people to choose from (PAGE-20), but among friends with the same presence,
 * known libraries first. Before all others come the owners of one of my games, of the game that most of my friends who
 * are there own, so that those offered together have an answer.
 * @param owners for each of my games the steam ids of its owners
 */
export function inOrderToOffer(friends: readonly Friend[], owners: readonly ReadonlySet<string>[]): Friend[] {
  const present = friends.filter((friend) => presenceOf(friend) !== 'offline')
  const presentIn = (ids: ReadonlySet<string>) => present.filter(({ steam_id }) => ids.has(steam_id)).length
  const [first] = owners.toSorted((a, b) => presentIn(b) - presentIn(a) || b.size - a.size)
  const owns = ({ steam_id }: Friend) => Number(first?.has(steam_id) ?? false)
  const isKnown = ({ library_status }: Friend) => Number(library_status === 'ok')
  return inPickingOrder(friends).sort(
    (a, b) => owns(b) - owns(a) || presenceRank(a) - presenceRank(b) || isKnown(b) - isKnown(a),
  )
}

/**
 * The friends to show: the first of `found`, those that match the search, then whoever of all `friends` is chosen and
 * not among them, so that one sees all whom one has chosen.
 */
export function suggestedFriends(
  friends: readonly Friend[],
  found: readonly Friend[],
  chosen: ReadonlySet<string>,
): Friend[] {
  const offered = found.slice(0, SUGGESTED)
  return [...offered, ...friends.filter((one) => chosen.has(one.steam_id) && !offered.includes(one))]
}

/**
 * The same friends, where each who was offered before keeps their place and new ones take the places that became free:
 * while libraries are being read the suggestions change, but nothing may move away from under a finger.
 * @param before steam ids as offered last
 */
export function inTheirPlaces(before: readonly string[], friends: readonly Friend[]): Friend[] {
  const byId = new Map(friends.map((friend) => [friend.steam_id, friend]))
  const staying = before.map((id) => byId.get(id)).slice(0, friends.length)
  const added = friends.filter((friend) => !staying.includes(friend)).values()
  return Array.from(friends, (_, place) => staying[place] ?? added.next().value!)
}
