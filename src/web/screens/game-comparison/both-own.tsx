/** Games You Both Own (COMP-3), with both people's hours. */
import { useQuery } from '@tanstack/react-query'
import { Library, RefreshCw, Scale } from 'lucide-react'
import { useMemo } from 'react'
import type { ComparisonEntry, Friend } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { comparisonQueries } from '../../data/comparison.ts'
import { isNetworkError } from '../../data/http.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { comparisonSorts } from '../../messages/lists.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameShelf, type Sorts } from '../../ui/game-shelf.tsx'
import { byName } from '../../ui/game-view.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { moveToFront } from './parts.ts'

const text = messages.comparison

export function BothOwn({
  friendId,
  friend,
  gameId,
}: {
  friendId: string
  friend: Friend | undefined
  gameId: number
}) {
  const { steamId } = useSignedIn()
  const query = useQuery(comparisonQueries.compare(steamId, friendId))
  return (
    <Loaded
      query={query}
      skeleton={<GameGridSkeleton text={text.loading} plain />}
      failed={isNetworkError(query.error) ? messages.networkError : text.failed}
      empty={<NothingInCommon friendId={friendId} friend={friend} />}
    >
      {(games) => <Games games={games} gameId={gameId} />}
    </Loaded>
  )
}

const sorts: Sorts<ComparisonEntry, keyof typeof text.sorts | 'least'> = {
  combined: { text: text.sorts.combined, order: undefined },
  mine: { text: text.sorts.mine, order: (a, b) => b.user_playtime - a.user_playtime },
  theirs: { text: text.sorts.theirs, order: (a, b) => b.friend_playtime - a.friend_playtime },
  alphabetical: { text: text.sorts.alphabetical, order: byName },
  least: {
    text: comparisonSorts.least,
    order: (a, b) => a.user_playtime + a.friend_playtime - (b.user_playtime + b.friend_playtime),
  },
}

function Games({ games, gameId }: { games: readonly ComparisonEntry[]; gameId: number }) {
  const gameFirst = useMemo(() => moveToFront(games, gameId), [games, gameId])
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

/** Both people's hours as text and as a bar, in which the user's part is mint. */
function Hours({ game }: { game: ComparisonEntry }) {
  const total = game.user_playtime + game.friend_playtime
  return (
    <>
      <span className="block">
        {text.hours(roundedHours(game.user_playtime), roundedHours(game.friend_playtime))}
      </span>
      <span aria-hidden className="mt-1.5 flex h-1.5 gap-0.5 overflow-hidden rounded-round bg-line/60">
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

/** No games in common, perhaps because a library is not known. */
function NothingInCommon({ friendId, friend }: { friendId: string; friend: Friend | undefined }) {
  const { steamId } = useSignedIn()
  const status = useQuery(syncQueries.status(steamId)).data
  const isMineUnsynced = status?.games.status === 'never'
  const theirs = friend && friend.library_status !== 'ok' ? friend.library_status : undefined
  return (
    <EmptyState
      icon={<Scale />}
      action={
        isMineUnsynced ? (
          <ButtonLink to="/my_games" variant="primary" icon={<RefreshCw aria-hidden />}>
            {text.toMyGames}
          </ButtonLink>
        ) : (
          <ButtonLink to={`/friends/${friendId}/games`} icon={<Library aria-hidden />}>
            {text.theirGames}
          </ButtonLink>
        )
      }
    >
      <span className="block font-medium text-ink">{text.empty}</span>
      {isMineUnsynced ? (
        <span className="mt-1 block">{text.mineNeverSynced}</span>
      ) : (
        theirs && <span className="mt-1 block">{messages.library.friend[theirs]}</span>
      )}
    </EmptyState>
  )
}
