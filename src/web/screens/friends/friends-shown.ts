/** The friends that match a search, in their order. */
import type { Friend } from '#shared/entities.ts'
import { presenceOf, type Presence } from '../../ui/avatar.tsx'
import { matchesName } from '../../ui/name.tsx'

const order: Record<Presence, number> = { playing: 0, online: 1, away: 2, offline: 3 }

/**
 * Friends who match a search (PAGE-10), by presence: playing, online, away, offline. Within each the given order stays,
 * which is by name.
 */
export function friendsShown(friends: readonly Friend[], search: string): Friend[] {
  return friends
    .filter((friend) => search.trim() === '' || matchesName(friend, search))
    .sort((a, b) => order[presenceOf(a)] - order[presenceOf(b)])
}

/** The number of friends who are not offline. */
export function countPresent(friends: readonly Friend[]): number {
  return friends.filter((friend) => presenceOf(friend) !== 'offline').length
}
