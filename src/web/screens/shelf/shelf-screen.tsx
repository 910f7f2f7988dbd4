/** My Shelf (SHELF-1): what the user has played, in pictures. */
import { useQuery } from '@tanstack/react-query'
import { CalendarDays, Library } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { LibraryStatus, Game } from '#shared/entities.ts'
import { libraryQueries } from '../../data/library.ts'
import { shelf as texts, myGames as myGamesTexts, navigation, gameView, year } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink, Button } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { PrivateNotice } from '../../ui/people/steam-privacy.tsx'
import { LeadLink, Screen } from '../../ui/frames/screen.tsx'
import { Loading, Skeleton } from '../../ui/frames/skeletons.tsx'
import { ListSummary } from '../../ui/words/relative-time.tsx'
import '../../ui/frames/chart.css'
import { figuresOf, percentOf, type Figures } from './figures.ts'
import { MonthsCard } from './months-card.tsx'
import { Arc } from '@visx/shape'
import { roundedHours } from '#shared/playtime.ts'
import { Card } from '../../ui/frames/card.tsx'
import { formatNumber, hoursAndMinutes } from '../../format.ts'
import { scaleLinear } from '@visx/scale'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name } from '../../ui/people/name.tsx'

export function ShelfScreen() {
  const { steamId } = useSignedIn()
  const library = useQuery(libraryQueries.games(steamId))
  const games = library.data?.games
  const figures = useMemo(() => games && figuresOf(games), [games])

  return (
    <Screen
      title={navigation.shelf}
      lead={
        <div className="flex flex-wrap items-center gap-x-4">
          {/* First, and on phones alone in their row, so that nothing moves when the summary comes. */}
          <LeadLink to="/my_games" icon={Library}>
            {texts.toGames}
          </LeadLink>
          <LeadLink to="/my_games/year" icon={CalendarDays}>
            {year.toYear}
          </LeadLink>
          <span className="max-sm:basis-full">
            <ListSummary
              list={library.data}
              counts={({ games }) => [gameView.count({ games: games.length })]}
            />
          </span>
        </div>
      }
    >
      {library.data?.status === 'private' && (
        <PrivateNotice title={myGamesTexts.privateTitle}>{myGamesTexts.privateHint}</PrivateNotice>
      )}
      {figures && figures.games > 0 && figures.minutes === 0 && library.data?.status === 'ok' && (
        <PrivateNotice title={myGamesTexts.noPlaytimeTitle}>{myGamesTexts.noPlaytimeHint}</PrivateNotice>
      )}
      <Loaded
        query={library}
        failed={myGamesTexts.failed}
        skeleton={<ShelfSkeleton />}
        isEmpty={({ games }) => games.length === 0}
        empty={
          <EmptyState
            icon={<Library />}
            action={
              <ButtonLink variant="primary" to="/my_games">
                {texts.toSync}
              </ButtonLink>
            }
          >
            {texts.empty[emptyBecause(library.data?.status)]}
          </EmptyState>
        }
      >
        {() =>
          figures && (
            <div className="grid items-stretch gap-6 lg:grid-cols-2 vast:grid-cols-4">
              <TotalsCard figures={figures} />
              <SpreadCard figures={figures} />
              <RecentCard figures={figures} />
              <MonthsCard />
            </div>
          )
        }
      </Loaded>
    </Screen>
  )
}

function ShelfSkeleton() {
  return (
    <Loading>
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-80 rounded-card" />
        <Skeleton className="h-80 rounded-card" />
        <Skeleton className="h-72 rounded-card lg:col-span-2" />
      </div>
    </Loading>
  )
}

/** Why a library has no games; my own is never hidden from me. */
function emptyBecause(status: LibraryStatus | undefined): keyof typeof texts.empty {
  return status === 'ok' || status === 'private' ? status : 'never'
}

const RING = { outer: 100, inner: 78 }
const turn = 2 * Math.PI

function TotalsCard({ figures }: { figures: Figures<unknown> }) {
  const { games, minutes, played } = figures
  const hours = roundedHours(minutes)
  return (
    <Card title={texts.playedTitle}>
      <div className="grid flex-1 items-center gap-x-8 gap-y-6 sm:grid-cols-[auto_minmax(0,1fr)]">
        <Ring played={played} games={games} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:max-w-md">
          <Figure name={texts.played} dot="bg-mint">
            {formatNumber(played)}
          </Figure>
          <Figure name={texts.never} dot="bg-idle">
            {formatNumber(games - played)}
          </Figure>
          <Figure name={texts.totals.hours}>{formatNumber(hours)}</Figure>
          <Figure name={texts.totals.perGame}>
            {played === 0 ? '–' : formatNumber(Math.round(minutes / played / 6) / 10)}
          </Figure>
        </dl>
      </div>
    </Card>
  )
}

