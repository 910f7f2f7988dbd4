/** Times as they pass, and how old synced data is (LOOK-11). */
import { useSyncExternalStore } from 'react'
import { onClock, serverNow } from '../../clock.ts'
import { formatTime } from '../../format.ts'
import { language } from '../../language.ts'
import { messages } from 'virtual:texts'
import { Sentence } from './sentence.tsx'

const EVERY_MS = 30_000
/** In numbers: 'yesterday' would be wrong for 25 hours that reach into the day before it. */
const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** 'just now', '2 hours ago' or 'in 3 hours': a time (ISO 8601) relative to `now` (milliseconds). */
export function relativeTime(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step ? format.format(Math.trunc(seconds / step[1]), step[0]) : messages.justNow
}

/** A relative time; the exact time is the tooltip. */
export function RelativeTime({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={formatTime(new Date(time), { dateStyle: 'medium', timeStyle: 'short' })}>
      {relativeTime(time, now)}
    </time>
  )
}

/** The time by the server in milliseconds, a little behind: it moves on every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, currentStep)
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, EVERY_MS)
  const off = onClock(listener)
  return () => {
    clearInterval(timer)
    off()
  }
}

/** The time rounded down to {@link EVERY_MS}: React needs a value that does not change during a render. */
function currentStep(): number {
  return Math.floor(serverNow() / EVERY_MS) * EVERY_MS
}

/** 'synced 2 hours ago', or 'not synced yet' when `at` (ISO 8601) is null. */
export function SyncedAgo({ at }: { at: string | null }) {
  if (at === null) return messages.sync.neverSynced
  return <Sentence text={messages.sync.synced} values={{ time: <RelativeTime time={at} /> }} />
}

/** What a list contains and how old it is: '40 friends · synced 2 hours ago'; until it has come, as much room. */
export function ListSummary<List extends { synced_at: string | null }>({
  list,
  counts = () => [],
}: {
  list: List | undefined
  counts?: (list: List) => readonly string[]
}) {
  if (!list) return <span>&nbsp;</span>
  return (
    <span className="tabular-nums">
      {counts(list).map((count) => `${count} · `)}
      <SyncedAgo at={list.synced_at} />
    </span>
  )
}
