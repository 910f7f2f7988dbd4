/** The games that only one of the two compared people owns (COMP-9). */
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useMemo } from 'react'
import type { Game } from '#shared/entities.ts'
import { hoursAndMinutes } from '#shared/playtime.ts'
import { isNetworkError } from '../../data/http.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import { comparisonOverlap as text } from '../../messages/comparison.ts'
import { useSignedIn } from '../../session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameShelf, type Sorts } from '../../ui/game-shelf.tsx'
import { byName } from '../../ui/game-view.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { missingIn } from './parts.ts'

const sorts: Sorts<Game, keyof typeof text.sorts> = {
  playtime: { text: text.sorts.playtime, order: undefined },
  alphabetical: { text: text.sorts.alphabetical, order: byName },
  recent: {
    text: text.sorts.recent,
    order: (a, b) => (b.last_played_at ?? '').localeCompare(a.last_played_at ?? ''),
  },
  least: { text: text.sorts.least, order: (a, b) => a.playtime_minutes - b.playtime_minutes },
}

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
          sorts={sorts}
          searchLabel={text.searchLabel[part]}
          heading="h3"
          label={text.lists[part]}
          detail={(game) => messages.myGames.played(hoursAndMinutes(game.playtime_minutes))}
        />
      )}
    </Loaded>
  )
}
