/** Parsing large libraries in a worker thread, because 30,000 games take a third of a second (PLAT-18). */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OwnedGames } from './port.ts'
import { WrongShapeError } from './responses.ts'

/** What the worker posts. */
export type ParsedAside = OwnedGames | { status: 'malformed'; reason: string }

/** A library of 30,000 games takes a third of a second. */
const PARSE_WITHIN_MS = 10_000

/** Parses the body of GetOwnedGames. Transfers `body` to a worker: the caller cannot use it again. @throws WrongShapeError */
export async function readOwnedGamesAside(body: Uint8Array<ArrayBuffer>): Promise<OwnedGames> {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: body,
    transferList: [body.buffer],
    // A body of 32 MB of brackets would take more.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  try {
    const parsed = await answerOf(worker)
    if (parsed.status === 'malformed') throw new WrongShapeError(parsed.reason)
    return parsed
  } catch (error) {
    if (error instanceof WrongShapeError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new WrongShapeError('the body takes too much memory')
    if (code === 'ABORT_ERR') throw new WrongShapeError('the body takes too long to parse')
    throw error
  } finally {
    void worker.terminate()
  }
}

async function answerOf(worker: Worker): Promise<ParsedAside> {
  const messages = on(worker, 'message', { signal: AbortSignal.timeout(PARSE_WITHIN_MS) })
  for await (const [message] of messages as AsyncIterable<[object]>)
    // `node --watch` has workers send what they import, too.
    if ('status' in message) return message as ParsedAside
  throw new Error('the worker ended without an answer')
}
