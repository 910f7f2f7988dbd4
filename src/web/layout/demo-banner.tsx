/** What visitors of a public demo must know, on every screen (DEMO-13). */
import { FlaskConical } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatClock } from '../format.ts'
import { nextReset, resetEveryMs } from '../demo.ts'
import { navigation } from 'virtual:texts'

/** Pages ask again a little after a reset, and not all at once. */
const AFTER_MS = 2000
const SPREAD_MS = 5000

/** @param onReset called a few seconds after each reset */
export function DemoBanner({ onReset }: { onReset?: () => void }) {
  return resetEveryMs === undefined ? null : <Banner everyMs={resetEveryMs} onReset={onReset} />
}

function Banner({ everyMs, onReset }: { everyMs: number; onReset: (() => void) | undefined }) {
  const [at, setAt] = useState(() => nextReset(everyMs, Date.now()))
  useEffect(() => {
    const ms = at - Date.now() + AFTER_MS + Math.random() * SPREAD_MS
    const timer = setTimeout(() => {
      setAt(nextReset(everyMs, Date.now()))
      onReset?.()
    }, ms)
    return () => clearTimeout(timer)
  }, [at, everyMs, onReset])
  const time = new Date(at)
  return (
    <p
      role="note"
      className="mb-4 flex items-start gap-2.5 rounded-control border border-amber/40 bg-amber/10 px-4 py-2.5 text-sm font-medium text-amber"
    >
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {navigation.publicDemo}{' '}
        <time dateTime={time.toISOString()} className="whitespace-nowrap">
          {navigation.nextReset({
            time: formatClock(time),
          })}
        </time>
      </span>
    </p>
  )
}
