/** The cards about my games: My Top Games, Top 5 Games by Playtime and Total Playtime. */
import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from '@visx/scale'
import { Arc } from '@visx/shape'
import { Gamepad2, Library } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import type { Game, LibraryStatus } from '#shared/entities.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { roundedHours } from '#shared/playtime.ts'
import { libraryQueries } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { Name } from '../../ui/name.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'
import { rowsOrEmpty, CardEmptyState } from './card-empty-state.tsx'
import { shortName } from './short-name.ts'

const texts = messages.dashboard

/** My games, most played first. */
function useMyGames() {
  const { steamId } = useSignedIn()
  const query = useQuery(libraryQueries.games(steamId))
  return { query, games: rowsOrEmpty(query, ({ games }) => games) }
}

/** Why the list of games is empty. */
function whyNoGames(status: LibraryStatus | undefined, isSyncing: boolean): string {
  if (isSyncing) return texts.firstRun.gamesSyncing
  if (status === 'private') return messages.myGames.privateExplained
  return status === 'ok' ? texts.gamesNone : texts.gamesNeverSynced
}

function NoGames({ query }: Pick<ReturnType<typeof useMyGames>, 'query'>) {
  const { steamId } = useSignedIn()
  const { data } = useQuery(syncQueries.status(steamId))
  return (
    <CardEmptyState query={query} icon={<Gamepad2 />}>
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

/** A row without a game: a skeleton while loading, else as much room on wide screens. */
function EmptyRow({ isLoading }: { isLoading: boolean }) {
  const look = isLoading ? 'skeleton rounded-chip' : ''
  return (
    <li aria-hidden className={`grid gap-1.5 ${isLoading ? '' : 'invisible max-lg:hidden'}`}>
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
        className="grid content-start gap-1.5 rounded-control transition hover:brightness-110"
      >
        <GameArt game={game} className="rounded-control shadow-card" />
        <span className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
          <Name className="line-clamp-1 min-w-0 flex-1 basis-28 font-semibold">{game.name}</Name>
          <span className="text-sm whitespace-nowrap text-soft tabular-nums">
            {texts.played(roundedHours(game.playtime_minutes))}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Top 5 Games by Playtime: a bar chart of hours per game (DASH-17). */
export function TopGamesChartCard({ className }: { className?: string }) {
  const { query, games } = useMyGames()
  return (
    <Card title={texts.topGamesChart} className={className}>
      {games?.length === 0 ? <NoGames query={query} /> : games ? <Bars games={games} /> : <BarsSkeleton />}
    </Card>
  )
}

function Bars({ games }: { games: readonly Game[] }) {
  const bars = games
    .slice(0, DASHBOARD.chartGames)
    .map(({ appid, name, playtime_minutes }) => ({ appid, name, hours: roundedHours(playtime_minutes) }))
  const percent = scaleLinear<number>({
    domain: [0, Math.max(1, ...bars.map(({ hours }) => hours))],
    range: [0, 100],
    nice: true,
  })
  const ticks = percent.ticks(4).filter(Number.isInteger)

  return (
    <div className="grid flex-1 grid-cols-[auto_1fr_auto] content-center gap-x-4 text-sm">
      <ol aria-label={texts.bars} className="col-span-3 grid grid-cols-subgrid gap-y-1">
        {bars.map(({ appid, name, hours }) => (
          <li key={appid} className="col-span-3 grid min-h-9 grid-cols-subgrid items-center">
            <Link
              to={`/games/${appid}`}
              className="-my-1 flex min-h-11 items-center whitespace-nowrap underline-offset-4 hover:underline"
              title={name}
            >
              <Name>{shortName(name)}</Name>
            </Link>
            <span aria-hidden className="relative h-full">
              {ticks.map((tick) => (
                <i
                  key={tick}
                  className="absolute inset-y-0 w-px bg-line/60"
                  style={{ left: `${percent(tick)}%` }}
                />
              ))}
              <i
                className="chart-bar absolute inset-y-1.5 left-0 min-w-0.5 rounded-r-chip bg-linear-to-r from-teal to-mint"
                style={{ width: `${percent(hours)}%` }}
              />
            </span>
            <span className="text-right font-semibold tabular-nums">{messages.gameView.hours(hours)}</span>
          </li>
        ))}
      </ol>
      <div aria-hidden className="relative col-start-2 h-6 text-xs text-soft tabular-nums">
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute top-1 -translate-x-1/2 whitespace-nowrap"
            style={{ left: `${percent(tick)}%` }}
          >
            {tick}
          </span>
        ))}
      </div>
    </div>
  )
}

function BarsSkeleton() {
  return (
    <div aria-hidden className="grid flex-1 content-center gap-4 py-1">
      {['w-full', 'w-3/4', 'w-3/5', 'w-2/5', 'w-1/4'].map((width) => (
        <Skeleton key={width} className={`h-6 ${width}`} />
      ))}
    </div>
  )
}

const GAUGE = { outer: 100, inner: 80 }
const half = { startAngle: -Math.PI / 2, endAngle: Math.PI / 2 }

/** Total Playtime: a gauge up to 1000 hours, with the real figure beside it even when that is larger (DASH-24). */
export function TotalPlaytimeCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const query = useQuery(libraryQueries.totalPlaytime(steamId))
  // A failed load counts as 0 (DASH-34).
  const minutes = query.data ?? (query.isError ? 0 : undefined)
  const hours = minutes === undefined ? undefined : roundedHours(minutes)

  return (
    <Card title={texts.totalPlaytime} className={className}>
      <div className="grid flex-1 content-center justify-items-center">
        {hours === undefined ? (
          <Skeleton className="aspect-2/1 w-full max-w-64 rounded-t-round" />
        ) : (
          <Gauge hours={hours} />
        )}
      </div>
    </Card>
  )
}

