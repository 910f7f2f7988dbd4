/* global addEventListener, location, setInterval */
/** Opens the page that was asked for when the server answers again (INST-4). */
async function tryAgain() {
  const { ok } = await fetch('/robots.txt', { cache: 'no-store' }).catch(() => ({ ok: false }))
  // Opened by its own name there is no page behind it.
  if (ok && !location.pathname.startsWith('/offline')) location.reload()
}
addEventListener('online', tryAgain)
addEventListener('focus', tryAgain)
setInterval(tryAgain, 15_000)
