/** A group's first members, with their presence where it is known. */
import type { Friend, GroupMember } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { Avatar, presenceOf, presenceText } from './avatar.tsx'
import { nameOf } from './name.tsx'

const SHOWN = 6

/**
 * Their avatars, and how many more there are. One picture for screen readers, not a list in a list. Its room is there
 * before the members are.
 * @param friends the viewer's friends, whose presence is known
 */
export function MemberAvatars({
  members = [],
  friends = [],
}: {
  members: readonly GroupMember[] | undefined
  friends: readonly Friend[] | undefined
}) {
  const byId = new Map(friends.map((friend) => [friend.steam_id, friend]))
  const shown = members.slice(0, SHOWN).map((member) => ({ member, friend: byId.get(member.steam_id) }))
  const rest = members.length - shown.length
  if (shown.length === 0) return <div className="h-9" />
  return (
    <div role="img" aria-label={shown.map(labelOf).join('; ')} className="flex h-9 items-center">
      {shown.map(({ member, friend }) => (
        <Avatar
          key={member.steam_id}
          src={member.avatar_url}
          size="small"
          presence={friend && presenceOf(friend)}
          className="-mr-1.5"
        />
      ))}
      {rest > 0 && (
        <span className="ml-4 text-sm font-semibold tabular-nums">{messages.group.moreMembers(rest)}</span>
      )}
    </div>
  )
}

function labelOf({ member, friend }: { member: GroupMember; friend: Friend | undefined }): string {
  return friend ? `${nameOf(member)}, ${presenceText(friend)}` : nameOf(member)
}