function Gauge({ hours }: { hours: number }) {
  const { outer, inner } = GAUGE
  const share = Math.min(1, hours / DASHBOARD.gaugeMaxHours)
  const over = hours - DASHBOARD.gaugeMaxHours
  // A full arc, rotated out of view by the missing share.
  const turn: CSSProperties & { '--turn': string } = { '--turn': `${(share - 1) * 180}deg` }
  return (
    <div
      role="meter"
      aria-label={texts.totalPlaytime}
      aria-valuemin={0}
      aria-valuemax={DASHBOARD.gaugeMaxHours}
      aria-valuenow={Math.min(hours, DASHBOARD.gaugeMaxHours)}
      aria-valuetext={`${hours} ${texts.hoursPlayed}`}
      className="grid w-full max-w-64 gap-1.5"
    >
      <div className="relative">
        <svg viewBox={`${-outer} ${-outer} ${2 * outer} ${outer}`} className="block w-full" aria-hidden>
          <defs>
            <linearGradient id="gauge-light">
              <stop offset="0" stopColor="var(--color-blue)" />
              <stop offset="1" stopColor="var(--color-mint)" />
            </linearGradient>
          </defs>
          <Arc {...half} innerRadius={inner} outerRadius={outer} className="fill-raised" />
          <g className="gauge-arc" style={turn}>
            <Arc {...half} innerRadius={inner} outerRadius={outer} fill="url(#gauge-light)" />
          </g>
        </svg>
        <p className="absolute inset-x-0 bottom-0 grid justify-items-center">
          <span className="text-4xl leading-none font-bold tracking-tight tabular-nums">{hours}h</span>
        </p>
      </div>
      {/* Below both ends of the arc; beyond its end, what the gauge has no room for. */}
      <p aria-hidden className="flex items-baseline justify-between text-xs text-soft tabular-nums">
        <span className="w-[10%] text-center">0</span>
        {over > 0 && <span className="ml-auto pr-2 font-semibold text-mint">{texts.gaugeOver(over)}</span>}
        {over !== 0 && (
          <span className="min-w-[10%]">{messages.gameView.hours(DASHBOARD.gaugeMaxHours)}</span>
        )}
      </p>
    </div>
  )
}
