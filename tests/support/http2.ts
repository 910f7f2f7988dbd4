/** An HTTP/2 client over TLS, like a browser at a proxy: from any loopback address, for any host name. */
import { connect as connectHttp2, type ClientHttp2Session, constants } from 'node:http2'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Send } from './sign-in.ts'

type Options = {
  /** The origin that the requests name; nothing is looked up. */
  origin: string
  /** The port on loopback where the proxy listens. */
  port: number
  /** The certificate that is trusted. */
  ca: string
  /** The address that the proxy sees. */
  from: string
}

export type Http2Client = { send: Send; close: () => void }

/** Statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205, 304]

/** Makes a client with one connection, which is opened again when the proxy has closed it, as browsers do. */
export function http2Client({ origin, port, ca, from }: Options): Http2Client {
  const { hostname, host } = new URL(origin)
  let session: ClientHttp2Session | undefined

  function connected(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session
    const socket = connectTcp({ host: '127.0.0.1', port, localAddress: from })
    session = connectHttp2(origin, {
      createConnection: () => connectTls({ socket, servername: hostname, ca, ALPNProtocols: ['h2'] }),
    })
    socket.on('error', (error) => session!.destroy(error))
    // Requests report it too.
    session.on('error', () => {})
    return session
  }

  /** `url` as it is written: parsing would change `//` and escapes. */
  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(origin, { redirect: 'manual', ...init })
    const body = Buffer.from(await request.arrayBuffer())
    const stream = connected().request(
      {
        ...Object.fromEntries(request.headers),
        [constants.HTTP2_HEADER_METHOD]: request.method,
        [constants.HTTP2_HEADER_AUTHORITY]: host,
        [constants.HTTP2_HEADER_PATH]: url.slice(origin.length) || '/',
        ...(body.length > 0 && { 'content-length': body.length }),
      },
      { endStream: body.length === 0 },
    )
    const abort = () => stream.close(constants.NGHTTP2_CANCEL)
    init.signal?.addEventListener('abort', abort, { once: true })
    if (body.length > 0) stream.end(body)
    // Taken at once: a short response may have ended before anybody reads it.
    const content = new PassThrough()
    pipeline(stream, content, () => {})
    let received: Record<string, string | string[]>
    try {
      ;[received] = (await once(stream, 'response')) as [typeof received]
    } catch (error) {
      // The proxy was just closing the connection, and has not begun the request.
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return send(url, init)
      throw error
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(received))
      if (!name.startsWith(':')) for (const one of [value].flat()) headers.append(name, one)
    const status = Number(received[constants.HTTP2_HEADER_STATUS])
    return new Response(
      WITHOUT_BODY.includes(status) ? null : (Readable.toWeb(content) as ReadableStream<Uint8Array>),
      { status, headers },
    )
  }

  return { send, close: () => session?.destroy() }
}
