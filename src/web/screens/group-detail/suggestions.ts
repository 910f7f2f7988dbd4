/** The suggestions of Add Member (GPAGE-5, GPAGE-6). */
import type { Friend, GroupMember, SteamId } from '#shared/entities.ts'
import { MEMBER_SUGGESTIONS, MEMBER_SUGGESTIONS_TYPING } from '#shared/limits.ts'
import { matchesName } from '../../ui/name.tsx'

/**
 * Friends who are not in the group. Those known to have left it come last (GPAGE-22): adding them is refused (MEM-7), but
 * a search still finds them, so that the user learns why.
 * @param departed ids of friends known to have left
 */
export function addable(
  friends: readonly Friend[],
  members: readonly GroupMember[],
  departed: readonly SteamId[],
): Friend[] {
  const inGroup = new Set(members.map(({ steam_id }) => steam_id))
  const others = friends.filter(({ steam_id }) => !inGroup.has(steam_id))
  const hasLeft = ({ steam_id }: Friend) => departed.includes(steam_id)
  return [...others.filter((friend) => !hasLeft(friend)), ...others.filter(hasLeft)]
}

/** The first few candidates, or more of those who match what is typed. */
export function suggestions(candidates: readonly Friend[], typed: string): Friend[] {
  if (typed.trim() === '') return candidates.slice(0, MEMBER_SUGGESTIONS)
  return candidates.filter((friend) => matchesName(friend, typed)).slice(0, MEMBER_SUGGESTIONS_TYPING)
}
