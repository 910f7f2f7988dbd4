/** The sync button, how many syncs are left today (PAGE-6, PAGE-9), and how far one is (LOOK-12). */
import { RefreshCw } from 'lucide-react'
import { serverNow } from '../../clock.ts'
import { formatClock } from '../../format.ts'
import { messages } from 'virtual:texts'
import { useAsyncAction } from './async-action.tsx'
import { Button } from './button.tsx'
import { relativeTime, useNow } from '../words/relative-time.tsx'

const texts = messages.sync

/** Synced data older than this is worth syncing again: its button stands out (PAGE-30). */
const STALE_MS = 24 * 60 * 60 * 1000

/** A sync; `isPending` includes one started elsewhere (PAGE-6). Its errors are not shown (PAGE-8). */
export type Syncing = {
  isPending: boolean
  mutate: () => unknown
}
/** How many syncs are left, from `syncQueries.status`. */
export type SyncAllowance = { left: number; limit: number; next_free_at: string | null }

/** Whether data was never synced, or long ago; unknown while `syncedAt` (ISO 8601) is undefined. */
function isStale(syncedAt: string | null | undefined): boolean {
  if (syncedAt === undefined) return false
  return syncedAt === null || serverNow() - Date.parse(syncedAt) > STALE_MS
}

/**
 * A sync button: disabled and 'Syncing...' while its request runs, and disabled when no sync is left. It stands out only
 * when there is something to do: the data is stale or was never synced.
 * @param syncedAt when the data was last synced; null for never, undefined while not known
 */
export function SyncButton({
  label,
  sync,
  allowance,
  syncedAt,
  hideStatus = false,
  mayBeRefused = false,
  disabled = false,
}: {
  label: string
  sync: Syncing
  allowance?: SyncAllowance | undefined
  syncedAt?: string | null | undefined
  /** Where {@link SyncState} stands elsewhere on the screen. */
  hideStatus?: boolean
  /** Enabled also when no sync is left, where the server's refusal is shown (GPAGE-12). */
  mayBeRefused?: boolean
  /** While there is nothing to sync. */
  disabled?: boolean
}) {
  const action = useAsyncAction()
  const now = useNow()

  async function run(): Promise<undefined> {
    await sync.mutate()
  }

  return (
    <div
      className={`flex items-center gap-x-4 gap-y-2 sm:flex-wrap ${hideStatus ? '' : 'relative grow sm:justify-end max-sm:[&>button]:grow'}`}
    >
      {!hideStatus && <SyncState allowance={allowance} />}
      <Button
        variant={isStale(syncedAt) && allowance?.left !== 0 ? 'primary' : 'secondary'}
        icon={<RefreshCw aria-hidden />}
        busy={sync.isPending || action.busy}
        disabled={disabled || (allowance?.left === 0 && !mayBeRefused)}
        title={[
          syncedAt && `${messages.sync.synced({ time: relativeTime(syncedAt, now) })}`,
          allowance && leftText(allowance),
        ]
          .filter(Boolean)
          .join(' · ')}
        busyLabel={texts.busy}
        onClick={() => void action.start(run)}
      >
        {label}
      </Button>
    </div>
  )
}

/** Fewer syncs than this are worth saying; until then only the tooltips and screen readers have the number (PAGE-9). */
const FEW_LEFT = 4

/** One quiet line: how many syncs are left, or when the next one is free. */
export function SyncState({ allowance }: { allowance: SyncAllowance | undefined }) {
  return (
    <p
      aria-live="polite"
      // It grows only into what is left, so that a longer text does not push the buttons away. On a phone it has the gap
      // below the button, so that nothing moves when it comes.
      className={
        allowance && allowance.left < FEW_LEFT
          ? 'text-xs text-soft tabular-nums max-sm:absolute max-sm:top-full max-sm:left-0 max-sm:mt-1 max-sm:w-max max-sm:max-w-[calc(100vw-2rem)] sm:w-42 sm:grow sm:text-right sm:text-sm'
          : 'sr-only'
      }
    >
      {allowance && leftText(allowance)}
    </p>
  )
}

/** '3 of 10 syncs left today', or 'No syncs left today. Next sync at 18:40.' */
function leftText({ left, limit, next_free_at }: SyncAllowance): string {
  if (left > 0) return texts.left({ left, limit })
  if (next_free_at === null) return texts.noneLeft
  // Within the next 24 hours.
  const at = new Date(next_free_at)
  const isToday = at.toDateString() === new Date().toDateString()
  return (isToday ? texts.nextFree : texts.nextFreeTomorrow)({ time: formatClock(at) })
}

/** A progress bar with its count, 'n of m libraries'; see `useLibraryProgress`. */
export function LibraryProgress({ read, total }: { read: number; total: number }) {
  return (
    <div className="grid gap-2 rounded-control bg-raised/50 px-3 py-2.5 text-sm">
      <p className="font-medium">{messages.sync.progressTitle}</p>
      <progress value={read} max={total} aria-label={messages.sync.progressTitle} className="progress-bar" />
      <p className="text-soft tabular-nums">{messages.sync.progress({ synced: read, total })}</p>
    </div>
  )
}
