/** Connections to PostgreSQL that break in the middle of a commit. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A forwarder to PostgreSQL that, once armed, breaks the next connection that sends COMMIT: before that arrives, or before its
 * response does.
 */
export async function cutOnCommit(target: string, when: 'request' | 'response' = 'request') {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isArmed = false
  const forwarder = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
    client.on('data', (bytes) => {
      if (!isArmed || !bytes.includes('commit')) return void server.write(bytes)
      isArmed = false
      const cut = () => {
        client.destroy()
        server.destroy()
      }
      if (when === 'request') return cut()
      server.unpipe(client).once('data', cut).resume()
      server.write(bytes)
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    server.pipe(client)
  })
  function close(): void {
    for (const socket of sockets) socket.destroy()
    forwarder.close()
  }
  forwarder.listen(0, '127.0.0.1')
  await once(forwarder, 'listening')
  const url = new URL(target)
  url.port = String((forwarder.address() as AddressInfo).port)
  return {
    url: url.href,
    arm: () => void (isArmed = true),
    close,
  }
}
