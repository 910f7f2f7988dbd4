/** The title of the window: the screen's, after the number of game nights that wait for an answer (NIGHT-137). */
import { useEffect } from 'react'
import { messages } from 'virtual:texts'

let screen: string | undefined
let waiting = 0

/** Names the screen; undefined for the product alone. */
export function useWindowTitle(name: string | undefined): void {
  useEffect(() => {
    screen = name
    write()
  }, [name])
}

/** Puts a number before the title while it is above 0. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    waiting = count
    write()
    return () => {
      waiting = 0
      write()
    }
  }, [count])
}

function write(): void {
  const title = screen === undefined ? messages.product : `${screen} · ${messages.product}`
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title
}
