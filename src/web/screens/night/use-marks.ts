/** My marks: those that I have changed and not sent yet, or else those that I voted with (NIGHT-85). */
import { useMemo, useState } from 'react'
import { type Ballot, MARKS, type Mark } from '#shared/nights/votes.ts'
import type { Marks } from './night-view.ts'

/**
 * What is not sent outlasts a reload of the page, and the tab does not leave it to others.
 * @param sent what I voted with; null before that
 */
export function useMarks(nightId: number, me: string, sent: Ballot | null) {
  const key = `night_marks_${me}_${nightId}`
  const [draft, setDraft] = useState<Marks | undefined>(() => read(key))
  const stored = useMemo(() => new Map(sent?.map(({ appid, mark }) => [appid, mark])), [sent])
  const marks = draft ?? stored

  function change(next: Marks | undefined): void {
    setDraft(next)
    if (next === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...next]))
  }

  return {
    marks,
    /** Whether there is something to send. */
    isChanged: draft !== undefined && !isSame(draft, stored),
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
    /** Forgets what is not sent, or was sent. */
    forget: () => change(undefined),
  }
}

function isSame(one: Marks, other: Marks): boolean {
  return one.size === other.size && [...one].every(([appid, mark]) => other.get(appid) === mark)
}

function read(key: string): Marks | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (Array.isArray(stored)) return new Map(stored.filter(isMark))
  } catch {
    // Not written by this page.
  }
  return undefined
}

function isMark(entry: unknown): entry is [number, Mark] {
  return (
    Array.isArray(entry) && Number.isInteger(entry[0]) && (MARKS as readonly unknown[]).includes(entry[1])
  )
}
