/** Uploads of pictures over real sockets, complete and unfinished. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'

const CONTENT_LENGTH = 4 * 2 ** 20
const PART = '--b\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\n\r\n'

/** A server, and the number of uploads that it has started to read. */
export async function startForUploads(options: Parameters<typeof startTestApp>[0] = {}) {
  const lines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const app = await startTestApp({ logger, oneServer: 'uploads that run are counted in memory', ...options })
  const started = () => lines.filter((line) => line.includes('starting multipart parsing')).length
  return { app, started }
}

/** Somebody who owns a group. */
export async function ownerOfGroup(app: TestApp) {
  const owner = await app.player({ synced: false })
  return { owner, id: (await app.group({ owner })).group_id }
}

/** An upload that announces 4 MB and sends `sent` bytes of them; it stays open until it is destroyed. */
export async function beginUpload(
  app: TestApp,
  token: string,
  groupId: number,
  { sent = 10_000, headers = [] }: { sent?: number; headers?: string[] } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const head = [
    `POST /api/groups/${groupId}/picture HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${CONTENT_LENGTH}`,
    ...headers,
  ].join('\r\n')
  socket.write(`${head}\r\n\r\n${PART}`)
  socket.write(Buffer.alloc(sent))
  return socket
}

/** The first response on a connection: its status line and its whole text. */
export async function responseOn(socket: Socket): Promise<{ status: string; text: string }> {
  const [response] = (await once(socket, 'data')) as [Buffer]
  const text = response.toString('latin1')
  return { status: text.split('\r\n', 1)[0]!, text }
}
