/* global addEventListener, CSS, document, localStorage, window */
/**
 * Shows the theme that was chosen in this browser, before anything is drawn (LOOK-36): loaded in the head, and no module,
 * which would run after the first frame. Runs again when the choice changes, here (theme.ts) or in another tab.
 */
function showTheme() {
  let theme
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // A browser that stores nothing has the system's.
  }
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

/** Says so in a browser that lacks what the pages need (PAGE-36); here, because the pages may not run there. */
addEventListener('DOMContentLoaded', () => {
  const isNewEnough =
    window.CSS && CSS.supports('color', 'light-dark(red, red)') && window.Intl && 'Segmenter' in Intl
  const note = document.getElementById('too-old')
  if (isNewEnough || !note) return
  note.hidden = false
  for (const late of document.querySelectorAll('.shown-late')) late.remove()
})
