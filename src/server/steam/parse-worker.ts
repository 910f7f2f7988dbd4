/** Worker thread that parses one large library (parse-aside.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import type { ParsedAside } from './parse-aside.ts'
import { parseJson } from './request.ts'
import { readOwnedGames, WrongShapeError } from './responses.ts'

/**
 * More than the largest library has, with those in its names. Millions of nested ones would take so much memory in the
 * parser that the limit of the worker ends the process instead of the worker.
 */
const BRACKETS_MAX = 1_000_000

function parsed(body: Uint8Array): ParsedAside {
  try {
    let brackets = 0
    for (const byte of body) if (byte === 0x5b || byte === 0x7b) brackets++
    if (brackets > BRACKETS_MAX) throw new WrongShapeError('the body has too many lists and objects')
    return readOwnedGames(parseJson(body))
  } catch (error) {
    if (!(error instanceof WrongShapeError)) throw error
    return { status: 'malformed', reason: error.message }
  }
}

parentPort?.postMessage(parsed(workerData as Uint8Array))
