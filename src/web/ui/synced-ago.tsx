/** How old synced data is (LOOK-11). */
import { messages } from '../messages.ts'
import { RelativeTime } from './relative-time.tsx'

/** 'synced 2 hours ago', or 'not synced yet' when `at` (ISO 8601) is null. */
export function SyncedAgo({ at }: { at: string | null }) {
  if (at === null) return messages.sync.neverSynced
  return (
    <>
      {messages.sync.synced} <RelativeTime time={at} />
    </>
  )
}

/** What a list contains and how old it is: '120 games · synced 2 hours ago'. */
export function ListSummary({ counts, syncedAt }: { counts: readonly string[]; syncedAt: string | null }) {
  return (
    <span className="tabular-nums">
      {counts.join(' · ')} · <SyncedAgo at={syncedAt} />
    </span>
  )
}
