/** Uploads of pictures over real sockets, complete and unfinished. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'

const CONTENT_LENGTH = 4 * 2 ** 20
const PART = '--b\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\n\r\n'

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
