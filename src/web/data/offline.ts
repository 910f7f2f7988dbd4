/**
 * Whether what is on the screen may be out of date: because the server cannot be reached (PAGE-37), or has a newer version
 * of the pages (PAGE-33).
 */
import { useSyncExternalStore } from 'react'

/** Who answered a request: the server, nobody, or something in front of the server (PAGE-41), such as a proxy's sign-in. */
type AnsweredBy = 'server' | 'nobody' | 'other'

let last: AnsweredBy = 'server'
let isReplaced = false
const listeners = new Set<() => void>()

/** Called after every request; the last call counts. */
export function setAnswered(by: AnsweredBy): void {
  if (last === by) return
  last = by
  for (const listener of listeners) listener()
}

/** Who answered the last request, whatever it was for; nobody while the browser has no connection. */
function answeredBy(): AnsweredBy {
  return navigator.onLine ? last : 'nobody'
}

export function isOffline(): boolean {
  return answeredBy() !== 'server'
}

export function useAnsweredBy(): AnsweredBy {
  return useSyncExternalStore(subscribe, answeredBy)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const events = ['online', 'offline']
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    listeners.delete(listener)
    for (const event of events) window.removeEventListener(event, listener)
  }
}

/** Whether the files of these pages are gone from the server. */
export function useOutdated(): boolean {
  return useSyncExternalStore(subscribe, () => isReplaced)
}

// Vite's event when code could not be loaded. The worker passes on what is no GET.
globalThis.window?.addEventListener('vite:preloadError', () => {
  const start = document.querySelector<HTMLScriptElement>('script[src*="/start-"]')
  if (!start) return
  void fetch(start.src, { method: 'HEAD' }).then(
    ({ status }) => {
      if (status !== 404) return
      isReplaced = true
      for (const listener of listeners) listener()
    },
    () => undefined,
  )
})
