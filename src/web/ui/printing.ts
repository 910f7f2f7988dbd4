/** Whether the page is being printed: lists of which only a part is rendered are printed as a whole (PAGE-35). */
import { useSyncExternalStore } from 'react'

let isPrinting = false

export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting)
}

function subscribe(listener: () => void): () => void {
  const paper = matchMedia('print')
  const set = (value: boolean) => {
    isPrinting = value
    listener()
  }
  const [before, after, change] = [() => set(true), () => set(false), () => set(paper.matches)]
  // React renders before the event ends, so the paper has it.
  window.addEventListener('beforeprint', before)
  window.addEventListener('afterprint', after)
  paper.addEventListener('change', change)
  return () => {
    window.removeEventListener('beforeprint', before)
    window.removeEventListener('afterprint', after)
    paper.removeEventListener('change', change)
  }
}
