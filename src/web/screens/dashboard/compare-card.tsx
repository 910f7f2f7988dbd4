/** Compare Games: my library beside one friend's (DASH-12). */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import type { ComparisonEntry, Friend } from '#shared/entities.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { roundedHours } from '#shared/playtime.ts'
import { comparisonQueries } from '../../data/comparison.ts'
import { friendsQueries } from '../../data/friends.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { Name } from '../../ui/name.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'
import { listOr, Nothing } from './nothing.tsx'

/**
 * The code of the friend search comes after the cards: it is a tenth of what the dashboard would load at first. It is
 * fetched as data is, so that it is fetched again when the server was away (PAGE-19).
 */
const friendPicker = queryOptions({
  queryKey: ['code', 'friend-picker'],
  queryFn: async () => (await import('../../ui/friend-picker.tsx')).FriendPicker,
  staleTime: Infinity,
})

const texts = messages.dashboard

/** The card. Rows belong to the friend they were asked for: choosing another one takes them away. */
export function CompareCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const list = useQuery(friendsQueries.stored(steamId))
  const friends = list.data?.friends ?? []
  const code = useQuery(friendPicker)
  const FriendPicker = code.data
  const [chosen, setChosen] = useState<Friend>()
  const [isAsked, setIsAsked] = useState(false)
  const query = useQuery({
    ...comparisonQueries.compare(steamId, chosen?.steam_id ?? ''),
    enabled: isAsked && chosen !== undefined,
  })
  const comparing = isAsked && query.isFetching

  function compare() {
    if (isAsked) void query.refetch()
    else setIsAsked(true)
  }

  return (
    // The open list of friends lies over the cards that follow, and beneath the bar of small screens.
    <Card title={texts.compareGames} className={`focus-within:z-10 ${className}`}>
      <div className="flex flex-wrap gap-3">
        {FriendPicker ? (
          <FriendPicker
            friends={friends}
            selected={chosen}
            onSelect={(friend) => {
              setChosen(friend)
              setIsAsked(false)
            }}
            className="min-w-0 flex-1 basis-48"
          />
        ) : (
          <Skeleton className="h-11 min-w-0 flex-1 basis-48 rounded-control" />
        )}
        <Button
          variant="primary"
          icon={<Scale aria-hidden />}
          className="grow whitespace-nowrap sm:grow-0"
          disabled={chosen === undefined}
          busy={comparing}
          busyLabel={texts.comparing}
          onClick={compare}
        >
          {texts.compare}
        </Button>
      </div>
      <div role="status" className="flex flex-1 flex-col gap-3">
        {isAsked && chosen !== undefined ? (
          <Result friend={chosen} rows={listOr(query, (list) => list)} query={query} />
        ) : (
          <Nothing query={code.isError ? code : list} icon={<Scale />}>
            {friends.length === 0 ? texts.compareNobody : texts.compareHint}
          </Nothing>
        )}
      </div>
    </Card>
  )
}

function Result({
  friend,
  rows,
  query,
}: {
  friend: Friend
  rows: readonly ComparisonEntry[] | undefined
  query: Parameters<typeof Nothing>[0]['query']
}) {
  if (rows === undefined)
    return (
      <ul aria-hidden className="grid gap-1">
        {Array.from({ length: DASHBOARD.comparisonRows }, (_, row) => (
          <li key={row} className="flex min-h-14 items-center gap-3.5">
            <Skeleton className="aspect-[460/215] w-22" />
            <Skeleton className="h-4 flex-1" />
          </li>
        ))}
      </ul>
    )
  if (rows.length === 0)
    return (
      <Nothing query={query} icon={<Scale />} always={messages.comparison.empty}>
        {friend.library_status === 'ok' ? undefined : texts.friendLibrary[friend.library_status]}
      </Nothing>
    )
  return (
    <>
      <ul className="grid gap-1">
        {rows.slice(0, DASHBOARD.comparisonRows).map((game) => (
          <li key={game.appid} className="flex min-h-14 min-w-0 items-center gap-3.5">
            <GameArt game={game} className="w-22 rounded-chip" />
            <span className="grid min-w-0 flex-1">
              <Name className="line-clamp-1 font-medium">{game.name}</Name>
              <span className="text-sm text-soft tabular-nums">
                {messages.comparison.hours(
                  roundedHours(game.user_playtime),
                  roundedHours(game.friend_playtime),
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {rows.length > DASHBOARD.comparisonRows && (
        <ButtonLink to={`/friends/${friend.steam_id}/games`}>{texts.viewAll}</ButtonLink>
      )}
    </>
  )
}
