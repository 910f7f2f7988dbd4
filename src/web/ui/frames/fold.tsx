/** A line that opens what stands below it: what is needed at another moment. */
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format.ts'

/** @param count of what it holds, beside the title */
export function Fold({
  id,
  title,
  count,
  open = false,
  isSmall = false,
  onToggle,
  children,
}: {
  /** Of the title. */
  id?: string
  title: ReactNode
  count?: number
  /** Whether it is open at first. */
  open?: boolean
  /** A line among others rather than a heading of the screen. */
  isSmall?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(open)
  const Heading = isSmall ? 'span' : 'h2'
  return (
    <details
      open={isOpen}
      className={`group/fold min-w-0 ${isSmall ? 'border-t border-line/60 pt-1' : ''}`}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        onToggle?.(currentTarget.open)
      }}
    >
      <summary
        className={
          'flex min-h-11 w-fit max-w-full list-none items-center gap-2 rounded-control pr-3 font-semibold hover:text-mint-bright [&::-webkit-details-marker]:hidden ' +
          (isSmall ? 'text-sm' : 'text-lg tracking-tight')
        }
      >
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-soft transition group-open/fold:rotate-90"
        />
        <Heading id={id} className="min-w-0">
          {title}
        </Heading>
        {count !== undefined && (
          <span className="font-normal text-soft tabular-nums">{formatNumber(count)}</span>
        )}
      </summary>
      {isOpen && (
        <div className={isSmall ? 'grid min-w-0 gap-2 pb-2' : 'mt-2 grid min-w-0 gap-4'}>{children}</div>
      )}
    </details>
  )
}
