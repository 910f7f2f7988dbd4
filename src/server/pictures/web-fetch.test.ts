import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPublicAddress, queryNameServers } from './public-request.ts'
import { fetchPublic, type FetchOptions } from './web-fetch.ts'

const PIXELS = Buffer.from('stands for a picture')

/** A web server on loopback that records its requests. */
async function startServer(answer: RequestListener, { host = '127.0.0.1', port = 0 } = {}) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port: listening } = server.address() as AddressInfo
  return { server, requests, port: listening, url: `http://${host}:${listening}` }
}

const sendPicture: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-type': 'image/png' }).end(PIXELS)

/** Resolves when the client of a server's next connection has disconnected. */
function hangUpOf(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', () => resolve()))
  })
}

/** Allows only one port of loopback, in place of the public internet. */
const onlyPort =
  (port: number): FetchOptions['policy'] =>
  (address, toPort) =>
    address === '127.0.0.1' && toPort === port

/** Fetches from a server on loopback in place of the public internet. */
async function fetchFrom(answer: RequestListener, options: FetchOptions & { path?: string } = {}) {
  const { path = '/picture.png', ...rest } = options
  const { port, url } = await startServer(answer)
  return fetchPublic(`${url}${path}`, { policy: onlyPort(port), ...rest })
}

const refusedAddress = { code: 'invalid_picture_url', status: 400, field: 'picture_url' }
const notPublic = { ...refusedAddress, message: 'The picture URL must be on the public internet.' }
const notReachable = { ...refusedAddress, message: 'The picture URL cannot be reached.' }
const tooLate = { ...refusedAddress, message: 'The picture URL took too long to respond.' }

describe('a picture of the public web', () => {
  test('is fetched with a request that reveals nothing else', async () => {
    const { port, requests } = await startServer(sendPicture)
    const picture = await fetchPublic(`http://pictures.test:${port}/a%20b.png?size=1#part`, {
      policy: onlyPort(port),
      lookup: async () => ['127.0.0.1'],
    })

    expect(picture).toEqual(PIXELS)
    const [{ method, url, headers }] = requests as [IncomingMessage]
    expect({ method, url }).toEqual({ method: 'GET', url: '/a%20b.png?size=1' })
    expect(headers).toEqual({
      host: `pictures.test:${port}`,
      accept: expect.stringContaining('image/') as string,
      'accept-encoding': 'identity',
      'user-agent': 'Shelfmates/1.0 (group pictures)',
      connection: 'close',
    })
  })

  test('is found after three redirects, without sending cookies', async () => {
    const { port, url, requests } = await startServer((request, response) => {
      const step = Number(request.url!.slice(1))
      if (step === 3) return sendPicture(request, response)
      const location = step === 0 ? '/1' : `http://127.0.0.1:${port}/${step + 1}`
      response.writeHead([301, 302, 308][step]!, { location, 'set-cookie': 'id=1' }).end('moved')
    })

    await expect(fetchPublic(`${url}/0`, { policy: onlyPort(port) })).resolves.toEqual(PIXELS)
    expect(requests.map((request) => request.url)).toEqual(['/0', '/1', '/2', '/3'])
    expect(requests.every((request) => request.headers.cookie === undefined)).toBe(true)
  })
})

