/** Lets requests wait while a public demo is reset, so that none of them sees half of it (DEMO-11). */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { withinMs } from '../time.ts'
import { isEventStream } from './event-streams.ts'
import { failureOf } from './failures.ts'
import type { Door } from './doors.ts'

export type Gate = {
  door: Door
  /**
   * Runs `work` while no request is in progress; those that arrive during it wait for its end. Streams of events stay
   * open. Does not wait for longer than `ms` for the requests in progress.
   */
  runAlone(ms: number, work: () => Promise<void>): Promise<void>
}

/** Requests that can wait, so that a flood of them does not fill the memory. */
const WAITING_MAX = 2000
const RETRY_SECONDS = 5

/** The gate of a server. */
export function createGate({ waitingMax = WAITING_MAX } = {}): Gate {
  const running = new Set<ServerResponse>()
  let waiting: Map<Socket, () => void> | undefined
  const door: Door = (request, response, next) => {
    const pass = () => {
      if (response.destroyed) return
      running.add(response)
      response.once('close', () => running.delete(response))
      next()
    }
    // A health check that waited would make the server look dead.
    if (!waiting || request.url === '/healthz') pass()
    // Neither browsers nor proxies send another request before they have the response.
    else if (waiting.has(request.socket)) request.socket.destroy()
    else if (waiting.size >= waitingMax) refuse(request, response)
    else {
      waiting.set(request.socket, pass)
      response.once('close', () => waiting?.delete(request.socket))
    }
  }

  return {
    door,

    async runAlone(ms, work) {
      waiting = new Map()
      try {
        const inProgress = [...running].filter((response) => !isEventStream(response))
        await withinMs(Promise.all(inProgress.map((response) => once(response, 'close'))), ms)
        await work()
      } finally {
        const held = waiting
        waiting = undefined
        for (const pass of held.values()) pass()
      }
    },
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = failureOf(new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }), {
    id: '',
    raw: request,
  })
  response.writeHead(status, { ...headers, connection: 'close' }).end(body)
}
