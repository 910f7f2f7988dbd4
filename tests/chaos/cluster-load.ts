/** What people do while servers fail: mixed writes, each read again at once, and pages that look at game nights. */
import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from '../../bench/population.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { lost, signInWriters, type Writer, writesOf } from './mixed-writes.ts'

/** Between two writes of a person; shorter ones would reach the limit of a token on a fast machine. */
const PAUSE_MS = 150
/** A server that has died may still complete what it had sent to the database. */
const UNKNOWN_MS = 500
const RECONNECT_MS = 100

/** A page that looks at a game night through the balancer, and reads it whenever it is told to. */
export type Page = {
  nightId: number
  steamId: string
  token: string
  /** The last version that it has read. */
  version: number
  /** How often its stream was opened. */
  opened: number
}

export type Load = {
  ledger: Ledger
  writers: Writer[]
  pages: Page[]
  /** What was lost or stale, in words. */
  errors: string[]
  /** Resolves when nobody is writing any more, until `resume`. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

/** Signs people in and starts what they do. */
export async function startLoad(
  target: { url: string; simulator: Simulator },
  { people, seed }: { people: number; seed: number },
): Promise<Load> {
  const { url } = target
  const ledger = createLedger()
  const writers = await signInWriters(target, ledger, people)
  const errors: string[] = []
  const stopping = new AbortController()
  let paused: PromiseWithResolvers<void> | undefined
  let writing = writers.length

  async function write(writer: Writer, nth: number): Promise<void> {
    const random = randomFrom(seed + nth)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
    const writes = writesOf(target, ledger, writer, pick)
    for (let n = 0; !stopping.signal.aborted; n++) {
      while (paused) {
        writing--
        await paused.promise
        writing++
      }
      const outcome = await pick(writes)(n)
      if (outcome === 'unknown') await pause(UNKNOWN_MS)
      await join(pick(writers).groupId, writer)
      // On any server what was acknowledged is read at once.
      const names = [...ledger.touched].filter((name) => name.startsWith(writer.steamId))
      try {
        for (const error of await lost(url, ledger, [writer], names)) errors.push(`while writing: ${error}`)
        for (const name of names) ledger.touched.delete(name)
      } catch {
        // Cut off; read again after the next write.
      }
      await pause(PAUSE_MS)
    }
  }

  /** Joins a group, if the person was added to it. */
  async function join(groupId: number, { token }: Writer): Promise<void> {
    await fetch(`${url}/api/groups/${groupId}/join`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
      .then((response) => response.arrayBuffer())
      .catch(() => {})
  }

  async function writeAll(writer: Writer, nth: number): Promise<void> {
    try {
      await write(writer, nth)
    } catch (error) {
      errors.push(`a person gave up: ${String(error)}`)
    }
    writing--
  }

  const pages: Page[] = await Promise.all(
    writers.map(async ({ steamId, token, groupId }) => {
      const response = await fetch(`${url}/api/nights`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ group_id: groupId, title: 'Watched' }),
      })
      const { night_id, version } = (await response.json()) as { night_id: number; version: number }
      return { nightId: night_id, steamId, token, version, opened: 0 }
    }),
  )
  ledger.touched.clear()
  const working = [
    ...writers.map((writer, nth) => writeAll(writer, nth)),
    ...pages.map((page) => watch(url, page, stopping.signal)),
  ]

  function resume(): void {
    paused?.resolve()
    paused = undefined
  }

  return {
    ledger,
    writers,
    pages,
    errors,
    async pause() {
      paused = Promise.withResolvers<void>()
      while (writing > 0) await pause(20)
    },
    resume,
    async stop() {
      stopping.abort()
      resume()
      await Promise.all(working)
    },
  }
}

/** Opens the stream of a page, and again whenever it ends. */
async function watch(url: string, page: Page, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${page.token}` }
  const read = async () => {
    const response = await fetch(`${url}/api/nights/${page.nightId}`, { headers, signal })
    if (response.ok) page.version = ((await response.json()) as { version: number }).version
  }
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}/api/users/${page.steamId}/events`, { headers, signal })
      if (response.ok) page.opened++
      await read()
      const decoder = new TextDecoder()
      let text = ''
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        const events = text.split('\n\n')
        text = events.pop()!
        if (events.some((event) => event.includes(`"night:${page.nightId}"`))) await read()
      }
    } catch {
      // Cut off, or stopped.
    }
    await pause(RECONNECT_MS, undefined, { signal }).catch(() => {})
  }
}