describe('PIC-6: a host that is not public is never contacted', () => {
  test.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '017700000001'],
    ...['①②⑦.0.0.1', '127。0。0。1', '127.0.0.1.', '0', '0.0.0.0'],
    ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[::]'],
  ])('written as %s', async (host) => {
    const { port, requests } = await startServer(sendPicture, { host: '127.0.0.1' })
    const fetching = fetchPublic(`http://${host}:${port}/`, { policy: isPublicAddress })

    await expect(fetching).rejects.toMatchObject(notPublic)
    expect(requests).toEqual([])
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['private', ['10.1.2.3']],
    ['cloud metadata', ['169.254.169.254']],
    ['unique-local', ['fd00::1']],
    ['public and private', ['1.1.1.1', '192.168.1.1']],
    ['public and mapped loopback', ['1.1.1.1', '::ffff:127.0.0.1']],
  ])('by a name that resolves to %s', async (_kind, addresses) => {
    const fetching = fetchPublic('http://pictures.test/', { lookup: async () => addresses })
    await expect(fetching).rejects.toMatchObject(notPublic)
  })

  test.each(['http://1.1.1.1:22/', 'http://1.1.1.1:8080/', 'https://1.1.1.1:6379/', 'http://[2606::1]:25/'])(
    'at another port: %s',
    async (url) => {
      await expect(fetchPublic(url)).rejects.toMatchObject(notPublic)
    },
  )

  test('PIC-6: by a name that changes its address after the check (rebinding)', async () => {
    const outside = await startServer(sendPicture)
    const inside = await startServer((_request, response) => response.end('secret'), {
      host: '127.0.0.2',
      port: outside.port,
    })
    const responses = [['127.0.0.1'], ['127.0.0.2']]
    const lookup = async () => responses.shift()!

    const fetching = fetchPublic(`http://rebind.test:${outside.port}/`, {
      lookup,
      policy: onlyPort(outside.port),
    })

    await expect(fetching).resolves.toEqual(PIXELS)
    expect(responses).toEqual([['127.0.0.2']])
    expect(inside.requests).toEqual([])
  })

  test('by a name that changes its address between redirects', async () => {
    const outside = await startServer((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    const inside = await startServer(sendPicture, { host: '127.0.0.2', port: outside.port })
    const responses = [['127.0.0.1'], ['127.0.0.2']]

    const fetching = fetchPublic(`http://rebind.test:${outside.port}/`, {
      lookup: async () => responses.shift()!,
      policy: onlyPort(outside.port),
    })

    await expect(fetching).rejects.toMatchObject(notPublic)
    expect(inside.requests).toEqual([])
  })

  test('by a chain of redirects', async () => {
    const inside = await startServer(sendPicture)
    const outside = await startServer((request, response) => {
      const location = request.url === '/1' ? `http://127.0.0.1:${inside.port}/admin` : '/1'
      response.writeHead(302, { location }).end()
    })

    await expect(fetchPublic(outside.url, { policy: onlyPort(outside.port) })).rejects.toMatchObject(
      notPublic,
    )
    expect(outside.requests).toHaveLength(2)
    expect(inside.requests).toEqual([])
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    '//10.0.0.1/picture.png',
    'file:///etc/passwd',
    'ftp://1.1.1.1/a.png',
    'gopher://1.1.1.1/',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'http://',
  ])('by a redirect to %s', async (location) => {
    const fetching = fetchFrom((_request, response) => response.writeHead(302, { location }).end())
    await expect(fetching).rejects.toMatchObject(refusedAddress)
  })
})

test.each([
  'http://user:secret@1.1.1.1/',
  'http://user@1.1.1.1/',
  'http://:secret@1.1.1.1/',
  'ftp://1.1.1.1/a.png',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  '/media/a.png',
  '',
])('the URL %s is refused at once', async (url) => {
  await expect(fetchPublic(url)).rejects.toMatchObject(refusedAddress)
})

test('a redirect to a URL with a user name or password is refused', async () => {
  const { port, url, requests } = await startServer((_request, response) => {
    response.writeHead(302, { location: `http://user:secret@127.0.0.1:${port}/` }).end()
  })
  await expect(fetchPublic(url, { policy: onlyPort(port) })).rejects.toMatchObject(refusedAddress)
  expect(requests).toHaveLength(1)
})

test('circular redirects end', async () => {
  const { port, url, requests } = await startServer((_request, response) => {
    response.writeHead(307, { location: '/' }).end()
  })
  await expect(fetchPublic(url, { policy: onlyPort(port) })).rejects.toMatchObject({
    ...refusedAddress,
    message: 'The picture URL redirects too often.',
  })
  expect(requests).toHaveLength(4)
})

describe('a response that is too large', () => {
  const tooLarge = { code: 'image_too_large', status: 413, field: 'picture_url' }

  test('is refused by its Content-Length before the body arrives, and the connection is closed', async () => {
    const { port, url, server } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 5 * 1024 * 1024 + 1 })
      response.flushHeaders()
    })
    const hungUp = hangUpOf(server)

    await expect(fetchPublic(url, { policy: onlyPort(port), timeoutMs: 10 * 60_000 })).rejects.toMatchObject(
      tooLarge,
    )
    await hungUp
  })

  test('is refused while it arrives, without a Content-Length', async () => {
    const { port, url, server } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      }
      response.on('drain', more)
      more()
    })
    const hungUp = hangUpOf(server)

    await expect(fetchPublic(url, { policy: onlyPort(port), maxBytes: 1_000_000 })).rejects.toMatchObject(
      tooLarge,
    )
    await hungUp
  })

  test('is accepted at exactly the limit', async () => {
    await expect(fetchFrom(sendPicture, { maxBytes: PIXELS.length })).resolves.toEqual(PIXELS)
    await expect(fetchFrom(sendPicture, { maxBytes: PIXELS.length - 1 })).rejects.toMatchObject(tooLarge)
  })
})

