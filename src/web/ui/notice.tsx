/** Notices that screen readers announce. */
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  success: { className: 'border-mint/35 bg-mint/10 text-mint', Icon: CircleCheck },
  error: { className: 'border-rose/35 bg-rose-deep/15 text-rose', Icon: CircleAlert },
  info: { className: 'border-violet/35 bg-violet-deep/20 text-ink', Icon: Info },
} as const

export type NoticeTone = keyof typeof looks

/**
 * A live region. Keep it mounted: screen readers announce text only in a region that existed before.
 * @param children the text; nothing is shown without it
 */
export function Notice({ tone, children }: { tone: NoticeTone; children?: ReactNode }) {
  const { className, Icon } = looks[tone]
  return (
    // An alert is announced when it appears; a status region must exist before its text.
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={tone === 'error' ? 'empty:hidden' : 'empty:sr-only'}
    >
      {children !== undefined && children !== null && children !== false && (
        <div
          className={`animate-enter flex items-start gap-3 rounded-control border px-4 py-3 text-sm font-medium ${className}`}
        >
          <Icon aria-hidden className="mt-px size-[1.2em] shrink-0" />
          <div className="min-w-0">{children}</div>
        </div>
      )}
    </div>
  )
}
