/** Worker thread that parses one large library (parse-aside.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { parseJson } from './request.ts'
import { columnsOf, type ParsedAside } from './parse-aside.ts'
import { readOwnedGames, WrongShapeError } from './responses.ts'

function parsed(): ParsedAside {
  try {
    const body = workerData as Uint8Array
    if (isNestedDeeply(body)) throw new WrongShapeError('the body is nested too deeply')
    const library = readOwnedGames(parseJson(body))
    return library.status === 'ok' ? columnsOf(library.games) : library
  } catch (error) {
    if (!(error instanceof WrongShapeError)) throw error
    return { status: 'malformed', reason: error.message }
  }
}

/** Levels of a library: its object, the response, the list, a game, and lists in it. */
const LEVELS_MAX = 20
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Whether JSON has more levels than a library. Millions of them would take so much memory in the parser that the limit of
 * the worker ends the process instead of the worker.
 */
function isNestedDeeply(json: Uint8Array): boolean {
  let levels = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (OPENING.has(byte) && ++levels > LEVELS_MAX) return true
    else if (CLOSING.has(byte)) levels--
  }
  return false
}

parentPort?.postMessage(parsed())
