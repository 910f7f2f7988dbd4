/**
 * The cards about my games: My Top Games, Top 5 Games by Playtime and Total Playtime.
 * Requirements: LOOK-22.
 */
import { useQuery } from '@tanstack/react-query'
import { Gamepad2, Library } from 'lucide-react'
import { Link } from 'react-router'
import type { Game, LibraryStatus } from '#shared/entities.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { roundedHours } from '#shared/playtime.ts'
import { libraryQueries } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { dashboard as texts, myGames } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name } from '../../ui/people/name.tsx'
import { SteamPrivacyLink } from '../../ui/people/steam-privacy.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { CardEmptyState, hasFailed, rowsOrEmpty } from './card-empty-state.tsx'
import { playtimeCharts } from './playtime-charts.ts'

/** My games, most played first. */
function useMyGames() {
  const { steamId } = useSignedIn()
  const query = useQuery(libraryQueries.games(steamId))
  return { query, games: rowsOrEmpty(query, ({ games }) => games) }
}

/** Why the list of games is empty. */
function whyNoGames(status: LibraryStatus | undefined, isSyncing: boolean): string {
  if (isSyncing) return texts.gamesSyncing
  if (status === 'private') return myGames.privateExplained
  return status === 'ok' ? texts.gamesNone : texts.gamesNeverSynced
}

function NoGames({ query }: Pick<ReturnType<typeof useMyGames>, 'query'>) {
  const { steamId } = useSignedIn()
  const { data } = useQuery(syncQueries.status(steamId))
  return (
    <CardEmptyState
      query={query}
      icon={<Gamepad2 />}
      action={query.data?.status === 'private' && <SteamPrivacyLink />}
    >
      {whyNoGames(query.data?.status, data?.games?.reading === true)}
    </CardEmptyState>
  )
}

/** My Top Games: three by playtime (DASH-3). */
export function MyTopGamesCard({ className }: { className?: string }) {
  const { query, games } = useMyGames()
  return (
    <Card title={texts.topGames} className={className}>
      {/* Always three rows tall beside Top Common Games, so that the cards below do not move when games come. */}
      <div className="relative flex flex-1 flex-col">
        <ul className="grid flex-1 content-start gap-4 sm:grid-cols-3 lg:grid-cols-1">
          {Array.from({ length: DASHBOARD.topGames }, (_, row) => {
            const game = games?.[row]
            return game ? <TopGame key={row} game={game} /> : <EmptyRow key={row} isLoading={!games} />
          })}
        </ul>
        {games?.length === 0 && (
          <div className="grid flex-1 lg:absolute lg:inset-0">
            <NoGames query={query} />
          </div>
        )}
      </div>
      <ButtonLink to="/my_games" icon={<Library aria-hidden />}>
        {texts.viewAllGames}
      </ButtonLink>
    </Card>
  )
}

/** On a phone the name stands beside the art, so that three games take half a window. */
const BESIDE_ART = 'max-sm:grid-cols-[9rem_minmax(0,1fr)] max-sm:items-center max-sm:gap-x-4'

/** A row without a game: a skeleton while loading, else as much room on wide screens. */
function EmptyRow({ isLoading }: { isLoading: boolean }) {
  const look = isLoading ? 'skeleton rounded-chip' : ''
  return (
    <li aria-hidden className={`grid gap-1.5 ${BESIDE_ART} ${isLoading ? '' : 'invisible max-lg:hidden'}`}>
      <div className={`aspect-[460/215] ${look}`} />
      <div className={`h-6 w-2/3 ${look}`} />
    </li>
  )
}

function TopGame({ game }: { game: Game }) {
  return (
    <li className="min-w-0">
      <Link
        to={`/games/${game.appid}`}
        className={`grid content-start gap-1.5 rounded-control transition hover:brightness-110 ${BESIDE_ART}`}
      >
        <GameArt game={game} className="rounded-control shadow-card" />
        <span className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
          <Name className="line-clamp-1 min-w-0 flex-1 basis-28 font-semibold max-sm:line-clamp-2 max-sm:basis-full">
            {game.name}
          </Name>
          <span className="text-sm text-soft tabular-nums">
            {texts.played({ hours: roundedHours(game.playtime_minutes) })}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Top 5 Games by Playtime: a bar chart of hours per game (DASH-17). */
export function TopGamesChartCard({ className }: { className?: string }) {
  const { query, games } = useMyGames()
  const code = useQuery(playtimeCharts)
  return (
    <Card title={texts.topGamesChart} className={className}>
      {games?.length === 0 ? (
        <NoGames query={query} />
      ) : hasFailed(code) ? (
        <CardEmptyState query={code} />
      ) : games && code.data ? (
        <code.data.Bars games={games} />
      ) : (
        <BarsSkeleton rows={games?.length} />
      )}
    </Card>
  )
}

/** As tall as the bars with their scale. @param rows the number of games, once known */
function BarsSkeleton({ rows }: { rows: number | undefined }) {
  return (
    <div aria-hidden className="grid flex-1 content-center gap-1 pb-6">
      {['w-full', 'w-3/4', 'w-3/5', 'w-2/5', 'w-1/4'].slice(0, rows).map((width) => (
        <div key={width} className="grid min-h-9 items-center">
          <Skeleton className={`h-6 ${width}`} />
        </div>
      ))}
    </div>
  )
}

/** Total Playtime: a gauge up to 1000 hours, with the real figure beside it even when that is larger (DASH-24). */
export function TotalPlaytimeCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const query = useQuery(libraryQueries.totalPlaytime(steamId))
  const code = useQuery(playtimeCharts)
  // A failed load counts as 0 (DASH-33).
  const minutes = query.data ?? (query.isError ? 0 : undefined)
  const hours = minutes === undefined ? undefined : roundedHours(minutes)

  return (
    <Card title={texts.totalPlaytime} className={className}>
      <div className="grid flex-1 content-center justify-items-center">
        {hasFailed(code) ? (
          <CardEmptyState query={code} />
        ) : hours === undefined || !code.data ? (
          <GaugeSkeleton />
        ) : (
          <code.data.Gauge hours={hours} />
        )}
      </div>
    </Card>
  )
}

/** As tall as the gauge with the line below it. */
function GaugeSkeleton() {
  return (
    <div aria-hidden className="grid w-full max-w-48 gap-1.5">
      <Skeleton className="aspect-2/1 rounded-t-round" />
      <p className="text-xs">&nbsp;</p>
    </div>
  )
}
