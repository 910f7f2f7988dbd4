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
 * The friends to offer: in game, then online, then away, then offline, and among these known libraries first. Whoever is
 * chosen and not among them follows, so that one sees all whom one has chosen.
 */
export function suggestedFriends(
  friends: readonly Friend[],
  search: string,
  chosen: ReadonlySet<string>,
): Friend[] {
  const offered = friends
    .filter((friend) => matchesName(friend, search))
    .sort(byPresence)
    .slice(0, SUGGESTED)
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

/** 'Friday night': the name suggested for a group that plays tonight. */
export function suggestedGroupName(now: Date): string {
  return `${now.toLocaleDateString('en', { weekday: 'long' })} night`
}
