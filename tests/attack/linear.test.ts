/**
 * No header, address or body costs more than linear time (LIM-49). Each is filled with text that costs patterns and loops
 * most, up to what the server accepts, and the processor time is compared with the same request's without it.
 */
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { temporaryFolder } from '../support/folders.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { imageOf } from '../support/png.ts'
import { upload } from '../support/png.ts'
import { rawRequest, sendRaw } from './raw-http.ts'

/** Node accepts 16 kB of headers and address; the rest of the request needs a little. */
const HEAD_BYTES = 15_400
/** Requests accept 100 kB of JSON. */
const BODY_BYTES = 90_000
/** Processor time that a request may take longer than the plain one: linear work takes a tenth, quadratic ten times of it. */
const MORE_MS = 20
const REPEATS = 8

/** Text of a length, beginning and ending as these; the middle is repeated. */
const PATTERNS: readonly [begin: string, middle: string, end: string][] = [
  ['a', ' ', 'b'],
  ['a', '\t', 'b'],
  ['', 'a', '!'],
  ['', '0', 'x'],
  ['', ',', ''],
  ['', ' ,', 'a'],
  ['', 'a, ', ''],
  ['', ';', ''],
  ['', 'a=b; ', ''],
  ['', 'a="b",', ''],
  ['', '=', ''],
  ['"', '\\', ''],
  ['"', '\\"', ''],
  ['', '"', ''],
  ['', '"a", ', 'b'],
  ['', '(', ''],
  ['', '{"a":', ''],
  ['', '/', ''],
  ['', '../', ''],
  ['', '.', '!'],
  ['', '127.0.0.1, ', ''],
  ['', ':', ''],
  ['', 'é', ''],
  ['', '*;q=0.1,', ''],
]

function filled([begin, middle, end]: (typeof PATTERNS)[number], length: number): string {
  return begin + middle.repeat(Math.floor((length - begin.length - end.length) / middle.length)) + end
}

/** What parsers must have read before they come to the rest. */
const BEGINNINGS: Record<string, readonly string[]> = {
  accept: ['text/html'],
  authorization: ['Bearer '],
  'content-type': ['application/json', 'multipart/form-data; boundary='],
  cookie: ['a='],
  forwarded: ['for='],
  'if-modified-since': ['Sun, 06 Nov 1994 '],
  'if-none-match': ['W/"'],
  range: ['bytes='],
}

