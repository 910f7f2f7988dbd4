/** The friends one is likely to want, one press away, while none is chosen yet. */
import { Link } from 'react-router'
import type { Friend } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { Avatar, presenceOf } from './avatar.tsx'
import { Name, nameOf } from './name.tsx'

const PICKS = 12

/** The first friends whose libraries are known, as links; nothing when there is none. */
export function FriendPicks({ friends, to }: { friends: readonly Friend[]; to: (friend: Friend) => string }) {
  const picks = friends.filter((friend) => friend.library_status === 'ok').slice(0, PICKS)
  if (picks.length === 0) return null
  return (
    <ul aria-label={messages.friendSearch.picks} className="flex max-w-4xl flex-wrap justify-center gap-3">
      {picks.map((friend) => (
        <li key={friend.steam_id} className="min-w-0">
          <Link
            to={to(friend)}
            className="flex min-h-12 items-center gap-3 rounded-round border border-line bg-raised/60 py-1.5 pr-4 pl-2 text-sm font-medium transition hover:border-edge hover:bg-raised"
          >
            <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
            <Name className="line-clamp-1 max-w-40">{nameOf(friend)}</Name>
          </Link>
        </li>
      ))}
    </ul>
  )
}