describe('a slow host is given up', () => {
  const head = (type = 'image/png') => ({ 'content-type': type })

  test.each<[string, RequestListener]>([
    ['with its response', () => undefined],
    ['with its body', (_request, response) => void response.writeHead(200, head()).write('a')],
    [
      'with a body that never ends',
      (_request, response) => {
        response.writeHead(200, head())
        const trickle = setInterval(() => response.write('a'), 10)
        response.on('close', () => clearInterval(trickle))
      },
    ],
    [
      'with slow redirects',
      (request, response) => {
        const wait = setTimeout(() => response.writeHead(302, { location: '/' }).end(), 120)
        request.socket.on('close', () => clearTimeout(wait))
      },
    ],
  ])('%s', async (_case, answer) => {
    const { port, url, server } = await startServer(answer)
    const hungUp = hangUpOf(server)

    await expect(fetchPublic(url, { policy: onlyPort(port), timeoutMs: 200 })).rejects.toMatchObject(tooLate)
    await hungUp
  })

  test('with resolving its name', async () => {
    const lookup = () => new Promise<string[]>(() => undefined)
    await expect(fetchPublic('http://slow.test/', { lookup, timeoutMs: 50 })).rejects.toMatchObject(tooLate)
  })
})

describe('a response that is not a picture is refused', () => {
  const notAnImage = { code: 'invalid_image', status: 400, field: 'picture_url' }

  test.each<[string, Record<string, string>]>([
    ['html', { 'content-type': 'text/html' }],
    ['svg', { 'content-type': 'image/svg+xml; charset=utf-8' }],
    ['svg in capitals', { 'content-type': 'IMAGE/SVG+XML' }],
    ['json', { 'content-type': 'application/json' }],
    ['without a type', {}],
    ['compressed', { 'content-type': 'image/png', 'content-encoding': 'gzip' }],
  ])('%s', async (_kind, headers) => {
    await expect(
      fetchFrom((_request, response) => response.writeHead(200, headers).end('x')),
    ).rejects.toMatchObject(notAnImage)
  })

  test.each([204, 206, 304, 401, 404, 500])('status %i', async (status) => {
    await expect(
      fetchFrom((_request, response) => response.writeHead(status, { 'content-type': 'image/png' }).end()),
    ).rejects.toMatchObject(refusedAddress)
  })

  test('truncated', async () => {
    const fetching = fetchFrom((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1000 })
      response.write('a', () => response.socket?.destroy())
    })
    await expect(fetching).rejects.toMatchObject(notReachable)
  })

  test('a change of protocol', async () => {
    const fetching = fetchFrom((request) => {
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: tunnel\r\nConnection: Upgrade\r\n\r\n')
    })
    await expect(fetching).rejects.toMatchObject(notReachable)
  })
})

describe('host names', () => {
  test('that do not exist, hosts that are down and invalid certificates give the same error', async () => {
    const { port } = await startServer(sendPicture)
    const closed = await startServer(sendPicture)
    closed.server.close()
    await once(closed.server, 'close')

    const nameless = fetchPublic('http://nobody.test/', { lookup: async () => [] })
    const unknown = fetchPublic('http://nobody.test/', {
      lookup: async () => Promise.reject(new Error('queryA ENOTFOUND nobody.test')),
    })
    const off = fetchPublic(closed.url, { policy: onlyPort(closed.port) })
    const plain = fetchPublic(`https://127.0.0.1:${port}/`, { policy: onlyPort(port) })

    for (const fetching of [nameless, unknown, off, plain])
      await expect(fetching).rejects.toMatchObject(notReachable)
  })

  test('are resolved by name servers to all their IPv4 and IPv6 addresses', async () => {
    const lookup = queryNameServers([await startNameServer()])
    const { signal } = new AbortController()

    expect(await lookup('both.test', signal)).toEqual(['1.2.3.4', '127.0.0.1', '2606:4700::1111'])
    expect(await lookup('nobody.test', signal)).toEqual([])
    await expect(fetchPublic('http://both.test/', { lookup })).rejects.toMatchObject(notPublic)
  })

  test('are given up in time when the name server does not respond', async () => {
    const lookup = queryNameServers([await startNameServer()])
    await expect(fetchPublic('http://silent.test/', { lookup, timeoutMs: 50 })).rejects.toMatchObject(tooLate)
  })
})

/** A name server on loopback: both.test exists, nobody.test does not, and silent.test gets no response. */
async function startNameServer(): Promise<string> {
  const records: Record<number, Buffer[]> = {
    1: [Buffer.from([1, 2, 3, 4]), Buffer.from([127, 0, 0, 1])],
    28: [Buffer.from('26064700000000000000000000001111', 'hex')],
  }
  const socket = createSocket('udp4', (query, from) => {
    const end = query.indexOf(0, 12) + 1
    const question = query.subarray(12, end + 4)
    const name = question.toString('latin1')
    if (name.includes('silent')) return
    const found = name.includes('both') ? (records[query.readUInt16BE(end)] ?? []) : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(name.includes('both') ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(found.length, 6)
    header.writeUInt32BE(0, 8)
    const answers = found.map((data) => {
      const record = Buffer.from([0xc0, 12, 0, 0, 0, 1, 0, 0, 0, 60, 0, data.length])
      query.copy(record, 2, end, end + 2)
      return Buffer.concat([record, data])
    })
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}
