/** The search and filters of a list are stored in the query string, so that they are restored when the user returns. */

/**
 * Replaces the query string of the current URL. Bypasses the router, which would render every link of the page again at
 * each key; it reads the URL when the user returns.
 */
export function replaceQueryString(entries: readonly (readonly [string, string])[]): void {
  const query = new URLSearchParams(entries.map(([name, value]) => [name, value])).toString()
  history.replaceState(history.state, '', location.pathname + (query && `?${query}`))
}