const ROOT = join(import.meta.dirname, '../..')
/** Packages that read what clients send. */
const READERS = [
  'fastify',
  '@fastify/compress',
  '@fastify/cookie',
  '@fastify/multipart',
  '@fastify/busboy',
  '@fastify/proxy-addr',
  '@fastify/rate-limit',
  '@fastify/under-pressure',
  '@fastify/forwarded',
  '@fastify/send',
  '@fastify/static',
  '@fastify/accept-negotiator',
  'find-my-way',
]
/** Names in their source that are not headers of requests. */
const OTHERS = [
  'accept-ranges',
  'content-disposition',
  'content-range',
  'content-security-policy',
  'content-transfer-encoding',
  'last-modified',
  'location',
  'retry-after',
  'then',
  'ts',
  'x-content-type-options',
]
/** Headers that Node's own server reads. */
const OF_NODE = ['connection', 'content-length', 'expect', 'host', 'transfer-encoding', 'upgrade', 'trailer']
/** Headers that the server looks for by a list (`mayReadMetrics`). */
const IN_LISTS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Every header that the server, the simulator or one of their packages reads by its name. */
function headersRead(): string[] {
  const sources = [
    join(ROOT, 'src/server'),
    join(ROOT, 'src/simulator'),
    ...READERS.map((name) => join(ROOT, 'node_modules', name)),
  ].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          /\.[cm]?[jt]s$/.test(file) && !/\.test\.|\.d\.|(^|\/)(tests?|node_modules|static)\//.test(file),
      )
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  )
  const names = new Set([...OF_NODE, ...IN_LISTS])
  for (const source of sources)
    for (const [, quoted, bare] of source.matchAll(
      /headers?\??\.?(?:\[|Of\(\w+, )['"]([\w-]+)['"]|headers\??\.([a-z]+)\b(?!\()/g,
    ))
      names.add((quoted ?? bare!).toLowerCase())
  return [...names].filter((name) => !OTHERS.includes(name)).toSorted()
}

type Bodies = { line: string; headers: string[]; bodyOf: (text: string) => string }
type Route = { line: string; headers?: string[]; body?: string; isStream?: boolean }

let app: TestApp
let host: TestPlayer
let groupId: number
let routes: Record<string, Route>
beforeAll(async () => {
  const pages = temporaryFolder('pages')
  mkdirSync(join(pages, 'assets'), { recursive: true })
  writeFileSync(
    join(pages, 'index.html'),
    `<!doctype html><html><head></head><body>${'page '.repeat(500)}</body></html>`,
  )
  writeFileSync(join(pages, 'assets', 'app-abc123.js'), 'app()\n'.repeat(500))
  app = await startTestApp({
    lasting: true,
    demo: true,
    pagesFolder: pages,
    env: { TRUST_PROXY: '127.0.0.1,::1' },
    requestLimits: { perAddress: 10_000_000, perToken: 10_000_000 },
    oneServer: 'the processor time of one is measured',
  })
  const games = Array.from({ length: 10 }, (_, nth) => `${nth} ${'of a long name '.repeat(8)}`)
  const people = await friendsWithGames(app, 2, games)
  host = people.host
  groupId = people.groupId
  const night = await host.call(api.nights.start, {}, { group_id: groupId })
  const id = { id: night.night_id }
  await inNight(night, people.others[0]!).answer('in')
  await inNight(night, host).decide(people.appids[0]!)
  const shared = new URL((await host.call(api.share.create, id)).url).pathname
  const uploaded = (await (await upload(host, groupId, await imageOf('red'))).json()) as {
    picture_url: string
  }
  const session = [`Authorization: Bearer ${host.token}`]
  const json = [...session, 'Content-Type: application/json']
  routes = {
    page: { line: 'GET /dashboard' },
    asset: { line: 'GET /assets/app-abc123.js' },
    description: { line: 'GET /api/openapi.json' },
    'sign-in': { line: 'GET /auth/steam' },
    list: { line: `GET /api/users/${host.steam_id}/games`, headers: session },
    stream: { line: `GET /api/users/${host.steam_id}/events`, headers: session, isStream: true },
    write: { line: `PATCH /api/groups/${groupId}`, headers: json, body: '{"name":"Friday"}' },
    upload: { line: `POST /api/groups/${groupId}/picture`, headers: session, body: 'a'.repeat(20_000) },
    media: { line: `GET ${new URL(uploaded.picture_url, app.url).pathname}` },
    share: { line: `GET ${shared}` },
    simulator: { line: 'GET /simulator/openid/login' },
  }
})
afterAll(() => app.close())

async function send({ line, headers = [], body = '', isStream }: Route): Promise<number> {
  const length = body === '' || headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
  const bytes = rawRequest(
    app.address,
    line,
    length ? headers : [...headers, `Content-Length: ${Buffer.byteLength(body)}`],
    body,
  )
  if (!isStream) return (await sendRaw(app.address, bytes)).status
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(first.toString('latin1'))?.[1] ?? 0)
}

/** Milliseconds of processor time, of client and server, that a request takes. */
async function cost(route: Route): Promise<number> {
  const before = process.cpuUsage()
  await send(route)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least cost of several, because what else runs only adds to it; ends as soon as one is below `enough`. */
async function leastCost(route: Route, enough = 0): Promise<number> {
  let least = Infinity
  for (let nth = 0; nth < REPEATS && least > enough; nth++) least = Math.min(least, await cost(route))
  return least
}

/** The requests of these that cost much more than the plain one, as text with the milliseconds. */
async function expensive(
  plain: Route,
  requests: Iterable<[name: string, request: Route]>,
): Promise<string[]> {
  const usual = await leastCost(plain)
  const found: string[] = []
  for (const [name, request] of requests) {
    const ms = await leastCost(request, usual + MORE_MS)
    if (ms > usual + MORE_MS) found.push(`${name}: ${ms.toFixed(0)} ms instead of ${usual.toFixed(0)}`)
  }
  return found
}

const shown = ([begin, middle, end]: (typeof PATTERNS)[number]) =>
  JSON.stringify(`${begin}(${middle})*${end}`)

describe('takes linear time', () => {
  test('LIM-49: any header that the server reads, on any kind of route', { timeout: 600_000 }, async () => {
    const names = headersRead()
    expect(names).toEqual(expect.arrayContaining(['accept-encoding', 'if-none-match']))
    const found: string[] = []
    for (const [kind, route] of Object.entries(routes)) {
      expect([kind, await send(route)]).toEqual([kind, expect.toBeOneOf([200, 302, 400, 415])])
      const requests = names.flatMap((name) =>
        (BEGINNINGS[name] ?? ['']).flatMap((begin) =>
          PATTERNS.map((pattern): [string, Route] => {
            const others =
              route.headers?.filter((header) => !header.toLowerCase().startsWith(`${name}:`)) ?? []
            const value = begin + filled(pattern, HEAD_BYTES - begin.length)
            return [
              `${name}: ${begin}${shown(pattern)} to ${kind}`,
              { ...route, headers: [...others, `${name}: ${value}`] },
            ]
          }),
        ),
      )
      found.push(...(await expensive(route, requests)))
    }
    expect(found).toEqual([])
  })

  test('LIM-49: any address', { timeout: 600_000 }, async () => {
    const places: [string, Route][] = [
      '/',
      '/assets/',
      '/media/',
      '/share/',
      '/calendar/',
      '/api/users/',
      '/auth/steam?invite=',
      '/auth/steam/return?',
      '/simulator/openid/login?q=',
      '/simulator/pictures/',
      'http://',
    ].map((start) => [start, { line: `GET ${start}x`, headers: [`Authorization: Bearer ${host.token}`] }])
    const found: string[] = []
    for (const [start, plain] of places) {
      const requests = PATTERNS.map((pattern): [string, Route] => {
        // A request line has no blanks; escapes stay as they are.
        const text = filled(pattern, HEAD_BYTES)
          .replaceAll(/[ \t]/g, '+')
          .replaceAll('é', '%C3%A9')
          .slice(0, HEAD_BYTES)
        return [`${start}${shown(pattern)}`, { ...plain, line: `GET ${start}${text}` }]
      })
      found.push(...(await expensive(plain, requests)))
    }
    expect(found).toEqual([])
  })

  test('LIM-49: any body', { timeout: 600_000 }, async () => {
    const json = [`Authorization: Bearer ${host.token}`, 'Content-Type: application/json']
    const form = ['Content-Type: application/x-www-form-urlencoded']
    const withText = (line: string, field: string, rest = {}): Bodies => ({
      line,
      headers: json,
      bodyOf: (text) => JSON.stringify({ ...rest, [field]: text }),
    })
    const bodies: Bodies[] = [
      withText(`PATCH /api/groups/${groupId}`, 'name'),
      withText(`POST /api/groups/${groupId}/picture`, 'picture_url'),
      withText(`POST /api/groups/${groupId}/report`, 'reason', { about: 'name' }),
      withText(`PUT /api/groups/${groupId}/webhook`, 'url', { format: 'json' }),
      withText('POST /api/nights', 'title', { group_id: 0 }),
      withText('POST /api/nights', 'starts_at', { group_id: 0 }),
      { line: `PATCH /api/groups/${groupId}`, headers: json, bodyOf: (text) => text },
      { line: `PATCH /api/groups/${groupId}`, headers: json, bodyOf: (text) => `{"name":"${text}` },
      { line: 'POST /simulator/openid/login/as', headers: form, bodyOf: (text) => `openid.mode=${text}` },
      {
        line: `POST /api/groups/${groupId}/picture`,
        headers: [json[0]!, 'Content-Type: multipart/form-data; boundary=b'],
        bodyOf: (text) => `--b\r\nContent-Disposition: form-data; name=${text}`,
      },
    ]
    const found: string[] = []
    for (const { bodyOf, ...route } of bodies) {
      const requests = PATTERNS.map((pattern): [string, Route] => [
        `${route.line} ${bodyOf(shown(pattern))}`,
        { ...route, body: bodyOf(filled(pattern, BODY_BYTES)) },
      ])
      found.push(...(await expensive({ ...route, body: bodyOf('x') }, requests)))
    }
    expect(found).toEqual([])
  })
})