/** @param dot the colour of what it counts in the ring */
function Figure({ name, dot, children }: { name: string; dot?: string; children: string }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="flex items-baseline gap-2 text-sm text-soft">
        {dot !== undefined && (
          <span aria-hidden className={`forced-color-adjust-none size-2.5 shrink-0 rounded-round ${dot}`} />
        )}
        {name}
      </dt>
      <dd className="text-2xl font-bold tracking-tight tabular-nums">{children}</dd>
    </div>
  )
}

/** Drawn only: its figures stand beside it. */
function Ring({ played, games }: { played: number; games: number }) {
  const { outer, inner } = RING
  return (
    <div aria-hidden className="relative mx-auto w-44 max-w-full">
      <svg viewBox={`${-outer} ${-outer} ${2 * outer} ${2 * outer}`} className="block w-full">
        <Arc startAngle={0} endAngle={turn} innerRadius={inner} outerRadius={outer} className="fill-idle" />
        <g className="chart-ring">
          <Arc
            startAngle={0}
            endAngle={turn * (played / games)}
            innerRadius={inner}
            outerRadius={outer}
            className="fill-mint"
          />
        </g>
      </svg>
      <p className="absolute inset-0 grid place-content-center text-center">
        <span className="text-4xl leading-none font-bold tracking-tight tabular-nums">
          {texts.playedShare({ percent: percentOf(played, games) })}
        </span>
        <span className="mt-1 text-sm text-soft">{texts.playedShareBelow}</span>
      </p>
    </div>
  )
}

function SpreadCard({ figures: { spread } }: { figures: Figures<unknown> }) {
  const percent = scaleLinear<number>({
    domain: [0, Math.max(1, ...spread.map(({ games }) => games))],
    range: [0, 100],
  })
  return (
    <Card title={texts.spread}>
      <p className="-mt-3 text-sm text-soft">{texts.spreadHint}</p>
      <ol
        aria-label={texts.spread}
        className="grid flex-1 grid-cols-[auto_minmax(0,1fr)_auto] content-center gap-x-4 gap-y-1 text-sm"
      >
        {spread.map(({ span, games }) => (
          <li key={span} className="col-span-3 grid min-h-9 grid-cols-subgrid items-center">
            <span>{texts.spans[span]}</span>
            <span aria-hidden className="relative h-full">
              <i
                className={`chart-bar absolute inset-y-1.5 left-0 rounded-r-chip ${
                  span === 'never' ? 'bg-idle' : 'bg-linear-to-r from-teal to-mint'
                }`}
                style={{ width: `${percent(games)}%`, minWidth: games > 0 ? 2 : 0 }}
              />
            </span>
            <span className="text-right font-semibold tabular-nums">{formatNumber(games)}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Shown until all are asked for. */
const SHOWN = 12

function RecentCard({ figures }: { figures: Figures<Game> }) {
  const { recent, recentMinutes } = figures
  const [isAllShown, showAll] = useState(false)
  const most = recent[0]?.playtime_2weeks_minutes ?? 1
  return (
    <Card title={texts.recent} className="lg:col-span-2">
      <p className="-mt-3 text-sm text-soft tabular-nums">
        {recent.length === 0
          ? texts.recentNone
          : texts.recentTotal({ time: hoursAndMinutes(recentMinutes), games: recent.length })}
      </p>
      {recent.length > 0 && (
        <ul
          aria-label={texts.recent}
          className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-5"
        >
          {recent.slice(0, isAllShown ? undefined : SHOWN).map((game) => (
            <li key={game.appid} className="min-w-0">
              <Link
                to={`/games/${game.appid}`}
                className="grid gap-1.5 rounded-control hover:text-mint-bright"
                title={game.name}
              >
                <GameArt game={game} className="rounded-control shadow-card" />
                <span
                  aria-hidden
                  className="forced-color-adjust-none h-1.5 overflow-hidden rounded-round bg-line/60"
                >
                  <i
                    className="chart-bar block h-full rounded-round bg-mint"
                    style={{ width: `${(game.playtime_2weeks_minutes / most) * 100}%`, minWidth: 2 }}
                  />
                </span>
                <Name className="line-clamp-1 text-sm font-semibold">{game.name}</Name>
                <span className="text-xs text-soft tabular-nums">
                  {hoursAndMinutes(game.playtime_2weeks_minutes)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {recent.length > SHOWN && !isAllShown && (
        <Button className="self-start" onClick={() => showAll(true)}>
          {texts.showAll({ games: recent.length })}
        </Button>
      )}
    </Card>
  )
}
