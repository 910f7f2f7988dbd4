/** Whom to suggest for a first group (LOOK-1). */
import type { Friend } from '#shared/entities.ts'
import { presenceOf } from '../../ui/avatar.tsx'
import { matchesName, nameOf } from '../../ui/name.tsx'

/** Friends offered at once; others are found by the search. */
export const SUGGESTED = 8

const presenceOrder = ['playing', 'online', 'away', 'offline'] as const
const beginsWithLetter = /^[\p{L}\p{N}]/u
const alphabetical = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/**
 * Friends in the order to offer them: in game, then online, then away, then offline, and among these known libraries
 * first. Before all others come the owners of one of my games, of the game that most of my friends who are there own, so
 * that those offered together have an answer.
 * @param owners for each of my games the steam ids of its owners
 */
export function inOrderToOffer(friends: readonly Friend[], owners: readonly ReadonlySet<string>[]): Friend[] {
  const present = friends.filter((friend) => presenceOf(friend) !== 'offline')
  const presentIn = (ids: ReadonlySet<string>) => present.filter(({ steam_id }) => ids.has(steam_id)).length
  const [first] = owners.toSorted((a, b) => presentIn(b) - presentIn(a) || b.size - a.size)
  const owns = ({ steam_id }: Friend) => Number(first?.has(steam_id) ?? false)
  return friends.toSorted((a, b) => owns(b) - owns(a) || byPresence(a, b))
}

/**
 * The friends to show, of all in order. Whoever is chosen and not among the first follows, so that one sees all whom one
 * has chosen.
 */
export function suggestedFriends(
  friends: readonly Friend[],
  search: string,
  chosen: ReadonlySet<string>,
): Friend[] {
  const offered = friends.filter((friend) => matchesName(friend, search)).slice(0, SUGGESTED)
  return [...offered, ...friends.filter((one) => chosen.has(one.steam_id) && !offered.includes(one))]
}

function byPresence(a: Friend, b: Friend): number {
  return (
    presenceOrder.indexOf(presenceOf(a)) - presenceOrder.indexOf(presenceOf(b)) ||
    Number(b.library_status === 'ok') - Number(a.library_status === 'ok') ||
    Number(beginsWithLetter.test(nameOf(b))) - Number(beginsWithLetter.test(nameOf(a))) ||
    alphabetical.compare(nameOf(a), nameOf(b))
  )
}
