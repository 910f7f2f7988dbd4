/** Games You Both Own (COMP-1), with both people's hours. */
import { useQuery } from '@tanstack/react-query'
import { Library, Scale } from 'lucide-react'
import { useMemo } from 'react'
import type { ComparisonEntry } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { comparisonQueries, mostPlayedByBoth } from '../../data/comparison.ts'
import { isNetworkError } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { comparisonSorts, comparison as comparisonTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameShelf, type Sorts } from '../../ui/game-shelf.tsx'
import { byName } from '../../ui/game-view.ts'
import { GameGridSkeleton } from '../../ui/game-grid-skeleton.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListNotKnown } from './not-known.tsx'
import { moveToFront } from './parts.ts'

const text = comparisonTexts

export function BothOwn({ friendId, gameId }: { friendId: string; gameId: number }) {
  const { steamId } = useSignedIn()
  const query = useQuery(comparisonQueries.compare(steamId, friendId))
  return (
    <Loaded
      query={query}
      skeleton={<GameGridSkeleton text={text.loading} plain />}
      failed={isNetworkError(query.error) ? messages.networkError : text.failed}
      empty={<NothingInCommon friendId={friendId} />}
    >
      {(games) => <Games games={games} gameId={gameId} />}
    </Loaded>
  )
}

const sorts: Sorts<ComparisonEntry, keyof typeof text.sorts | 'least'> = {
  both: { text: text.sorts.both, order: undefined },
  combined: { text: text.sorts.combined, order: (a, b) => hoursOfBoth(b) - hoursOfBoth(a) },
  mine: { text: text.sorts.mine, order: (a, b) => b.user_playtime - a.user_playtime },
  theirs: { text: text.sorts.theirs, order: (a, b) => b.friend_playtime - a.friend_playtime },
  alphabetical: { text: text.sorts.alphabetical, order: byName },
  least: { text: comparisonSorts.least, order: (a, b) => hoursOfBoth(a) - hoursOfBoth(b) },
}

const hoursOfBoth = ({ user_playtime, friend_playtime }: ComparisonEntry) => user_playtime + friend_playtime

function Games({ games, gameId }: { games: readonly ComparisonEntry[]; gameId: number }) {
  const gameFirst = useMemo(() => moveToFront(mostPlayedByBoth(games), gameId), [games, gameId])
  return (
    <GameShelf
      games={gameFirst}
      sorts={sorts}
      searchLabel={text.searchLabel}
      selected={gameId}
      heading="h3"
      label={text.list}
      detail={(game) => <Hours game={game} />}
    />
  )
}

/** Both people's hours as text and, in a wide row, as a bar in which the user's part is mint. */
function Hours({ game }: { game: ComparisonEntry }) {
  const total = game.user_playtime + game.friend_playtime
  return (
    <>
      <span className="block">
        {text.hours({ you: roundedHours(game.user_playtime), friend: roundedHours(game.friend_playtime) })}
      </span>
      <span
        aria-hidden
        className="forced-color-adjust-none mt-1.5 hidden h-1.5 gap-0.5 overflow-hidden rounded-round bg-line/60 @3xl:flex"
      >
        {total > 0 && (
          <>
            <span className="bg-mint" style={{ flexGrow: game.user_playtime / total }} />
            <span className="bg-violet" style={{ flexGrow: game.friend_playtime / total }} />
          </>
        )}
      </span>
    </>
  )
}

/** No games in common; or that is not known, because a library is not. */
function NothingInCommon({ friendId }: { friendId: string }) {
  const { data, isPending } = useQuery(comparisonQueries.overlap(useSignedIn().steamId, friendId))
  if (isPending) return <GameGridSkeleton text={text.loading} plain />
  if (!data?.overlap)
    return (
      <ListNotKnown part="both" friendId={friendId} isMine={data !== undefined && data.my_status !== 'ok'} />
    )
  return (
    <EmptyState
      icon={<Scale />}
      action={
        <ButtonLink to={`/friends/${friendId}/games`} icon={<Library aria-hidden />}>
          {text.theirGames}
        </ButtonLink>
      }
    >
      <span className="block font-medium text-ink">{text.empty}</span>
    </EmptyState>
  )
}
