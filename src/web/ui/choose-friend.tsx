/** Shown in place of a friend's games until a friend is chosen. */
import { UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Friend } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { friendSearch } from '../more-messages.ts'
import { Avatar, presenceOf, presenceText } from './avatar.tsx'
import { ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Loaded, type Loadable } from './loaded.tsx'
import { Name, nameOf } from './name.tsx'
import { inPickingOrder } from './people.ts'

const PICKS = 12

/**
 * Asks to choose a friend and links to likely ones, or to the Friends page if there are none.
 * @param query my friends as stored; a failed load is shown above
 * @param to the link target for a friend
 */
export function ChooseFriend({
  query,
  icon,
  text,
  to,
}: {
  query: Loadable<{ friends: readonly Friend[] }>
  icon: ReactNode
  text: string
  to: (friend: Friend) => string
}) {
  const friends = query.data?.friends ?? []
  return (
    <>
      <Loaded query={query} skeleton={null} failed={messages.friends.failed}>
        {() => null}
      </Loaded>
      <EmptyState
        icon={icon}
        action={
          query.data?.friends.length === 0 ? (
            <ButtonLink to="/friends" icon={<UsersRound aria-hidden />}>
              {friendSearch.toFriends}
            </ButtonLink>
          ) : (
            <FriendPicks friends={friends} to={to} />
          )
        }
      >
        {text}
      </EmptyState>
    </>
  )
}

/** Links for the first friends whose libraries are known; nothing if there are none. */
function FriendPicks({ friends, to }: { friends: readonly Friend[]; to: (friend: Friend) => string }) {
  const picks = inPickingOrder(friends.filter((friend) => friend.library_status === 'ok')).slice(0, PICKS)
  if (picks.length === 0) return null
  return (
    <ul
      aria-label={friendSearch.picks}
      className="grid w-full max-w-4xl grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-2 text-left"
    >
      {picks.map((friend) => (
        <li key={friend.steam_id} className="min-w-0">
          <Link
            to={to(friend)}
            aria-description={presenceText(friend)}
            className="flex min-h-12 items-center gap-3 rounded-round border border-line bg-raised/60 py-1.5 pr-4 pl-2 text-sm font-medium transition hover:border-edge hover:bg-raised"
          >
            <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
            <Name className="line-clamp-1">{nameOf(friend)}</Name>
          </Link>
        </li>
      ))}
    </ul>
  )
}
