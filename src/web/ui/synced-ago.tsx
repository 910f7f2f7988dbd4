/** How old synced data is (LOOK-11). */
import { messages } from '../messages.ts'
import { RelativeTime } from './relative-time.tsx'
import { Sentence } from './sentence.tsx'

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
