/** The banner of a group: its games as a backdrop, and its members' avatars (GPAGE-26). */
import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import type { Friend, Group, GroupMember, SharedGame } from '#shared/entities.ts'
import { hasJoined } from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar, presenceOf, presenceText } from '../../ui/avatar.tsx'
import { nameOf } from '../../ui/name.tsx'

const texts = messages.group
const PICTURES = 5
const AVATARS = 6

/** Pictures of the group's top games, dimmed so that text on them is readable; a tint without pictures. */
export function GroupBackdrop({ group, games }: { group: Group; games: readonly SharedGame[] }) {
  const hue = (group.group_id * 137.508) % 360
  const pictures = games.flatMap(({ image_url }) => image_url ?? []).slice(0, PICTURES)
  return (
    <div
      aria-hidden
      className="absolute inset-0 -z-10 overflow-hidden bg-surface"
      style={{
        backgroundImage: `linear-gradient(110deg, oklch(0.26 0.06 ${hue}), oklch(0.2 0.05 ${hue + 60}))`,
      }}
    >
      <div className="absolute -inset-2 flex brightness-70">
        {pictures.map((src) => (
          <Picture key={src} src={src} />
        ))}
      </div>
      {/* With the brightness above, all text has enough contrast even on a white picture: large text at the top right has
          4.5:1, soft text at the bottom 6:1. */}
      <div className="absolute inset-0 bg-linear-to-r from-ground/80 to-ground/40" />
      <div className="absolute inset-0 bg-linear-to-t from-ground/80 to-transparent" />
    </div>
  )
}

function Picture({ src }: { src: string }) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  if (state === 'failed') return null
  return (
    <img
      src={src}
      alt=""
      decoding="async"
      referrerPolicy="no-referrer"
      onLoad={() => setState('loaded')}
      onError={() => setState('failed')}
      className={
        'h-full min-w-0 flex-1 object-cover blur-sm transition-opacity duration-200 max-sm:not-nth-[-n+3]:hidden ' +
        (state === 'loaded' ? 'opacity-100' : 'opacity-0')
      }
    />
  )
}

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
        className={isWaiting ? 'opacity-60' : ''}
      />
      {isWaiting && (
        <span className="absolute -right-1 -bottom-1 grid size-4.5 place-items-center rounded-round bg-violet text-ground">
          <Hourglass aria-hidden className="size-3" />
        </span>
      )}
    </span>
  )
}
