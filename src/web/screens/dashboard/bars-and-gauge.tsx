/** The bars and the gauge, loaded after the cards (`playtime-charts.ts`). */
import { scaleLinear } from '@visx/scale'
import { Arc } from '@visx/shape'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import type { Game } from '#shared/entities.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { roundedHours } from '#shared/playtime.ts'
import { formatNumber } from '../../format.ts'
import { dashboard as texts, gameView } from 'virtual:texts'
import { Name } from '../../ui/people/name.tsx'
import { shortName } from './short-name.ts'

/** The five most played games as bars, with a scale below them (DASH-17). */
export function Bars({ games }: { games: readonly Game[] }) {
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
            <span className="text-right font-semibold tabular-nums">{gameView.hours({ hours })}</span>
          </li>
        ))}
      </ol>
      <div aria-hidden className="@container relative col-start-2 h-6 text-xs text-soft tabular-nums">
        {ticks.map((tick, nth) => (
          <span
            key={tick}
            // A narrow scale has room for the first and the last.
            className={`absolute top-1 -translate-x-1/2 whitespace-nowrap ${
              nth > 0 && nth < ticks.length - 1 ? '@max-[11rem]:hidden' : ''
            }`}
            style={{ left: `${percent(tick)}%` }}
          >
            {formatNumber(tick)}
          </span>
        ))}
      </div>
    </div>
  )
}

const GAUGE = { outer: 100, inner: 80 }
const half = { startAngle: -Math.PI / 2, endAngle: Math.PI / 2 }

/** A gauge up to 1000 hours, with the real figure even when that is larger (DASH-24). */
export function Gauge({ hours }: { hours: number }) {
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
      aria-valuetext={texts.hoursPlayed({ hours })}
      className="grid w-full max-w-48 gap-1.5"
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
          <span className="text-3xl leading-none font-bold tracking-tight tabular-nums">
            {texts.gaugeHours({ hours })}
          </span>
        </p>
      </div>
      {/* Below both ends of the arc; beyond its end, what the gauge has no room for. */}
      <p aria-hidden className="flex items-baseline justify-between text-xs text-soft tabular-nums">
        <span className="w-[10%] text-center">0</span>
        {over > 0 && (
          <span className="ml-auto pr-2 font-semibold text-mint">{texts.gaugeOver({ hours: over })}</span>
        )}
        {over !== 0 && (
          <span className="min-w-[10%]">{texts.gaugeHours({ hours: DASHBOARD.gaugeMaxHours })}</span>
        )}
      </p>
    </div>
  )
}
