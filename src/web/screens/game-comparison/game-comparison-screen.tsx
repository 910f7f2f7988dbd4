/**
 * Game Comparison (COMP-1): what the user and one friend both own.
 * Requirements: COMP-4.
 */
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useParams, useSearchParams } from 'react-router'
import type { Player } from '#shared/entities.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { friendsQueries } from '../../data/friends.ts'
import { libraryQueries } from '../../data/library.ts'
import { comparison as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { ChooseFriend, FriendPicker } from '../../ui/people/friend-picker.tsx'
import { Name, nameOf, visibleName } from '../../ui/people/name.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { BothOwn } from './both-own.tsx'

/**
 * The screen. The chosen friend is stored in the query string (`?friend=`). The game in the path is highlighted if both
 * own it, and otherwise ignored: the sidebar always links to game 1 (COMP-7, NAV-1).
 */
export function GameComparisonScreen() {
  const { steamId } = useSignedIn()
  const gameId = Number(useParams().gameId)
  const [params, setParams] = useSearchParams()
  const stored = useQuery(friendsQueries.stored(steamId))
  const friends = stored.data?.friends ?? []
  const chosenId = comparable(params.get('friend'), steamId)
  const chosen = friends.find((friend) => friend.steam_id === chosenId)

  return (
    <Screen title={text.title}>
      <section
        aria-label={text.people}
        className="frosted relative z-10 flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card p-4 sm:p-5"
      >
        <People friendId={chosenId} friend={chosen} isLoading={stored.isPending} />
        <FriendPicker
          friends={friends}
          isLoading={stored.isPending}
          selected={chosen}
          onSelect={(friend) => setParams({ friend: friend.steam_id }, { preventScrollReset: true })}
          className="min-w-0 grow basis-64"
        />
      </section>
      {chosenId === null ? (
        <ChooseFriend
          query={stored}
          icon={<Scale />}
          text={text.chooseFriend}
          to={(friend) => `?friend=${friend.steam_id}`}
        />
      ) : (
        // The key prevents games of one friend from being shown for another.
        <section key={chosenId} aria-labelledby="compared-games" className="grid gap-5">
          <h2 id="compared-games" className="text-xl font-semibold tracking-tight">
            {text.list}
          </h2>
          <BothOwn friendId={chosenId} gameId={gameId} />
        </section>
      )}
    </Screen>
  )
}

/** The id to compare with; one that nobody can have, or my own, is ignored. */
function comparable(id: string | null, me: string): string | null {
  return id !== null && isSteamId(id) && id !== me ? id : null
}

/** Both people with their avatars, in one line of the same height whoever they are. */
function People({
  friendId,
  friend,
  isLoading,
}: {
  friendId: string | null
  friend: Player | undefined
  isLoading: boolean
}) {
  const { steamId, displayName, avatarUrl } = useSignedIn()
  // A member of a common group may not be on the friend list.
  const summary = useQuery({
    ...libraryQueries.summary(friendId ?? ''),
    enabled: friendId !== null && friend === undefined && !isLoading,
  })
  const other = friend ?? summary.data
  return (
    <div className="flex h-12 min-w-0 grow basis-80 items-center gap-4">
      <div className="flex shrink-0 -space-x-3">
        <Avatar src={avatarUrl} className="ring-2 ring-mint" />
        {friendId !== null && (
          <Avatar src={other?.avatar_url} className={other ? 'ring-2 ring-violet' : 'opacity-50'} />
        )}
      </div>
      <p className="flex min-w-0 gap-1.5 font-semibold">
        <Name className="line-clamp-1">{visibleName(displayName) ?? steamId}</Name>{' '}
        {friendId !== null && (
          <>
            <span className="shrink-0 font-normal text-soft">{text.with}</span>{' '}
            {other ? <Name className="line-clamp-1">{nameOf(other)}</Name> : <span>…</span>}
          </>
        )}
      </p>
    </div>
  )
}
