/** What requests pass before the framework (decision 008). */
import type { RequestListener } from 'node:http'

/** Answers a request, or calls `next`. */
export type Door = (...parameters: [...Parameters<RequestListener>, next: () => void]) => void

/** Lets requests pass doors in their order, and then handles them. Doors may be added until the server listens. */
export function through(doors: readonly Door[], handle: RequestListener): RequestListener {
  return (request, response) => {
    const enter = (nth: number): void => {
      const door = doors[nth]
      if (door) door(request, response, () => enter(nth + 1))
      else handle(request, response)
    }
    enter(0)
  }
}
