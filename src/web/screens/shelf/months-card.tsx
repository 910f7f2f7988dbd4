/** Playtime by month (SHELF-1), as columns; the chosen month lists the games played most. */
import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from '@visx/scale'
import { useCallback, useId, useState } from 'react'
import { Link } from 'react-router'
import type { PlaytimeHistory } from '#shared/contract/library.ts'
import { roundedHours } from '#shared/playtime.ts'
import { playtimeHistoryQuery } from '../../data/games.ts'
import { shelf as texts, gameView } from 'virtual:texts'
import { formatTime, hoursAndMinutes } from '../../format.ts'
import { useSignedIn } from '../../session.ts'
import { Card } from '../../ui/frames/card.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Name } from '../../ui/people/name.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'

type Month = PlaytimeHistory['months'][number]

const long = (month: string) =>
  formatTime(new Date(month), { timeZone: 'UTC', month: 'long', year: 'numeric' })
const short = (month: string) => formatTime(new Date(month), { timeZone: 'UTC', month: 'short' })

export function MonthsCard() {
  const { steamId } = useSignedIn()
  const history = useQuery(playtimeHistoryQuery(steamId))
  return (
    <Card title={texts.months} className="lg:col-span-2 vast:col-span-4">
      <Loaded query={history} failed={texts.monthsFailed} skeleton={<Skeleton className="h-64" />}>
        {({ months, since }) => (
          <>
            <p className="-mt-3 text-sm text-soft">
              {since === null
                ? texts.notCounted
                : texts.since({ date: formatTime(new Date(since), { dateStyle: 'long' }) })}{' '}
              {since !== null && months.every(({ minutes }) => minutes === 0) && texts.monthsNone}
            </p>
            {months.some(({ minutes }) => minutes > 0) && <Months months={months} />}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Months({ months }: { months: readonly Month[] }) {
  const name = useId()
  const [wanted, setWanted] = useState<string>()
  const chosen =
    months.find(({ month }) => month === wanted) ?? months.findLast(({ minutes }) => minutes > 0)!
  const percent = scaleLinear<number>({
    domain: [0, Math.max(1, ...months.map(({ minutes }) => minutes))],
    range: [0, 100],
  })
  // The latest month is at the end.
  const scrollToEnd = useCallback((box: HTMLElement | null) => {
    if (box) box.scrollLeft = box.scrollWidth
  }, [])
  return (
    <div className="grid gap-5">
      <fieldset className="min-w-0">
        <legend className="sr-only">{texts.chooseMonth}</legend>
        <div ref={scrollToEnd} className="-m-1 flex gap-1 overflow-x-auto p-1">
          {months.map(({ month, minutes }, nth) => (
            <label
              key={month}
              className="relative grid min-w-12 max-w-20 flex-1 cursor-pointer gap-1 rounded-control px-1 pt-1 pb-1.5 text-center text-xs text-soft tabular-nums transition hover:bg-raised/60 has-checked:bg-violet-deep/40 has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-mint"
            >
              <input
                type="radio"
                name={name}
                checked={month === chosen.month}
                onChange={() => setWanted(month)}
                aria-label={texts.ofMonth({
                  month: long(month),
                  time: hoursAndMinutes(minutes),
                })}
                className="absolute inset-0 cursor-pointer appearance-none opacity-0"
              />
              <span aria-hidden>
                {minutes > 0 ? gameView.hours({ hours: roundedHours(minutes) }) : ''}&nbsp;
              </span>
              <span aria-hidden className="relative h-32 border-b border-line">
                <i
                  className="chart-column absolute inset-x-1.5 bottom-0 rounded-t-chip bg-linear-to-t from-teal to-mint"
                  style={{ height: `${percent(minutes)}%`, minHeight: minutes > 0 ? 2 : 0 }}
                />
              </span>
              <span aria-hidden>
                {short(month)}
                <span className="block">
                  {nth === 0 || month.endsWith('-01') ? month.slice(0, 4) : <>&nbsp;</>}
                </span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Games month={chosen} />
    </div>
  )
}

function Games({ month: { month, minutes, games } }: { month: Month }) {
  return (
    <div className="grid gap-3">
      <p aria-live="polite" className="font-semibold">
        {texts.ofMonth({ month: long(month), time: hoursAndMinutes(minutes) })}
      </p>
      {games.length === 0 ? (
        <p className="text-sm text-soft">{texts.monthEmpty}</p>
      ) : (
        <ol
          aria-label={texts.mostPlayed}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-x-4 gap-y-2"
        >
          {games.map((game) => (
            <li key={game.appid} className="min-w-0">
              <Link
                to={`/games/${game.appid}`}
                title={game.name}
                className="flex min-h-12 min-w-0 items-center gap-3 rounded-chip hover:text-mint-bright"
              >
                <GameArt game={game} className="w-20 rounded-chip" />
                <span className="grid min-w-0 text-sm">
                  <Name className="line-clamp-1 font-medium">{game.name}</Name>
                  <span className="text-xs text-soft tabular-nums">{hoursAndMinutes(game.minutes)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
