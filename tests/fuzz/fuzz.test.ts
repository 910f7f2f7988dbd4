/**
 * Sends valid, nearly valid and random input, made from the contract, to every endpoint: every request gets a response,
 * never a server error, and the database stays intact. FUZZ_REQUESTS (6,000) and FUZZ_SEED set how many and which; half
 * of them go to each engine. Ids are placeholders (`$me`, `$person3`, `$group1`), so a seed makes the same requests in
 * every run.
 */
import fc, { type Arbitrary } from 'fast-check'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { AppError } from '../../src/server/errors.ts'
import { brokenInvariants } from '../chaos/invariants.ts'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { rawRequest, type RawResponse } from '../support/http.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 6000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_250_101)
const PEOPLE = 10
const AT_ONCE = 8
/** The counted syncs are deleted this often, so that syncs are run and not only refused. */
const RESET_SYNCS_EVERY = 200
/** Maximum memory of caches and prepared statements, for any number of requests. */
const GROWTH_MAX_BYTES = 12 * 1024 * 1024

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type JsonSchema = {
  type?: string
  required?: string[]
  enum?: Json[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}
/** A request, with placeholders. Those outside the contract have no endpoint. */
type FuzzRequest = {
  name: string
  endpoint?: Endpoint
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** The sender: one of the people, without a token, or with an invented token. */
  as: number | 'nobody' | 'forged'
}

const often = <T>(most: Arbitrary<T>, weight: number, other: Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: most }, { weight: 1, arbitrary: other })
const numbered = (what: string, from: number) => fc.nat(from - 1).map((n) => `$${what}${n}`)
const graphemes = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength })
const addresses = fc.webUrl({
  validSchemes: ['https', 'http'],
  withFragments: true,
  withQueryParameters: true,
})

const person = often(
  fc.oneof(fc.constant('$me'), numbered('person', PEOPLE)),
  11,
  fc.constant('76561198099999999'),
)
/** Valid values by the names of parameters and fields; `$#` stands for a number. */
const known: Record<string, Arbitrary<string | number>> = {
  ...Object.fromEntries(
    ['steamId', 'mySteamId', 'friendSteamId', 'owner_steam_id', 'steam_ids', 'steam_id'].map((name) => [
      name,
      person,
    ]),
  ),
  group_id: numbered('#group', 30),
  id: numbered('group', 30),
  night: numbered('night', 30),
  year: fc.constantFrom('2026', '2027'),
  token: numbered('invite', 30),
  starts_at: fc.constant('$soon'),
  close_times_at: fc.constant('$soon'),
  times: fc.constantFrom('$soon', '$later'),
  appid: fc.constantFrom(400, 410, 570),
  replaces: fc.integer({ min: 1, max: 3 }),
  gameId: fc.oneof(fc.constantFrom('400', '570', '431960', '999999'), fc.nat(4_294_967_295).map(String)),
  sessionId: fc.nat(500).map((n) => String(n + 1)),
  name: fc.oneof(graphemes(120), fc.constantFrom('Friday', ' x ', '🎲')),
  url: fc.oneof(
    addresses,
    fc.constantFrom('https://127.0.0.1/', 'https://me:x@example.org/', 'https://a.example:22/'),
  ),
  picture_url: fc.oneof(
    addresses,
    fc.constantFrom('$media', '/media/../x', '//evil.example/x.png', 'data:,'),
  ),
  endpoint: fc.constantFrom(
    'https://1.1.1.1/a',
    'https://1.1.1.1/b',
    'https://127.0.0.1/',
    'http://1.1.1.1/',
  ),
  p256dh: fc.constant(
    'BG_wO5SSQc4drdQ1GeaWDgqFtBppoFwygQOqK84VlMoWPE91OlW_AdxT9sCwx-7ni0DG_30lqW4igrmJzvccFEo',
  ),
  auth: fc.constant('A'.repeat(22)),
  expirationTime: fc.nat(),
}

const awkward: Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    '1e3',
    '-1',
    '𝟙',
    '76561197960265728',
    "' OR 1=1--",
  ),
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e308, 4_294_967_296, [], {}, [[]], [null], { length: 1 }),
  fc.constantFrom<Json>('x'.repeat(5000), ['$me'.repeat(200)]),
  fc.jsonValue({ maxDepth: 3 }) as Arbitrary<Json>,
  fc.string({ unit: 'binary', maxLength: 60 }),
)

