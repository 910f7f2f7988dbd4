/** Demo mode (DEMO-3), and the resets of a public demo (DEMO-13); the server says so in meta elements of the page. */

/** Whether this is demo mode. */
export const isDemo = contentOf('shelfmates-mode') === 'demo'

/** How often a public demo is reset, in milliseconds; undefined for any other. */
export const resetEveryMs = Number(contentOf('shelfmates-reset-ms')) || undefined

const loadedAt = Date.now()
/** By how much the clock of this device may be slow for {@link wasReset}, in milliseconds. */
const SLOW_CLOCK_MS = 60_000

/** When a public demo is reset next, in milliseconds since 1970: resets are at the multiples of their interval. */
export function nextReset(everyMs: number, now: number): number {
  return (Math.floor(now / everyMs) + 1) * everyMs
}

/** Whether the demo was reset since this page was loaded, by the clock of this device. */
export function wasReset(): boolean {
  return resetEveryMs !== undefined && nextReset(resetEveryMs, loadedAt) <= Date.now() + SLOW_CLOCK_MS
}

function contentOf(name: string): string | null | undefined {
  // Tests of data have no document.
  if (typeof document === 'undefined') return undefined
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')
}
