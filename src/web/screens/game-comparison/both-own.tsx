/** Games You Both Own (COMP-1), with both people's hours. */
import { useQuery } from '@tanstack/react-query'
import { Library, Scale } from 'lucide-react'
import { useMemo } from 'react'
import type { ComparisonEntry } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { comparisonQueries, mostPlayedByBoth } from '../../data/common-games.ts'
import { isNetworkError } from '../../data/http.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages, comparisonSorts, comparison as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { GameShelf, type Sorts } from '../../ui/games/game-shelf.tsx'
import { byName } from '../../ui/games/game-view.ts'
import { GameGridSkeleton } from '../../ui/games/game-grid-skeleton.tsx'
import { PrivateHelp } from '../../ui/people/private-help.tsx'

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

/** The games with the one of the address first, if it is among them. */
function moveToFront(games: readonly ComparisonEntry[], appid: number): readonly ComparisonEntry[] {
  const game = games.find((candidate) => candidate.appid === appid)
  return game ? [game, ...games.filter((candidate) => candidate !== game)] : games
}

/** Says that there are no games in common, or whose library is not known: mine first, which the user can change (COMP-11). */
function NothingInCommon({ friendId }: { friendId: string }) {
  const { steamId } = useSignedIn()
  const mine = useQuery(libraryQueries.games(steamId))
  const theirs = useQuery(libraryQueries.games(friendId))
  if (mine.isPending || theirs.isPending) return <GameGridSkeleton text={text.loading} plain />
  const [mineIs = 'ok', theirsIs = 'ok'] = [mine.data?.status, theirs.data?.status]
  const isMine = mineIs !== 'ok'
  const isKnown = mine.data && theirs.data && mineIs === 'ok' && theirsIs === 'ok'
  const why = mineIs === 'ok' ? text.notKnown.theirs[theirsIs] : text.notKnown.mine[mineIs]
  return (
    <EmptyState
      icon={<Scale />}
      action={
        <>
          {isMine ? (
            <ButtonLink to="/my_games" variant="primary" icon={<Library aria-hidden />}>
              {text.toMyGames}
            </ButtonLink>
          ) : (
            <ButtonLink to={`/friends/${friendId}/games`} icon={<Library aria-hidden />}>
              {text.theirGames}
            </ButtonLink>
          )}
          {(isMine ? mineIs : theirsIs) === 'private' && (
            <HelpWithPrivate steamId={isMine ? steamId : friendId} />
          )}
        </>
      }
    >
      {isKnown ? (
        <span className="block font-medium text-ink">{text.empty}</span>
      ) : (
        <>
          <span className="block font-medium text-ink">{why.reason}</span>
          <span className="block">{why.remedy}</span>
        </>
      )}
    </EmptyState>
  )
}

function HelpWithPrivate({ steamId }: { steamId: string }) {
  const { data } = useQuery(libraryQueries.summary(steamId))
  return data && <PrivateHelp people={[data]} />
}
