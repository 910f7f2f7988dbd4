/** An empty state: that there is nothing, why, and what to do about it. */
import type { ReactNode } from 'react'

export function EmptyState({
  children,
  icon,
  action,
}: {
  /** The sentence. */
  children: ReactNode
  /** A lucide icon. */
  icon?: ReactNode
  /** A button or a link that helps. */
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-dashed border-line px-6 py-10 text-center">
      {icon !== undefined && (
        <span aria-hidden className="grid size-12 place-items-center rounded-round bg-raised text-violet">
          {icon}
        </span>
      )}
      <p className="max-w-[44ch] text-soft">{children}</p>
      {action}
    </div>
  )
}
