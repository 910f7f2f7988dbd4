/** Progress of syncing friends' libraries (LOOK-12). */
import { messages } from '../messages.ts'

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