/** Values that mostly match a JSON schema; leaves by their names above. */
function validOf(schema: JsonSchema, name: string): Arbitrary<Json> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(validOf(schema.items ?? {}, name), { maxLength: 6 })
  if (schema.type !== 'object') return known[name] ?? graphemes(40)
  const fields = Object.entries(schema.properties ?? {}).map(([key, of]) => [key, validOf(of, key)])
  return fc
    .record(Object.fromEntries(fields) as Record<string, Arbitrary<Json>>, {
      requiredKeys: schema.required ?? [],
    })
    .map(({ times, close_times_at, ...rest }) => ({
      ...rest,
      // A night has one time or several, and a deadline for several only.
      ...(times !== undefined &&
        rest.starts_at === undefined && { times, ...(close_times_at !== undefined && { close_times_at }) }),
    }))
}

/** One error: a value of another type, a missing key, an extra key, or the whole in a list. */
function nearly(value: Json): Arbitrary<Json> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return awkward
  return fc
    .tuple(fc.constantFrom(...Object.keys(value), 'extra'), awkward, fc.nat(3))
    .map(([key, bad, kind]) => {
      const { [key]: old, ...others } = value
      if (kind === 0) return others
      if (kind === 1) return [value]
      return { ...others, [key]: kind === 2 ? bad : [old ?? null, bad] }
    })
}

/** A body as text, sometimes cut off. */
function bodyOf(endpoint: Endpoint): Arbitrary<string> {
  const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const valid = validOf(schema, 'body')
  return fc
    .oneof(valid, valid.chain(nearly), often(valid, 1, awkward))
    .map((value) => JSON.stringify(value))
    .chain((text) =>
      often(
        fc.constant(text),
        12,
        fc.nat(text.length).map((end) => text.slice(0, end)),
      ),
    )
}

