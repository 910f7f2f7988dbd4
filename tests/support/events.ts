/** A client of server-sent events, over a real connection. */
import { onTestFinished } from 'vitest'
import { liveContract, type NightChange, nightChange } from '#shared/contract/live.ts'
import { pathOf } from '#shared/path.ts'
import type { TestPlayer } from './product.ts'

export type Events = {
  status: number
  headers: Headers
  /** The next change. @throws Error when the stream ends before */
  next(): Promise<NightChange>
  /** Changes that have arrived and were not taken. */
  waiting(): number
  /** Everything that was received. */
  text(): string
  /** Resolves when the stream has ended. */
  ended: Promise<void>
  close(): void
}

/** Opens the stream of a night as a player; a refusal is a stream that has ended. */
export async function watchNight(
  player: Pick<TestPlayer, 'request'>,
  nightId: number,
  { since, lastEventId }: { since?: number | string; lastEventId?: string } = {},
): Promise<Events> {
  const closing = new AbortController()
  const path = pathOf(liveContract.watch.path, { id: nightId })
  const response = await player.request(since === undefined ? path : `${path}?since=${since}`, {
    signal: closing.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  })
  const close = () => closing.abort()
  onTestFinished(close)
  let received = ''
  let taken = 0
  let hasEnded = false
  let wake = Promise.withResolvers<void>()
  const changes = () =>
    [...received.matchAll(/^event: change\nid: (\d+)\ndata: (.*)\n\n/gm)].map(([, id, data]) => {
      const change = nightChange.parse(JSON.parse(data!))
      if (String(change.version) !== id) throw new Error(`event ${id} has the data ${data}`)
      return change
    })
  const notify = () => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  }
  const ended = (async () => {
    try {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        received += decoder.decode(chunk, { stream: true })
        notify()
      }
    } catch {
      // Aborted by this client, or cut off by the server.
    }
    hasEnded = true
    notify()
  })()

  return {
    status: response.status,
    headers: response.headers,
    ended,
    close,
    text: () => received,
    waiting: () => changes().length - taken,
    async next() {
      while (changes().length <= taken) {
        if (hasEnded) throw new Error(`the stream has ended after: ${received}`)
        await wake.promise
      }
      return changes()[taken++]!
    },
  }
}
