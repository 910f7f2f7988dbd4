/** A short reveal of a draw that happens while one looks; none with reduced motion (NIGHT-98). */
import { useEffect, useState } from 'react'
import type { NightPick } from '#shared/nights/entities.ts'

/** Each game stands a little longer than the one before; about a second in all. */
const STEPS_MS = [60, 70, 80, 100, 120, 150, 190, 240]

/**
 * The appid to show: during the reveal one of the odds, then the pick.
 * @param opened number of the last draw when the page was opened, 0 for none; it is not revealed again
 */
export function useReveal(pick: NightPick, opened: number): { appid: number; isRevealing: boolean } {
  const [seen, setSeen] = useState(opened)
  const [step, setStep] = useState(STEPS_MS.length)
  if (seen !== pick.number) {
    setSeen(pick.number)
    if (pick.by === 'draw' && pick.odds.length > 1 && !prefersStillness()) setStep(0)
  }
  useEffect(() => {
    const ms = STEPS_MS[step]
    if (ms === undefined) return
    const timer = setTimeout(() => setStep((now) => now + 1), ms)
    return () => clearTimeout(timer)
  }, [step])
  const isRevealing = step < STEPS_MS.length
  return {
    appid: isRevealing ? pick.odds[step % pick.odds.length]!.appid : pick.appid,
    isRevealing,
  }
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