const segment = fc.oneof(
  fc.constantFrom('', '.', '..', '%2e%2e', '%00', '%zz', '%', '%2f', '__proto__', '-1', '0', '1e3', '*'),
  fc.constantFrom(
    '7'.repeat(17),
    '7'.repeat(600),
    '76561197960265728',
    '4294967296',
    encodeURIComponent('９'.repeat(17)),
  ),
  graphemes(40).map(encodeURIComponent),
)
const queries = fc.constantFrom(
  '?',
  '?a',
  '?__proto__[x]=1',
  '?steamId=$me&steamId=1',
  '?%zz',
  `?${'a&'.repeat(500)}`,
)
const sent = fc.record({
  as: often<FuzzRequest['as']>(fc.nat(PEOPLE - 1), 20, fc.constantFrom('nobody', 'forged')),
  headers: often<Record<string, string>>(
    fc.constant({}),
    6,
    fc.constantFrom<Record<string, string>>(
      { 'x-forwarded-for': '1.2.3.4' },
      { 'x-http-method-override': 'DELETE' },
      { cookie: 'shelfmates_sign_in_a=%zz; a==; ;' },
      { expect: '200-maybe' },
      { range: 'bytes=0-0' },
      { 'if-none-match': '*' },
      { 'content-encoding': 'gzip' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data; boundary=b' },
    ),
  ),
})

function requestsOf(name: string, endpoint: Endpoint): Arbitrary<FuzzRequest> {
  const parts = endpoint.path.split('/').map((part) => {
    const isNight = part === ':id' && endpoint.path.startsWith('/api/nights/')
    return part.startsWith(':')
      ? often<string | number>(known[isNight ? 'night' : part.slice(1)] ?? segment, 9, segment)
      : often(fc.constant(part), 60, segment)
  })
  const takesBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  return fc
    .record({
      sent,
      path: fc.tuple(...parts).map(([, ...rest]) => `/${rest.join('/')}`),
      query: often(fc.constant(''), 8, queries),
      body: fc.option(
        bodyOf(endpoint),
        takesBody ? { nil: undefined, freq: 9 } : { nil: undefined, freq: 1 },
      ),
      method: often<string>(
        fc.constant(endpoint.method),
        16,
        fc.constantFrom('PUT', 'DELETE', 'POST', 'HEAD', 'GET'),
      ),
    })
    .map(({ sent, path, query, body, method }) => ({
      ...sent,
      ...{ name, endpoint, method, path: path + query },
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json', ...sent.headers } }),
    }))
}

/** Requests outside the api. */
const elsewhere: Arbitrary<FuzzRequest> = fc
  .tuple(
    sent,
    fc.oneof(
      fc.constantFrom('/', '/dashboard', '/auth/steam', '/healthz', '/readyz', '/api/openapi.json', '$media'),
      ...['/media/', '/share/', '/join/', '/calendar/', '/assets/'].map((path) =>
        segment.map((of) => path + of),
      ),
      fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      fc
        .array(
          fc.tuple(fc.constantFrom('openid.mode', 'openid.sig', 'openid.claimed_id', 'state', 'x'), segment),
        )
        .map((pairs) => `/auth/steam/return?${pairs.map((pair) => pair.join('=')).join('&')}`),
    ),
  )
  .map(([sent, path]) => ({ ...sent, name: 'elsewhere', method: 'GET', path }))

/** What ends a session, an account, a group, a night or a link is called seldom, so that some are left for the others. */
const seldom =
  /^(session\.(logOut|revoke\w+)|privacy\.deleteAccount|groups\.(remove|leave)|nights\.(cancel|close|removePlayer)|invites\.switchOff\w+)$/
const calls = Object.entries(api).flatMap(([noun, those]) =>
  Object.entries<Endpoint>(those).map(([call, endpoint]) => ({
    name: `${noun}.${call}`,
    // Nobody here is an operator.
    weight: seldom.test(`${noun}.${call}`) ? 2 : noun === 'operator' ? 4 : 8,
    arbitrary: requestsOf(`${noun}.${call}`, endpoint),
  })),
)
/** Calls that need an operator, a person who has just left, a night at its end or whose date is open, or a webhook. */
const rarelySucceeds =
  /^(groups\.(remove|leave|handOver|setMayReturn)|nights\.(vote|answerTimes|takeTime|close|draw|redraw|reopen|addPlayers|removePlayer)|share\.create|webhooks\.(set|test)(Own)?|invites\.\w*OfNight|operator\.\w+)$/

/** `count` requests for a seed, and one more of each call; the same in every run. */
function* fuzzRequests(seed: number, count: number): Generator<FuzzRequest> {
  const any = fc.oneof(...calls, { weight: 12, arbitrary: elsewhere })
  for (let made = 0; made < count; made += 500)
    yield* fc.sample(any, { seed: seed + made, numRuns: Math.min(500, count - made) })
  for (const { arbitrary } of calls) yield* fc.sample(arbitrary, { seed, numRuns: 1 })
}

describe.each(engines)('on %s', (engine) => {
  test(`ERR-1: ${REQUESTS / 2} requests do no harm`, { timeout: 3_600_000 }, async () => {
    const app = await startTestApp({
      engine,
      requestLimits: { perAddress: 1e9, perToken: 1e9 },
      // Small caches fill early, so that later growth is a leak.
      env: { MEMORY_MB: '16' },
      fetchPublic: () => Promise.reject(new AppError('invalid_image', { field: 'picture_url' })),
      // Nothing is sent to it.
      web: { lookup: async () => ['1.1.1.1'] },
    })
    const send = await createCast(app)
    const failures: string[] = []
    const statuses = new Map<string, Set<number>>()
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))

    const count = REQUESTS / 2
    const requests = fuzzRequests(SEED, count)
    let done = 0
    let early = 0
    async function work(): Promise<void> {
      for (let next = requests.next(); !next.done; next = requests.next()) {
        const request = next.value
        const answer = await send(request)
        statuses.set(request.name, (statuses.get(request.name) ?? new Set()).add(answer.status))
        const problem = problemWith(request, answer)
        if (problem)
          failures.push(`${problem}: ${JSON.stringify({ ...request, endpoint: undefined, answer })}`)
        done += 1
        if (done === Math.floor(count / 3)) early = heapInUse()
        if (done % RESET_SYNCS_EVERY === 0) await app.database.queries.deleteFrom('syncs').execute()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const growth = heapInUse() - early

    expect(failures.map((failure) => failure.slice(0, 1500)).slice(0, 5)).toEqual([])
    expect(unhandled).toEqual([])
    expect(await brokenInvariants(app.database)).toEqual([])
    expect(growth).toBeLessThan(GROWTH_MAX_BYTES)
    // Checks the fuzzer itself: most endpoints succeeded at least once.
    const neverSucceeded = calls
      .map(({ name }) => name)
      .filter(
        (name) => !rarelySucceeds.test(name) && [...statuses.get(name)!].every((status) => status >= 300),
      )
    expect(neverSucceeded.length, neverSucceeded.join(', ')).toBeLessThan(calls.length / 8)
  })
})

/** People who are friends, with libraries, groups and a picture; returns what sends requests as them. */
async function createCast(app: TestApp): Promise<(request: FuzzRequest) => Promise<RawResponse>> {
  const people: TestPlayer[] = []
  for (let n = 0; n < PEOPLE; n++)
    people.push(
      await app.player({
        games: Object.fromEntries(
          Array.from({ length: 3 + n * 5 }, (_, game) => [String(400 + game * 10), (game * n) % 97]),
        ),
        friends: people,
        ...(n === 1 && { gamesPrivate: true }),
        ...(n === 2 && { friendsPrivate: true }),
      }),
    )
  // Synced again, because the first people were created before their later friends.
  for (const { steam_id } of people) await app.deps.sync.syncFriends(steam_id)
  const ids = {
    person: people.map((player) => player.steam_id),
    group: [] as string[],
    night: [] as string[],
    invite: [] as string[],
  }
  for (const [n, owner] of people.slice(0, 5).entries()) {
    const { group_id } = await app.group({ owner, members: people.slice(n + 1, n + 4) })
    const { night_id } = await owner.call(api.nights.start, {}, { group_id })
    ids.group.push(String(group_id))
    ids.night.push(String(night_id))
    for (const link of [
      await owner.call(api.invites.renewOfGroup, { id: group_id }),
      await owner.call(api.invites.renewOfNight, { id: night_id }),
    ])
      ids.invite.push(link.token)
  }
  const tokens = people.map((player) => player.token)
  const signIns: (Promise<void> | undefined)[] = []
  let media = '/media/none'

  /** Replaces placeholders by values of this product. */
  function filled(text: string, me: number): string {
    const once = {
      me: () => ids.person[me]!,
      media: () => media,
      soon: () => new Date(Date.now() + 60_000).toISOString(),
      later: () => new Date(Date.now() + 120_000).toISOString(),
    }
    return text
      .replace(/"\$#(group\d+)"/g, '$$$1')
      .replace(/\$(me|media|soon|later)(?!\w)/g, (_, what: keyof typeof once) => once[what]())
      .replace(
        /\$(person|group|night|invite)(\d+)/g,
        (_, what: keyof typeof ids, n: string) => ids[what][Number(n) % ids[what].length]!,
      )
  }

  return async ({ as, method, name, path, headers, body }) => {
    const me = typeof as === 'number' ? as : 0
    const token = as === 'nobody' ? undefined : as === 'forged' ? 'f'.repeat(43) : tokens[as]
    const text = body === undefined ? undefined : filled(body, me)
    const answer = await rawRequest(`${app.address}${filled(path, me)}`, {
      method,
      headers: {
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
      },
      ...(text !== undefined && { body: text }),
    })
    // A request has ended the session; those who find out at the same time share one sign-in.
    if (answer.status === 401 && typeof as === 'number' && token === tokens[as])
      await (signIns[as] ??= app.signIn(ids.person[as]!).then((fresh) => {
        tokens[as] = fresh
        signIns[as] = undefined
      }))
    // Empty when the method was changed to HEAD.
    const made = answer.status < 202 && answer.body.startsWith('{') ? (JSON.parse(answer.body) as Made) : {}
    if (name === 'groups.create' && made.group_id) ids.group.push(String(made.group_id))
    if (name === 'nights.start' && made.night_id) ids.night.push(String(made.night_id))
    if (name.startsWith('invites.renew') && made.token) ids.invite.push(made.token)
    if (name === 'groups.setPicture' && made.picture_image_url) media = made.picture_image_url
    return answer
  }
}
type Made = { group_id?: number; night_id?: number; token?: string; picture_image_url?: string }

/** The problem with a response by ERR-1 and the endpoint's schema; undefined when there is none. */
function problemWith(
  { endpoint, method, path }: FuzzRequest,
  { status, headers, body }: RawResponse,
): string | undefined {
  const type = headers['content-type'] ?? ''
  const isJson = type.startsWith('application/json')
  if (status >= 500 && !(status === 503 && headers['retry-after'])) return `status ${status}`
  if (isJson && /node_modules|SQLITE_|\.ts:\d|at async|\/(tmp|home|work)\//.test(body))
    return 'internals in the response'
  if (method === 'HEAD' || body === '') return undefined
  // People open links to shared picks in a browser.
  if (status === 404 && path.startsWith('/share/') && type.startsWith('text/html')) return undefined
  if (status >= 400) {
    if (!isJson) return `a failure of type ${type}`
    const { error, code } = JSON.parse(body) as Record<string, unknown>
    return typeof error === 'string' && /^[a-z_]+$/.test(String(code))
      ? undefined
      : 'a failure of another format'
  }
  if (isJson && status === endpoint?.status && method === endpoint.method) {
    const { error } = endpoint.response.safeParse(JSON.parse(body))
    if (error && !/openapi|"status":/.test(body))
      return `a response that does not match the contract: ${error.issues[0]?.message}`
  }
  return undefined
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
