/** A heading that opens what stands below it. */
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../format.ts'

/** @param count of what it holds, beside the title */
export function Fold({
  title,
  count,
  onToggle,
  children,
}: {
  title: string
  count?: number
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group/fold min-w-0"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        onToggle?.(currentTarget.open)
      }}
    >
      <summary className="flex min-h-11 w-fit list-none items-center gap-2 rounded-control pr-3 text-lg font-semibold tracking-tight hover:text-mint-bright [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-soft transition group-open/fold:rotate-90"
        />
        <h2>{title}</h2>
        {count !== undefined && (
          <span className="font-normal text-soft tabular-nums">{formatNumber(count)}</span>
        )}
      </summary>
      {isOpen && <div className="mt-2 grid min-w-0 gap-4">{children}</div>}
    </details>
  )
}
