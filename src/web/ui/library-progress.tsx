/** How far the reading of friends' libraries has come (LOOK-12). */
import { messages } from '../messages.ts'

/** A bar and its count, 'n of m libraries'. Shown while `useLibraryProgress` says so. */
export function LibraryProgress({ read, total }: { read: number; total: number }) {
  return (
    <div className="grid gap-2 rounded-control bg-raised/50 px-3 py-2.5 text-sm">
      <p className="font-medium">{messages.sync.progressTitle}</p>
      <progress value={read} max={total} aria-label={messages.sync.progressTitle} className="progress-bar" />
      <p className="text-soft tabular-nums">{messages.sync.progress(read, total)}</p>
    </div>
  )
}
