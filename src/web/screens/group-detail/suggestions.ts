/** Whom Add Member offers (GPAGE-5, GPAGE-6). */
import type { Friend, GroupMember, SteamId } from '#shared/entities.ts'
import { MEMBER_SUGGESTIONS, MEMBER_SUGGESTIONS_TYPING } from '#shared/limits.ts'
import { isCalled } from '../../ui/name.tsx'

/**
 * Friends who are not in the group yet. Who is known to have left it comes last (GPAGE-22): adding them is refused
 * (MEM-7), but who looks for one of them finds them, and is told why.
 * @param departed ids of who is known to have left
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

/** The first few of them; more, of those who are called like it, once something is typed. */
export function suggestions(candidates: readonly Friend[], typed: string): Friend[] {
  if (typed.trim() === '') return candidates.slice(0, MEMBER_SUGGESTIONS)
  return candidates.filter((friend) => isCalled(friend, typed)).slice(0, MEMBER_SUGGESTIONS_TYPING)
}
