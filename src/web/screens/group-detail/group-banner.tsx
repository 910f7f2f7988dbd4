/** The avatars of a group's members on its banner (GPAGE-26). */
import { useQuery } from '@tanstack/react-query'
import type { Friend, GroupMember } from '#shared/entities.ts'
import { hasJoined } from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar, presenceOf, presenceText } from '../../ui/avatar.tsx'
import { nameOf } from '../../ui/name.tsx'

const texts = messages.group
const AVATARS = 6

/**
 * The first members with their presence, where it is known: of friends. Names are labels and tooltips, because the list
 * of members has them as text.
 * @param members undefined until loaded
 */
export function MemberAvatars({
  count,
  members,
}: {
  count: number
  members: readonly GroupMember[] | undefined
}) {
  const { steamId } = useSignedIn()
  const { data } = useQuery(friendsQueries.stored(steamId))
  const friends = new Map(data?.friends.map((friend) => [friend.steam_id, friend]))
  const rest = count - AVATARS
  return (
    // Of one width, so that the banner has the same layout in every group.
    <ul aria-label={texts.avatars} className="flex min-h-11 w-60 items-center">
      {members === undefined
        ? Array.from({ length: Math.min(count, AVATARS) }, (_, nth) => (
            <li key={nth} className="-mr-1.5 size-9 rounded-round bg-raised" />
          ))
        : members.slice(0, AVATARS).map((member) => (
            <li key={member.steam_id} className="-mr-1.5">
              <MemberAvatar member={member} friend={friends.get(member.steam_id)} />
            </li>
          ))}
      {rest > 0 && <li className="ml-4 text-sm font-semibold tabular-nums">{texts.moreMembers(rest)}</li>}
    </ul>
  )
}

function MemberAvatar({ member, friend }: { member: GroupMember; friend: Friend | undefined }) {
  const isWaiting = !hasJoined(member)
  const label = [nameOf(member), friend && presenceText(friend), isWaiting && texts.notJoined]
    .filter(Boolean)
    .join(', ')
  return (
    <span role="img" aria-label={label} title={label} className="relative block">
      <Avatar
        src={member.avatar_url}
        size="small"
        presence={friend && presenceOf(friend)}
        className={isWaiting ? 'grayscale' : ''}
      />
      {isWaiting && (
        <span className="absolute top-0 right-0 size-3 rounded-round border-2 border-deep bg-violet" />
      )}
    </span>
  )
}
