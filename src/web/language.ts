/** The language of the pages: chosen here or in the account, else the browser's. Another one takes a reload. */
import { LANGUAGES, languageOf, type Language } from '#shared/languages.ts'

/** In `localStorage`; absent for the browser's. */
const KEY = 'language'
/** In `sessionStorage`: chosen in this tab on a public page, and not saved in an account yet. */
const UNSAVED = 'unsaved_language'
/** As {@link UNSAVED}, where the browser's was chosen. */
const BROWSER = 'browser'

/** The language that was chosen in this browser; null for the browser's own. */
export function chosenLanguage(): Language | null {
  const stored = globalThis.localStorage?.getItem(KEY)
  return LANGUAGES.find((known) => known === stored) ?? null
}

const preferred = () => languageOf(navigator.languages)

/** The language of these pages. */
export const language: Language = chosenLanguage() ?? preferred()
if (typeof document !== 'undefined') document.documentElement.lang = language

// A page that Back brings back as it was may be in another language than the one chosen since.
globalThis.window?.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && (chosenLanguage() ?? preferred()) !== language) location.reload()
})

/** Shows the pages in a language, null for the browser's; texts are constants, so another one takes a reload. */
export function showLanguage(chosen: Language | null): void {
  if (chosen === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, chosen)
  if ((chosen ?? preferred()) !== language) location.reload()
}

/** Chooses a language on a public page; whoever is signed in next in this tab keeps it. */
export function chooseLanguage(chosen: Language | null): void {
  sessionStorage.setItem(UNSAVED, chosen ?? BROWSER)
  showLanguage(chosen)
}

/** What was chosen on a public page; undefined once it is saved. */
export function unsavedLanguage(): Language | null | undefined {
  const stored = sessionStorage.getItem(UNSAVED)
  return stored === BROWSER ? null : LANGUAGES.find((known) => known === stored)
}

export function forgetUnsavedLanguage(): void {
  sessionStorage.removeItem(UNSAVED)
}
