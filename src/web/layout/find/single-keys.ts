/** Whether keys without Ctrl act all over the page; remembered by the browser (WCAG 2.1.4, NAV-12). */
const STORED = 'single_keys'

export function usesSingleKeys(): boolean {
  return localStorage.getItem(STORED) !== 'off'
}

export function setUsesSingleKeys(uses: boolean): void {
  if (uses) localStorage.removeItem(STORED)
  else localStorage.setItem(STORED, 'off')
}
