/** A group's first members, with their presence where it is known: of friends. */
import type { Friend, GroupMember } from '#shared/entities.ts'
import { hasJoined } from '../data/common-games.ts'
import { group as texts } from 'virtual:texts'
import { Avatar, presenceOf, presenceText } from '../ui/people/avatar.tsx'
import { nameOf } from '../ui/people/name.tsx'

const SHOWN = 6

/**
 * Their avatars, and how many more there are. For screen readers it is one picture that says who they are, because it
 * also stands within links; names are tooltips too. Its room is there before the members are.
 * @param count how many there are, once it is known
 * @param members undefined until loaded
 * @param friends the viewer's friends, whose presence is known
 * @param marksWaiting whether members who have not joined yet have a mark
 */
export function MemberAvatars({
  members,
  count = members?.length ?? 0,
  friends = [],
  marksWaiting = false,
  className = '',
}: {
  members: readonly GroupMember[] | undefined
  count?: number
  friends: readonly Friend[] | undefined
  marksWaiting?: boolean
  className?: string
}) {
  const byId = new Map(friends.map((friend) => [friend.steam_id, friend]))
  const shown = (members ?? []).slice(0, SHOWN).map((member) => {
    const presence = byId.get(member.steam_id)
    const isWaiting = marksWaiting && !hasJoined(member)
    const label = [nameOf(member), presence && presenceText(presence), isWaiting && texts.notJoined]
    return { member, presence, isWaiting, label: label.filter(Boolean).join(', ') }
  })
  const rest = count - SHOWN
  return (
    <div
      {...(shown.length > 0 && { role: 'img', 'aria-label': shown.map(({ label }) => label).join('; ') })}
      className={`flex min-h-9 items-center ${className}`}
    >
      {members === undefined &&
        Array.from({ length: Math.min(count, SHOWN) }, (_, nth) => (
          <span key={nth} className="-mr-1.5 size-9 rounded-round bg-raised" />
        ))}
      {shown.map(({ member, presence, isWaiting, label }) => (
        <span key={member.steam_id} title={label} className="relative -mr-1.5 block">
          <Avatar
            src={member.avatar_url}
            size="small"
            presence={presence && presenceOf(presence)}
            className={isWaiting ? 'grayscale' : ''}
          />
          {isWaiting && (
            <span className="forced-color-adjust-none absolute top-0 right-0 size-3 rounded-round border-2 border-deep bg-violet" />
          )}
        </span>
      ))}
      {rest > 0 && (
        <span className="ml-4 text-sm font-semibold tabular-nums">{texts.moreMembers({ count: rest })}</span>
      )}
    </div>
  )
}
