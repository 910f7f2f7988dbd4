/** Game Comparison (COMP-1): games that the user and one friend both own. */
import { useQuery } from '@tanstack/react-query'
import { Library, RefreshCw, Scale } from 'lucide-react'
import { useCallback } from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { ComparisonEntry, Friend } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { comparisonQueries } from '../../data/comparison.ts'
import { friendsQueries } from '../../data/friends.ts'
import { isNetworkError } from '../../data/http.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ChooseFriend } from '../../ui/choose-friend.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FriendPicker } from '../../ui/friend-picker.tsx'
import { GameShelf } from '../../ui/game-shelf.tsx'
import { byName, type GameView, type Order, viewedBy } from '../../ui/game-view.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Screen } from '../../ui/screen.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { moveToFront } from './move-to-front.ts'

const text = messages.comparison

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
  const chosenId = params.get('friend')
  const chosen = friends.find((friend) => friend.steam_id === chosenId)

  return (
    <Screen wide title={text.title}>
      <div className="relative z-10">
        <FriendPicker
          friends={friends}
          isLoading={stored.isPending}
          selected={chosen}
          onSelect={(friend) => setParams({ friend: friend.steam_id }, { preventScrollReset: true })}
        />
      </div>
      {chosenId === null ? (
        <ChooseFriend
          query={stored}
          icon={<Scale />}
          text={text.chooseFriend}
          to={(friend) => `?friend=${friend.steam_id}`}
        />
      ) : (
        // The key prevents games of one friend from being shown for another.
        <CommonGames key={chosenId} friendId={chosenId} friend={chosen} gameId={gameId} />
      )}
    </Screen>
  )
}

/** Games You Both Own. */
function CommonGames({
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
    <section aria-labelledby="common-games" className="grid gap-5">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="common-games" className="text-xl font-semibold tracking-tight">
          {text.list}
        </h2>
        <p className="text-sm text-soft tabular-nums">
          {query.data && messages.gameView.count(query.data.length)}
        </p>
      </header>
      <Loaded
        query={query}
        skeleton={<GameGridSkeleton text={text.loading} plain />}
        failed={isNetworkError(query.error) ? messages.networkError : text.failed}
        empty={<NothingInCommon friendId={friendId} friend={friend} />}
      >
        {(games) => <Games games={games} gameId={gameId} />}
      </Loaded>
    </section>
  )
}

const choices = { sorts: text.sorts, modes: messages.gameView.modes }
const orders: Record<keyof typeof choices.sorts, Order<ComparisonEntry>> = {
  combined: undefined,
  mine: (a, b) => b.user_playtime - a.user_playtime,
  theirs: (a, b) => b.friend_playtime - a.friend_playtime,
  alphabetical: byName,
}

const find = viewedBy(orders)

function Games({ games, gameId }: { games: readonly ComparisonEntry[]; gameId: number }) {
  const findWithGame = useCallback(
    (all: readonly ComparisonEntry[], view: GameView<keyof typeof choices.sorts>) => {
      const found = find(all, view)
      return view.sort === 'combined' ? moveToFront(found, gameId) : found
    },
    [gameId],
  )
  return (
    <GameShelf
      games={games}
      choices={choices}
      find={findWithGame}
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
