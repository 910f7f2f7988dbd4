/**
 * The theme of the pages: the system's, or the one that was chosen (LOOK-36). `public/theme.js` shows what is
 * stored here.
 */
import { useSyncExternalStore } from 'react'
import type { Theme } from '#shared/contract/privacy.ts'

/** In `localStorage`; absent for the system's. */
const KEY = 'theme'
/** In `sessionStorage`: chosen in this tab on a public page, and not saved in an account yet. */
const UNSAVED = 'unsaved_theme'

/** Shows a theme, here and in the other tabs. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  // The browser notifies only the other tabs.
  window.dispatchEvent(new Event('storage'))
}

/** Chooses a theme on a public page; whoever is signed in next in this tab keeps it. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme)
  sessionStorage.setItem(UNSAVED, theme)
}

/** What was chosen on a public page; undefined once it is saved. */
export function unsavedTheme(): Theme | undefined {
  return themeOf(sessionStorage.getItem(UNSAVED))
}

export function forgetUnsavedTheme(): void {
  sessionStorage.removeItem(UNSAVED)
}

/** The theme that is chosen in this browser. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => themeOf(localStorage.getItem(KEY)) ?? 'system')
}

function themeOf(text: string | null): Theme | undefined {
  return text === 'system' || text === 'light' || text === 'dark' ? text : undefined
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
