/** What moves on a page while it loads (LOOK-4). */
import type { Page } from '@playwright/test'

/** One movement: its share of the layout shift, and what moved from where to where. */
export type Shift = { value: number; sources: string[] }

/** Records the layout shifts that no input caused, on every page opened from now on. Returns what was seen so far. */
export async function observeShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const shifts: { value: number; sources: string[] }[] = []
    Object.assign(window, { shifts })
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const box = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
    const named = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      return `${element?.tagName} .${element?.getAttribute('class')?.slice(0, 60)} '${node?.textContent?.slice(0, 30)}'`
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[])
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            sources: entry.sources.map(
              ({ node, previousRect, currentRect }) =>
                `${named(node)}: ${box(previousRect)} -> ${box(currentRect)}`,
            ),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

/** The cumulative layout shift. */
export const sumOf = (shifts: Shift[]) => shifts.reduce((sum, { value }) => sum + value, 0)
