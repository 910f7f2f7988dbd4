/** Raw requests, as no well-behaved client sends them. */
import { connect } from 'node:net'

export type RawResponse = { status: number; headers: Headers; body: string }

/**
 * Sends `bytes` over a new connection and reads until the server closes it, so a request should have
 * `Connection: close`. A response that is not HTTP has status 0.
 */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<RawResponse> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise<void>((resolve, reject) => {
    socket.once('close', resolve)
    // A server that refuses a request may reset the connection while it is still sending; its response counts.
    socket.once('error', (error) => (chunks.length > 0 ? resolve() : reject(error)))
    socket.write(bytes)
  })
  return read(Buffer.concat(chunks))
}

/** A request with Host, Connection: close and exactly these `headers`. */
export function rawRequest(
  address: string,
  line: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = '',
): Uint8Array {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${new URL(address).host}`]
  const head = [`${line} HTTP/1.1`, ...host, 'Connection: close', ...headers, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
}

/** Builds and sends a request. */
export function sendRequest(
  address: string,
  line: string,
  headers?: readonly string[],
  body?: string | Uint8Array,
): Promise<RawResponse> {
  return sendRaw(address, rawRequest(address, line, headers, body))
}

function read(response: Buffer): RawResponse {
  const end = response.indexOf('\r\n\r\n')
  const [first = '', ...lines] = response.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  return { status, headers, body: response.subarray(end + 4).toString() }
}
