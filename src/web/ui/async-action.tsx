/** Something a person does that takes a moment, and what came of it, in words beside it. */
import { useEffect, useRef, useState } from 'react'
import { Notice } from './notice.tsx'

/** What came of an action. `reason` says why it failed, or what to know of a success, where there is more to say. */
export type Outcome = { tone: 'success' | 'error'; text: string; reason?: string | undefined }

/** What takes the notices of earlier actions away, all over the page. */
const noticesShown = new Set<() => void>()

/** Takes a notice away when the next action begins, wherever on the page that is (PAGE-18). `forget` must not change. */
export function useForgottenAtNextAction(forget: () => void): void {
  useEffect(() => {
    noticesShown.add(forget)
    return () => {
      noticesShown.delete(forget)
    }
  }, [forget])
}

/** Whether a click is the second of a double click: what it hits may have changed since the first (PAGE-16). */
export function isSecondClick({ detail }: { detail: number }): boolean {
  return detail > 1
}

/**
 * One action at a time: a second press while the first is under way does nothing, even before the button has had
 * time to look disabled (PAGE-16). A new start clears the outcomes of all earlier actions on the page (PAGE-18).
 * @returns `start` takes the work; what it resolves with is the outcome, undefined says nothing. The work turns
 *   failures it expects into outcomes; others are thrown on. `queue` takes work that comes after what is under way,
 *   for lists where one thing after another is pressed.
 */
export function useAsyncAction(initial?: Outcome) {
  const running = useRef(false)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState(initial)
  const [forget] = useState(() => () => setOutcome(undefined))
  useForgottenAtNextAction(forget)

  async function start(work: () => Promise<Outcome | undefined>): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    for (const forgetEarlier of noticesShown) forgetEarlier()
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

/** Says what came of an action: success politely, failure at once. Keep it mounted. */
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
