/** How many games were played for how long, as bars. */
import { scaleLinear } from '@visx/scale'
import { shelf as texts } from '../../more-messages.ts'
import { Card } from '../../ui/card.tsx'
import type { Figures } from './figures.ts'
import { formatNumber } from '../../format.ts'

export function SpreadCard({ figures: { spread } }: { figures: Figures<unknown> }) {
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
