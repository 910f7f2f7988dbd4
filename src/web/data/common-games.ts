/** What screens make of a group's common games and members (GPAGE-14, GPAGE-19). */
import type { GroupMember, LibraryStatus, SharedGame } from '#shared/entities.ts'

/** A member's minutes in a game, most first. `member` is unknown when the list of members could not be loaded. */
export type MemberHours = { steamId: string; member: GroupMember | undefined; minutes: number }

/** Who played a game how long; members whose library is not known are not in it (API-29). */
export function memberHours(game: SharedGame, members: readonly GroupMember[]): MemberHours[] {
  const byId = new Map(members.map((member) => [member.steam_id, member]))
  return Object.entries(game.playtimes)
    .map(([steamId, minutes]) => ({ steamId, member: byId.get(steamId), minutes }))
    .sort((a, b) => b.minutes - a.minutes)
}

/**
 * Why a library is not part of the answer: 'unjoined' is somebody whose membership opens nothing yet, 'unseen' one
 * that may open to me when I join.
 */
export type MissingReason = Exclude<LibraryStatus, 'ok'> | 'unjoined' | 'unseen'
export type MissingMember = { member: GroupMember; reason: MissingReason }

/** Members whose libraries are not part of what `me` is answered, and why. */
export function missingMembers(members: readonly GroupMember[], me: string): MissingMember[] {
  const haveJoined = hasJoined(members.find(({ steam_id }) => steam_id === me))
  return members.flatMap((member) => {
    const reason = reasonOf(member, me, haveJoined)
    return reason === undefined ? [] : [{ member, reason }]
  })
}

function reasonOf(member: GroupMember, me: string, haveJoined: boolean): MissingReason | undefined {
  const { steam_id, library_status } = member
  if (library_status === 'ok') return undefined
  if (library_status !== 'hidden' || steam_id === me) return library_status
  if (!hasJoined(member)) return 'unjoined'
  return haveJoined ? 'hidden' : 'unseen'
}

/** Whether somebody agreed to be in the group; so does everybody of whom nothing else is said. */
export function hasJoined(one: { joined: boolean } | undefined): boolean {
  return one?.joined !== false
}

/** Whether a member's library is part of what `me` is answered: one's own is, also where it is hidden from the others. */
export function isCounted({ steam_id, library_status }: GroupMember, me: string): boolean {
  return library_status === 'ok' || (library_status === 'hidden' && steam_id === me)
}
