/** The suggestions of Add Member (GPAGE-5). */
import type { Friend, GroupMember, SteamId } from '#shared/entities.ts'
import { MEMBER_SUGGESTIONS, MEMBER_SUGGESTIONS_TYPING } from '#shared/limits.ts'
import { inPickingOrder, peopleMatching } from '../../ui/people.ts'

/**
 * Friends who are not in the group, in the order of PAGE-20. Those known to have left it come after all others
 * (GPAGE-5): adding them is refused (MEM-7), but a search still finds them, so that the user learns why.
 */
export type Candidates = { likely: readonly Friend[]; departed: readonly Friend[] }

/** @param departed ids of friends known to have left */
export function addable(
  friends: readonly Friend[],
  members: readonly GroupMember[],
  departed: readonly SteamId[],
): Candidates {
  const inGroup = new Set(members.map(({ steam_id }) => steam_id))
  const others = inPickingOrder(friends.filter(({ steam_id }) => !inGroup.has(steam_id)))
  const hasLeft = ({ steam_id }: Friend) => departed.includes(steam_id)
  return { likely: others.filter((friend) => !hasLeft(friend)), departed: others.filter(hasLeft) }
}

/** The first few candidates, or more of those who match what is typed. */
export function suggestions({ likely, departed }: Candidates, typed: string): Friend[] {
  const count = typed.trim() === '' ? MEMBER_SUGGESTIONS : MEMBER_SUGGESTIONS_TYPING
  return [...peopleMatching(likely, typed), ...peopleMatching(departed, typed)].slice(0, count)
}
