/** Totals, and a ring of played and never played games. */
import { Arc } from '@visx/shape'
import { roundedHours } from '#shared/playtime.ts'
import { shelf as texts } from '../../more-messages.ts'
import { Card } from '../../ui/card.tsx'
import { percentOf, type Figures } from './figures.ts'
import { formatNumber } from '../../format.ts'

const RING = { outer: 100, inner: 78 }
const turn = 2 * Math.PI

export function TotalsCard({ figures }: { figures: Figures<unknown> }) {
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
