/** Actions that take a moment, and the notices of their outcomes. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'

/**
 * The outcome of an action. `reason` says why it failed, or adds a detail to a success; `untilBack`: it failed because the
 * server could not be reached.
 */
export type Outcome = {
  tone: 'success' | 'error'
  text: string
  reason?: string | undefined
  untilBack?: boolean
}

/** How long a success is shown (PAGE-18): long enough to read it twice. Errors stay until the next action. */
const SUCCESS_MS = 12_000

/** Functions that dismiss the notices of earlier actions, all over the page. */
const dismissals = new Set<() => void>()

/** Dismisses a notice when the next action begins anywhere on the page (PAGE-18). `dismiss` must be a stable function. */
export function useDismissOnNextAction(dismiss: () => void): void {
  useEffect(() => {
    dismissals.add(dismiss)
    return () => {
      dismissals.delete(dismiss)
    }
  }, [dismiss])
}

/** Functions that dismiss what failed because the server could not be reached. */
const dismissalsOfLost = new Set<() => void>()

/** Dismisses notices of actions that could not reach the server, which is back: people think that it is still away. */
export function dismissUnreached(): void {
  for (const dismiss of dismissalsOfLost) dismiss()
}

/** Dismisses a success after a while (PAGE-18). `dismiss` must be a stable function. */
export function useDismissLater(isSuccess: boolean, dismiss: () => void): void {
  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(dismiss, SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [isSuccess, dismiss])
}

/** Whether a click is the second of a double click: its target may have changed since the first (PAGE-6). */
export function isSecondClick({ detail }: { detail: number }): boolean {
  return detail > 1
}

/**
 * Runs one action at a time: a second click while one is running does nothing, even before the button is rendered as
 * disabled (PAGE-6). Starting an action dismisses the outcomes of all earlier actions on the page (PAGE-18).
 * @returns `start` runs `work`, which resolves with the outcome to show, or undefined to show none; `work` turns expected
 *   failures into outcomes, others are rethrown. `queue` runs work after the running action, for lists whose buttons are
 *   pressed one after another.
 */
export function useAsyncAction(initial?: Outcome) {
  const running = useRef(false)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState(initial)
  const [dismiss] = useState(() => () => setOutcome(undefined))
  useDismissOnNextAction(dismiss)
  useDismissLater(outcome?.tone === 'success', dismiss)
  const isLost = outcome?.untilBack === true
  useEffect(() => {
    if (!isLost) return
    dismissalsOfLost.add(dismiss)
    return () => {
      dismissalsOfLost.delete(dismiss)
    }
  }, [isLost, dismiss])

  async function start(work: () => Promise<Outcome | undefined>): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    for (const dismissEarlier of dismissals) dismissEarlier()
    try {
      setOutcome(await work())
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  function queue(work: () => Promise<Outcome | undefined>): Promise<void> {
    const turn = last.current.then(() => start(work))
    last.current = turn.catch(() => undefined)
    return turn
  }
  return { busy, outcome, start, queue }
}

/** Shows the outcome of an action in a live region, failures as alerts. Keep it mounted. */
export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }) {
  return (
    <>
      <Notice tone="success">{outcome?.tone === 'success' && <OutcomeText outcome={outcome} />}</Notice>
      <Notice tone="error">{outcome?.tone === 'error' && <OutcomeText outcome={outcome} />}</Notice>
    </>
  )
}

function OutcomeText({ outcome: { text, reason } }: { outcome: Outcome }) {
  return (
    <>
      <p>{text}</p>
      {reason !== undefined && reason !== text && <p className="font-normal text-soft">{reason}</p>}
    </>
  )
}

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
