/* global addEventListener, CSS, dispatchEvent, document, Event, localStorage, window */
/**
 * Where a browser blocks site data each touch of its storage throws. Pages then keep things until they are left, and say
 * what is blocked where it matters (PAGE-40).
 */
for (const name of ['localStorage', 'sessionStorage']) {
  try {
    window[name].getItem('')
  } catch {
    const kept = new Map()
    const storage = {
      getItem: (key) => (kept.has(key) ? kept.get(key) : null),
      setItem: (key, value) => void kept.set(key, String(value)),
      removeItem: (key) => void kept.delete(key),
    }
    Object.defineProperty(window, name, { value: storage })
    document.documentElement.dataset.storage = 'blocked'
  }
}

/**
 * Shows the theme that was chosen in this browser, before anything is drawn (LOOK-36): loaded in the head, and no module,
 * which would run after the first frame. Runs again when the choice changes, here (theme.ts) or in another tab.
 */
function showTheme() {
  const theme = localStorage.getItem('theme')
  const isChosen = theme === 'light' || theme === 'dark'
  if (isChosen) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    const { of } = meta.dataset
    meta.media = !isChosen ? `(prefers-color-scheme: ${of})` : of === theme ? 'all' : 'not all'
  }
}
showTheme()
addEventListener('storage', showTheme)
// A page that Back has brought back as it was has heard nothing since it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) dispatchEvent(new Event('storage'))
})

/** Says so in a browser that lacks what the pages need (PAGE-36); here, because the pages may not run there. */
addEventListener('DOMContentLoaded', () => {
  const isNewEnough =
    window.CSS && CSS.supports('color', 'light-dark(red, red)') && window.Intl && 'Segmenter' in Intl
  const note = document.getElementById('too-old')
  if (isNewEnough || !note) return
  note.hidden = false
  for (const late of document.querySelectorAll('.shown-late')) late.remove()
})
