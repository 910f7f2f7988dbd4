/** The games that only one of the two compared people owns (COMP-8). */
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useMemo } from 'react'
import type { LibraryStatus } from '#shared/entities.ts'
import { hoursAndMinutes } from '../../format.ts'
import { isNetworkError } from '../../data/http.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import {
  comparisonOverlap as text,
  comparison as comparisonTexts,
  myGames as myGamesTexts,
} from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameShelf } from '../../ui/game-shelf.tsx'
import { librarySorts } from '../../ui/game-sorts.ts'
import { GameGridSkeleton } from '../../ui/game-grid-skeleton.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListNotKnown } from './not-known.tsx'
import { missingIn } from './parts.ts'

/** Whether a library was never read; one that was and is private now still has its games. */
const isNotKnown = (library: { status: LibraryStatus; games: readonly unknown[] } | undefined) =>
  library !== undefined && library.status !== 'ok' && library.games.length === 0

export function OnlyOneOwns({ friendId, part }: { friendId: string; part: 'mine' | 'theirs' }) {
  const { steamId } = useSignedIn()
  const mine = useQuery(libraryQueries.games(steamId))
  const theirs = useQuery(libraryQueries.games(friendId))
  const [owner, other] = part === 'mine' ? [mine, theirs] : [theirs, mine]
  const isUnknown = isNotKnown(mine.data) || isNotKnown(theirs.data)
  const games = useMemo(
    () => owner.data && other.data && (isUnknown ? [] : missingIn(other.data.games, owner.data.games)),
    [owner.data, other.data, isUnknown],
  )
  const error = owner.error ?? other.error
  const query = {
    data: games,
    error,
    isFetching: owner.isFetching || other.isFetching,
    refetch: () => Promise.all([owner.refetch(), other.refetch()]),
  }
  return (
    <Loaded
      query={query}
      skeleton={<GameGridSkeleton text={comparisonTexts.loading} plain />}
      failed={isNetworkError(error) ? messages.networkError : comparisonTexts.failed}
      empty={
        isUnknown ? (
          <ListNotKnown part={part} friendId={friendId} isMine={isNotKnown(mine.data)} />
        ) : (
          <EmptyState icon={<Scale />}>{text.none[part]}</EmptyState>
        )
      }
    >
      {(list) => (
        <GameShelf
          games={list}
          sorts={librarySorts}
          searchLabel={text.searchLabel[part]}
          heading="h3"
          label={text.lists[part]}
          detail={(game) => myGamesTexts.played({ playtime: hoursAndMinutes(game.playtime_minutes) })}
        />
      )}
    </Loaded>
  )
}
