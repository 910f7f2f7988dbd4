/** The marks that I have made and not sent yet (NIGHT-85). */
import { useState } from 'react'
import { MARKS, type Mark } from '#shared/nights/votes.ts'
import type { Marks } from './night-view.ts'

/** They outlast a reload of the page, and the tab does not leave them to others. */
export function useMarks(nightId: number, me: string) {
  const key = `night_marks_${me}_${nightId}`
  const [marks, setMarks] = useState<Marks>(() => read(key))

  function change(next: Marks): void {
    setMarks(next)
    if (next.size === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...next]))
  }

  return {
    marks,
    /** Marks a game; undefined for no mark. */
    mark: (appid: number, mark: Mark | undefined) => {
      const next = new Map(marks)
      if (mark === undefined) next.delete(appid)
      else next.set(appid, mark)
      change(next)
    },
    /** Marks the games that have no mark. */
    markRest: (games: readonly { appid: number }[], mark: Mark) =>
      change(new Map([...games.map(({ appid }) => [appid, mark] as const), ...marks])),
    clear: () => change(new Map()),
  }
}

function read(key: string): Marks {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    if (Array.isArray(stored)) return new Map(stored.filter(isMark))
  } catch {
    // Not written by this page.
  }
  return new Map()
}

function isMark(entry: unknown): entry is [number, Mark] {
  return (
    Array.isArray(entry) && Number.isInteger(entry[0]) && (MARKS as readonly unknown[]).includes(entry[1])
  )
}
