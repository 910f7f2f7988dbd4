/** Something a person does that takes a moment, and what came of it, in words beside it. */
import { useRef, useState } from 'react'
import { Notice } from './notice.tsx'

/** What came of a task. `reason` says why it failed, or what to know of a success, where there is more to say. */
export type Outcome = { tone: 'success' | 'error'; text: string; reason?: string | undefined }

/**
 * One task at a time: a second press while the first is under way does nothing, even before the button has had
 * time to look disabled. A new start clears the earlier outcome.
 * @returns `start` takes the work; what it resolves with is the outcome, undefined says nothing. The work turns
 *   failures it expects into outcomes; others are thrown on. `queue` takes work that comes after what is under way,
 *   for lists where one thing after another is pressed.
 */
export function useTask(initial?: Outcome) {
  const running = useRef(false)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState(initial)

  async function start(work: () => Promise<Outcome | undefined>): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setOutcome(undefined)
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

/** Says what came of a task: success politely, failure at once. Keep it mounted. */
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
