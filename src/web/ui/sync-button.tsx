/** The sync button, and how many syncs are left today (PAGE-6, PAGE-9). */
import { RefreshCw } from 'lucide-react'
import { messages } from '../messages.ts'
import { useAsyncAction } from './async-action.tsx'
import { Button } from './button.tsx'
import { RelativeTime } from './relative-time.tsx'

/** A sync; `isPending` includes one started elsewhere (PAGE-6). Its errors are not shown (PAGE-8). */
export type Syncing = { isPending: boolean; mutate: () => unknown }
/** How many syncs are left, from `syncQueries.status`. */
export type SyncAllowance = { left: number; limit: number; next_free_at: string | null }

/**
 * A sync button: disabled and 'Syncing...' while its request runs, with the number of syncs left beside it. A failed sync
 * shows nothing here (PAGE-8).
 */
export function SyncButton({
  label,
  sync,
  allowance,
  variant = 'primary',
  disabled = false,
}: {
  label: string
  sync: Syncing
  allowance?: SyncAllowance
  variant?: 'primary' | 'secondary'
  /** While there is nothing to sync. */
  disabled?: boolean
}) {
  const action = useAsyncAction()

  async function run(): Promise<undefined> {
    await sync.mutate()
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {allowance && <Allowance {...allowance} />}
      <Button
        variant={variant}
        icon={<RefreshCw aria-hidden />}
        busy={sync.isPending || action.busy}
        disabled={disabled}
        busyLabel={messages.sync.busy}
        onClick={() => void action.start(run)}
      >
        {label}
      </Button>
    </div>
  )
}

function Allowance({ left, limit, next_free_at }: SyncAllowance) {
  if (left > 0) return <p className="text-sm text-soft tabular-nums">{messages.sync.left(left, limit)}</p>
  return (
    <p className="max-w-[34ch] text-sm text-soft">
      {messages.sync.noneLeft(limit)}{' '}
      {next_free_at !== null && (
        <>
          {messages.sync.nextFree} <RelativeTime time={next_free_at} />.
        </>
      )}
    </p>
  )
}
