import { WrongShapeError } from './responses.ts'

/**
 * Reads a body, up to `maxBytes` after decompression, so that no response fills the memory.
 * @throws WrongShapeError when it is longer
 * @throws Error of `fetch` when the connection breaks
 */
export async function readBytes(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // An error inside the loop cancels the stream, which closes the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > maxBytes) throw new WrongShapeError(`the body is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  // Large ones have memory of their own, so that they can be handed to another thread.
  return Buffer.concat(chunks, length)
}

/** As {@link readBytes}, as UTF-8 text. @throws TypeError when the bytes are not UTF-8 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  return textOf(await readBytes(response, maxBytes))
}

/** @throws WrongShapeError, whose message quotes nothing of the body */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes))
  } catch {
    throw new WrongShapeError('the response is malformed JSON')
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/**
 * Why a connection failed, as a system code such as ECONNRESET. Never the error itself: its message and causes may
 * contain the URL, and with it the key (PLAT-41).
 */
export function connectionFault(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current && typeof current.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(current.code))
      return current.code
  return 'no connection'
}
