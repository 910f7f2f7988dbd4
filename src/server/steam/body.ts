/** A body that is longer than anybody may send us. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the body is longer than ${maxBytes} bytes`)
    this.name = 'BodyTooLargeError'
  }
}

/**
 * Reads a body as UTF-8 text, at most `maxBytes` of it after decompression, so that no answer fills the memory.
 * @throws BodyTooLargeError; TypeError when the bytes are not UTF-8; whatever breaks the connection
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  // Leaving the loop by an error cancels the stream, and with it the connection.
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    length += chunk.byteLength
    if (length > maxBytes) throw new BodyTooLargeError(maxBytes)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Why a connection failed, as a system code such as ECONNRESET. The error itself stays behind: its text and its
 * causes may hold the address, and with it the key (PLAT-41).
 */
export function connectionFault(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current && typeof current.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(current.code))
      return current.code
  return 'no connection'
}
