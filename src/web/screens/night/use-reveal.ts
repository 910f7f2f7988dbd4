/** A short reveal of a draw that happens while one looks; none with reduced motion (NIGHT-87). */
import { useEffect, useState } from 'react'
import type { Night } from '../../data/nights.ts'

/** Each game stands a little longer than the one before; about a second in all. */
const STEPS_MS = [60, 70, 80, 100, 120, 150, 190, 240]

/**
 * The appid to show with the pick, which is one of the odds during the reveal; and the night as the rest of the page
 * shows it. Until the reveal has ended that is the night before the draw, which does not give the pick away.
 */
export function useReveal(night: Night): { appid: number | undefined; isRevealing: boolean; told: Night } {
  const { pick } = night
  const number = pick?.number ?? 0
  // A draw that was there when the page was opened is not revealed again.
  const [seen, setSeen] = useState(number)
  const [told, setTold] = useState(night)
  const [step, setStep] = useState(STEPS_MS.length)
  const isNew = seen !== number
  const starts = isNew && pick?.by === 'draw' && pick.odds.length > 1 && !prefersStillness()
  if (isNew) {
    setSeen(number)
    setStep(starts ? 0 : STEPS_MS.length)
  }
  useEffect(() => {
    const ms = STEPS_MS[step]
    if (ms === undefined) return
    const timer = setTimeout(() => setStep((now) => now + 1), ms)
    return () => clearTimeout(timer)
  }, [step])
  const isRevealing = starts || (!isNew && step < STEPS_MS.length)
  if (!isRevealing && told !== night) setTold(night)
  return {
    appid: isRevealing && pick ? pick.odds[step % pick.odds.length]!.appid : pick?.appid,
    isRevealing,
    told: isRevealing ? told : night,
  }
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
