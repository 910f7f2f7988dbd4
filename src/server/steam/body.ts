/** A response body that is longer than the limit. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the body is longer than ${maxBytes} bytes`)
    this.name = 'BodyTooLargeError'
  }
}

/**
 * Reads a body as UTF-8 text, up to `maxBytes` after decompression, so that no response fills the memory.
 * @throws BodyTooLargeError
 * @throws TypeError when the bytes are not UTF-8
 * @throws Error of `fetch` when the connection breaks
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  // An error inside the loop cancels the stream, which closes the connection.
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    length += chunk.byteLength
    if (length > maxBytes) throw new BodyTooLargeError(maxBytes)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
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
