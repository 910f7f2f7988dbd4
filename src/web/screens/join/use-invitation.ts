/** Reads what a link invites to. Without the cache of responses, which belongs to a signed-in user. */
import { useEffect, useState } from 'react'
import type { Invitation } from '#shared/contract/invites.ts'
import { failureText, isNotFound } from '../../data/http.ts'
import { readInvitation } from '../../data/invites.ts'
import { messages } from '../../messages.ts'

type State =
  | { is: 'loading' }
  | { is: 'found'; invitation: Invitation }
  | { is: 'gone' }
  | { is: 'failed'; reason: string }

/** The state, and a function that reads it again. */
export function useInvitation(token: string): [State, () => void] {
  const [state, setState] = useState<State>({ is: 'loading' })
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const stop = new AbortController()
    readInvitation(token, stop.signal).then(
      (invitation) => setState({ is: 'found', invitation }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        setState(
          isNotFound(error)
            ? { is: 'gone' }
            : { is: 'failed', reason: failureText(error, messages.somethingWrong) },
        )
      },
    )
    return () => stop.abort()
  }, [token, attempt])

  function retry(): void {
    setState({ is: 'loading' })
    setAttempt(attempt + 1)
  }
  return [state, retry]
}
