/** A friend's card, which links to their games. */
import { CircleCheck, CircleDashed, EyeOff, Lock } from 'lucide-react'
import { Link } from 'react-router'
import type { Friend } from '#shared/entities.ts'
import { messages } from '../../messages.ts'
import { Avatar, presenceOf } from '../../ui/avatar.tsx'
import { Name, nameOf } from '../../ui/name.tsx'

/** All cards have this height, in px. */
export const CARD_HEIGHT_PX = 104

const text = messages.friends
const libraryIcons = { ok: CircleCheck, private: Lock, never: CircleDashed, hidden: EyeOff }
const presenceColors = {
  playing: 'text-violet',
  online: 'text-mint',
  away: 'text-amber',
  offline: 'text-soft',
}

/** Avatar, name, presence and library status. Fills its box. */
export function FriendCard({ friend }: { friend: Friend }) {
  const presence = presenceOf(friend)
  const LibraryIcon = libraryIcons[friend.library_status]
  return (
    <Link
      to={`/friends/${friend.steam_id}/games`}
      className="flex h-full items-center gap-4 rounded-card border border-line/70 bg-surface/85 px-4 shadow-card transition hover:border-edge/70 hover:bg-raised/70"
    >
      <Avatar src={friend.avatar_url} size="medium" presence={presence} className="size-14!" />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <Name className="line-clamp-1 font-semibold">{nameOf(friend)}</Name>
        <span className={`flex min-w-0 gap-1 text-sm ${presenceColors[presence]}`}>
          {friend.playing !== null ? (
            <>
              <span className="shrink-0">{text.playing}</span>{' '}
              <Name className="line-clamp-1 min-w-0">{friend.playing}</Name>
            </>
          ) : (
            text.presence[presence === 'playing' ? 'online' : presence]
          )}
        </span>
        <span className="flex items-center gap-1.5 text-xs text-soft">
          <LibraryIcon aria-hidden className="size-3.5 shrink-0" />
          {messages.library.label[friend.library_status]}
        </span>
      </span>
    </Link>
  )
}
