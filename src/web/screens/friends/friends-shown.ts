/** Which friends a list shows, and in which order. */
import type { Friend } from '#shared/entities.ts'
import { presenceOf, type Presence } from '../../ui/avatar.tsx'
import { isCalled } from '../../ui/name.tsx'

const order: Record<Presence, number> = { playing: 0, online: 1, away: 2, offline: 3 }

/**
 * Friends whom a search finds (PAGE-10), whoever can be played with first: playing, online, away,
 * offline. Within each the given order stays, which is by name.
 */
export function friendsShown(friends: readonly Friend[], search: string): Friend[] {
  return friends
    .filter((friend) => search.trim() === '' || isCalled(friend, search))
    .sort((a, b) => order[presenceOf(a)] - order[presenceOf(b)])
}

/** How many friends are there to be played with: not offline. */
export function countPresent(friends: readonly Friend[]): number {
  return friends.filter((friend) => presenceOf(friend) !== 'offline').length
}
