/** The games that only one of the two compared people owns (COMP-9). */
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useMemo } from 'react'
import { hoursAndMinutes } from '#shared/playtime.ts'
import { isNetworkError } from '../../data/http.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import { comparisonOverlap as text } from '../../messages/comparison.ts'
import { useSignedIn } from '../../session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameShelf } from '../../ui/game-shelf.tsx'
import { librarySorts } from '../../ui/game-sorts.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { missingIn } from './parts.ts'

export function OnlyOneOwns({ friendId, part }: { friendId: string; part: 'mine' | 'theirs' }) {
  const { steamId } = useSignedIn()
  const mine = useQuery(libraryQueries.games(steamId))
  const theirs = useQuery(libraryQueries.games(friendId))
  const [owner, other] = part === 'mine' ? [mine, theirs] : [theirs, mine]
  const isUnknown = [mine, theirs].some(({ data }) => data && data.status !== 'ok' && data.games.length === 0)
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
      skeleton={<GameGridSkeleton text={messages.comparison.loading} plain />}
      failed={isNetworkError(error) ? messages.networkError : messages.comparison.failed}
      empty={<EmptyState icon={<Scale />}>{isUnknown ? text.unknown : text.none[part]}</EmptyState>}
    >
      {(list) => (
        <GameShelf
          games={list}
          sorts={librarySorts}
          searchLabel={text.searchLabel[part]}
          heading="h3"
          label={text.lists[part]}
          detail={(game) => messages.myGames.played(hoursAndMinutes(game.playtime_minutes))}
        />
      )}
    </Loaded>
  )
}
