/**
 * Whether what is on the screen may be out of date: because the server cannot be reached (PAGE-29), or has a newer version of the
 * pages (PAGE-39).
 */
import { useSyncExternalStore } from 'react'

let isUnanswered = false
let isReplaced = false
const listeners = new Set<() => void>()

/** Called after every request with whether a response arrived; the last call counts. */
export function setAnswered(answered: boolean): void {
  if (isUnanswered === !answered) return
  isUnanswered = !answered
  for (const listener of listeners) listener()
}

/** Whether the browser has no connection, or the server did not answer the last request, whatever it was for. */
export function isOffline(): boolean {
  return isUnanswered || !navigator.onLine
}

export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline)
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
