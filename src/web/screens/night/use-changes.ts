/** The status line of a night's page: what others did while one looks (NIGHT-88). */
import { useEffect, useState } from 'react'
import type { Night } from '../../data/nights.ts'
import { changesBetween } from './night-view.ts'

/** How long it stands there. */
const SHOWN_MS = 12_000

/** The latest change in words; empty after a while. */
export function useChanges(night: Night, me: string): string {
  const [last, setLast] = useState({ night, changes: '' })
  if (last.night !== night) setLast({ night, changes: changesBetween(last.night, night, me) || last.changes })
  const { changes } = last
  useEffect(() => {
    if (changes === '') return
    const timer = setTimeout(() => setLast((now) => ({ ...now, changes: '' })), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [changes])
  return changes
}
