/** A client of server-sent events, over a real connection. */
import { onTestFinished } from 'vitest'
import { type Change, liveContract, type Topic } from '#shared/contract/live.ts'
import { pathOf } from '#shared/path.ts'
import type { Product, TestPlayer } from './product.ts'
import { touchNight } from './stored-nights.ts'

/** What should have arrived long before. */
const LATE_MS = 15_000

export type Events = {
  status: number
  headers: Headers
  /** All topics that have arrived and were not taken, as soon as these are among them. @throws Error when it ends before */
  until(...topics: Topic[]): Promise<Set<Topic>>
  /** Everything that was received. */
  text(): string
  /** Resolves when the stream has ended. */
  ended: Promise<void>
  close(): void
}

/** Opens a player's stream of changes; a refusal is a stream that has ended. */
export async function watch(
  player: Pick<TestPlayer, 'request' | 'steam_id'>,
  { whose = player.steam_id }: { whose?: string } = {},
): Promise<Events> {
  const closing = new AbortController()
  const response = await player.request(pathOf(liveContract.events.path, { steamId: whose }), {
    signal: closing.signal,
  })
  const close = () => closing.abort()
  onTestFinished(close)
  let received = ''
  let taken = 0
  let hasEnded = false
  let wake = Promise.withResolvers<void>()
  const changes = () =>
    [...received.matchAll(/^event: change\ndata: (.*)\n\n/gm)].map(
      ([, data]) => new Set((JSON.parse(data!) as Change).topics),
    )
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
    async until(...topics) {
      const isLate = AbortSignal.timeout(LATE_MS)
      isLate.addEventListener('abort', notify)
      for (;;) {
        const all = changes()
        const arrived = new Set(all.slice(taken).flatMap((one) => [...one]))
        if (topics.every((topic) => arrived.has(topic))) {
          taken = all.length
          return arrived
        }
        if (hasEnded || isLate.aborted)
          throw new Error(`no ${topics.join(', ')} ${hasEnded ? 'before the end of' : 'in'}: ${received}`)
        await wake.promise
      }
    },
  }
}

/**
 * What a player's stream is told when `act` has been done, which is not about the player: everything until a change
 * arrives that is made afterwards. `mark` is a night of that player alone.
 */
export async function toldOf(
  app: Product,
  { stream, mark }: { stream: Events; mark: number },
  act: () => Promise<unknown>,
): Promise<Topic[]> {
  await act()
  await touchNight(app, mark)
  const told = await stream.until(`night:${mark}`)
  told.delete(`night:${mark}`)
  return [...told].sort()
}
