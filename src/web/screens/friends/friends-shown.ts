/** Filtering, searching and sorting the friends (FRI-7). */
import type { Friend } from '#shared/entities.ts'
import { compareNames, matcherOf, nameOf } from '#shared/names.ts'
import { presenceOf } from '../../ui/people/avatar.tsx'
import { canBeChosen, inOrderOfPresence } from '../../ui/people/people.ts'
import { anyText, oneOf, type Params } from '../../ui/query-string.ts'

export type FriendFilter = 'all' | 'playing' | 'online' | 'private' | 'joined'
export type FriendSort = 'presence' | 'name' | 'common'
export type FriendView = { search: string; show: FriendFilter; sort: FriendSort }

/** The names of the filters in the query string. */
export const friendParams: Params<FriendView> = {
  search: anyText,
  show: oneOf(['all', 'playing', 'online', 'private', 'joined']),
  sort: oneOf(['presence', 'name', 'common']),
}

/** Games that a friend and I have in common, by steam id; only of friends whose library can be compared with mine. */
export type Overlaps = ReadonlyMap<string, number>

const isShown: Record<FriendFilter, (friend: Friend) => boolean> = {
  all: () => true,
  playing: (friend) => presenceOf(friend) === 'playing',
  online: (friend) => presenceOf(friend) !== 'offline',
  private: (friend) => friend.library_status === 'private',
  joined: (friend) => friend.joined_here && canBeChosen(friend),
}

/** Friends of a view. Within equals they are sorted by name; what is not known comes last. */
export function friendsShown(
  friends: readonly Friend[],
  { search, show, sort }: FriendView,
  overlaps?: Overlaps,
): Friend[] {
  // A search finds names (PAGE-10), and the games that friends are in.
  const matches = matcherOf(search)
  const shown = friends
    .filter((friend) => isShown[show](friend) && (matches(nameOf(friend)) || matches(friend.playing ?? '')))
    .sort((a, b) => compareNames(nameOf(a), nameOf(b)))
  if (sort === 'name') return shown
  if (sort === 'presence') return inOrderOfPresence(shown)
  const rankOf = (friend: Friend): number => overlaps?.get(friend.steam_id) ?? -1
  const ranks = new Map(shown.map((friend) => [friend, rankOf(friend)]))
  return shown.sort((a, b) => ranks.get(b)! - ranks.get(a)!)
}

/** The number of friends of each filter, whatever is searched for. */
export function countFriends(friends: readonly Friend[]): Record<FriendFilter, number> {
  const count = (filter: FriendFilter) => friends.filter(isShown[filter]).length
  return {
    all: friends.length,
    playing: count('playing'),
    online: count('online'),
    private: count('private'),
    joined: count('joined'),
  }
}
