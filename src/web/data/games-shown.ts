/**
 * Whether a group's common games are shown as those to play together or as all games (GPAGE-25). Remembered in this
 * browser; not part of the session, so it survives a sign-out.
 */
import { useSyncExternalStore } from 'react'

export type GamesShown = 'together' | 'all'

const KEY = 'games_shown'
const DEFAULT: GamesShown = 'together'
const listeners = new Set<() => void>()

/** The choice, and a function to change it; updates when another component or tab changes it. */
export function useGamesShown(): [GamesShown, (shown: GamesShown) => void] {
  return [useSyncExternalStore(subscribe, read), write]
}

/** The same for a view in the address (LIST-1). */
export const gamesShown = { read, write }

function read(): GamesShown {
  return localStorage.getItem(KEY) === 'all' ? 'all' : DEFAULT
}

function write(shown: GamesShown): void {
  // The default is not stored.
  if (shown === DEFAULT) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, shown)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
