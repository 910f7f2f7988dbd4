/** What a list shows stands in the address, so that it is there on return. */

/**
 * Makes these the query of the address. Past the router, which would draw every link of the page anew at every key;
 * it reads the address on return.
 */
export function writeIntoAddress(chosen: readonly (readonly [string, string])[]): void {
  const query = new URLSearchParams(chosen.map(([name, value]) => [name, value])).toString()
  history.replaceState(history.state, '', location.pathname + (query && `?${query}`))
}
