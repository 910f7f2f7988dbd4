/** Compare Games: games that the user and one friend both own (DASH-12). */
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ComparisonEntry, Friend } from '#shared/entities.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { roundedHours } from '#shared/playtime.ts'
import { comparisonQueries, mostPlayedByBoth } from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { dashboard as texts, friends as friendsTexts, comparison, library } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name } from '../../ui/people/name.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { rowsOrEmpty, CardEmptyState } from './card-empty-state.tsx'
import { pickers } from './pickers.ts'

/** The card. Choosing another friend clears the result. */
export function CompareCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const list = useQuery(friendsQueries.stored(steamId))
  const friends = list.data?.friends ?? []
  const code = useQuery(pickers)
  const FriendPicker = code.data?.FriendPicker
  const [chosen, setChosen] = useState<Friend>()
  const [isRequested, setIsRequested] = useState(false)
  const query = useQuery({
    ...comparisonQueries.compare(steamId, chosen?.steam_id ?? ''),
    enabled: isRequested && chosen !== undefined,
  })
  const comparing = isRequested && query.isFetching

  function compare() {
    if (isRequested) void query.refetch()
    else setIsRequested(true)
  }

  return (
    // The open list of friends covers the cards that follow, but not the top bar of small screens.
    <Card title={texts.compareGames} className={`focus-within:z-10 ${className}`}>
      <div className="flex flex-wrap gap-3">
        {FriendPicker ? (
          <FriendPicker
            friends={friends}
            isLoading={list.isPending}
            selected={chosen}
            onSelect={(friend) => {
              setChosen(friend)
              setIsRequested(false)
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
        {isRequested && chosen !== undefined ? (
          <Result friend={chosen} rows={rowsOrEmpty(query, mostPlayedByBoth)} query={query} />
        ) : (
          <CardEmptyState query={code.isError ? code : list} icon={<Scale />}>
            {friends.length > 0
              ? texts.compareHint
              : list.data?.status === 'ok'
                ? friendsTexts.none
                : texts.compareNoFriends}
          </CardEmptyState>
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
  query: Parameters<typeof CardEmptyState>[0]['query']
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
      <CardEmptyState query={query} icon={<Scale />} always={comparison.empty}>
        {friend.library_status === 'ok' ? undefined : library.friend[friend.library_status]}
      </CardEmptyState>
    )
  return (
    <>
      <ul className="grid gap-1">
        {rows.slice(0, DASHBOARD.comparisonRows).map((game) => (
          <li key={game.appid}>
            <Link
              to={`/games/${game.appid}`}
              className="flex min-h-14 min-w-0 items-center gap-3.5 rounded-control transition hover:bg-raised/60"
            >
              <GameArt game={game} className="w-22 rounded-chip" />
              <span className="grid min-w-0 flex-1">
                <Name className="line-clamp-1 font-medium">{game.name}</Name>
                <span className="text-sm text-soft tabular-nums">
                  {comparison.hours({
                    you: roundedHours(game.user_playtime),
                    friend: roundedHours(game.friend_playtime),
                  })}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {rows.length > DASHBOARD.comparisonRows && (
        <ButtonLink to={`/friends/${friend.steam_id}/games`}>{texts.viewAll}</ButtonLink>
      )}
    </>
  )
}
