/** Whom Add Member offers (GPAGE-5, GPAGE-6). */
import type { Friend, GroupMember } from '#shared/entities.ts'
import { MEMBER_SUGGESTIONS, MEMBER_SUGGESTIONS_TYPING } from '#shared/limits.ts'
import { isCalled } from '../../ui/name.tsx'

/** Friends who are not in the group yet. */
export function addable(friends: readonly Friend[], members: readonly GroupMember[]): Friend[] {
  const inGroup = new Set(members.map(({ steam_id }) => steam_id))
  return friends.filter(({ steam_id }) => !inGroup.has(steam_id))
}

/** The first few of them; more, of those who are called like it, once something is typed. */
export function suggestions(candidates: readonly Friend[], typed: string): Friend[] {
  if (typed.trim() === '') return candidates.slice(0, MEMBER_SUGGESTIONS)
  return candidates.filter((friend) => isCalled(friend, typed)).slice(0, MEMBER_SUGGESTIONS_TYPING)
}
