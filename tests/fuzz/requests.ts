/**
 * Generates requests from the contract: for every endpoint valid ones, valid ones with one error, and random ones. Ids
 * are placeholders (`$me`, `$person3`, `$group1`), so that the same seed generates the same requests in every run.
 */
import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { contract } from '#shared/contract/index.ts'

export const PEOPLE = 10

/** A request, with placeholders. */
export type FuzzRequest = {
  /** `noun.name` of an endpoint, or a description of other requests. */
  name: string
  /** Undefined for requests outside the contract. */
  endpoint: Endpoint | undefined
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
  /** The sender: one of the people, without a token, or with an invented token. */
  as: number | 'nobody' | 'forged'
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const person = fc.oneof(
  { weight: 6, arbitrary: fc.constant('$me') },
  { weight: 5, arbitrary: fc.nat(PEOPLE - 1).map((n) => `$person${n}`) },
  { weight: 1, arbitrary: fc.constant('76561198099999999') },
)
/** Valid values by the names of parameters and fields. */
const known: Record<string, Arbitrary<string | number>> = {
  steamId: person,
  mySteamId: person,
  friendSteamId: person,
  owner_steam_id: person,
  steam_ids: person,
  steam_id: person,
  // Without the quotes in a body.
  group_id: fc.nat(30).map((n) => `$#group${n}`),
  starts_at: fc.constant('$soon'),
  times: fc.constantFrom('$soon', '$later'),
  close_times_at: fc.constant('$soon'),
  appid: fc.constantFrom(400, 410, 570),
  replaces: fc.integer({ min: 1, max: 3 }),
  word: fc.string({ unit: 'grapheme', maxLength: 40 }),
  night: fc.nat(30).map((n) => `$night${n}`),
  id: fc.nat(30).map((n) => `$group${n}`),
  token: fc.nat(30).map((n) => `$invite${n}`),
  gameId: fc.oneof(fc.constantFrom('400', '570', '431960', '999999'), fc.nat(4_294_967_295).map(String)),
  sessionId: fc.nat(500).map((n) => String(n + 1)),
  name: fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
    fc.constantFrom('Friday', ' x ', '🎲'),
  ),
  url: fc.oneof(
    fc.webUrl({ validSchemes: ['https', 'http'], withFragments: true, withQueryParameters: true }),
    fc.constantFrom(
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://me:x@example.org/',
      'https://example.org:22/',
    ),
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
  picture_url: fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.constantFrom(
      '$media',
      'https://example.org/a.png',
      '/media/../x',
      '//evil.example/x.png',
      'http://[::1]/',
      'data:,',
    ),
  ),
}

const awkward = fc.oneof(
  fc.constantFrom<Json>(
    ...[
      '',
      ' ',
      '\u0000',
      '\ud800',
      '__proto__',
      'constructor',
      '1e3',
      '-1',
      '0x10',
      '𝟙',
      '76561197960265728',
      'null',
      "' OR 1=1--",
    ],
    ...[null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 4_294_967_296],
    ...[[], {}, [[]], [null], { length: 1 }, ['$me'.repeat(200)]],
    'x'.repeat(5000),
  ),
  fc.jsonValue({ maxDepth: 3 }) as Arbitrary<Json>,
  fc.string({ unit: 'binary', maxLength: 60 }),
)

type JsonSchema = {
  type?: string
  required?: string[]
  enum?: Json[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/** A night has one time or several, and a deadline for several only. */
function withOneTime({ times, close_times_at, ...rest }: Record<string, Json>): Record<string, Json> {
  if (times === undefined || rest.starts_at !== undefined) return rest
  return { ...rest, times, ...(close_times_at !== undefined && { close_times_at }) }
}

/** Values that mostly match a JSON schema; leaves by their names above. */
function validOf(schema: JsonSchema, name: string): Arbitrary<Json> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'object')
    return fc
      .record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, of]) => [key, validOf(of, key)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
      .map(withOneTime)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(validOf(schema.items ?? {}, name), { maxLength: 6 })
  return known[name] ?? fc.string({ unit: 'grapheme', maxLength: 40 })
}

/** One error: a value of another type, a missing key, an extra key, or the whole in a list. */
function nearly(value: Json): Arbitrary<Json> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return awkward
  const keys = Object.keys(value)
  const wrong = (key: string) =>
    fc.oneof(
      awkward.map((bad): Json => ({ ...value, [key]: bad })),
      fc.constant<Json>(Object.fromEntries(Object.entries(value).filter(([other]) => other !== key))),
      awkward.map((bad): Json => ({ ...value, [key]: [value[key] ?? null, bad] })),
    )
  return fc.oneof(
    ...(keys.length > 0 ? [fc.constantFrom(...keys).chain(wrong)] : []),
    fc.tuple(fc.string({ maxLength: 12 }), awkward).map(([key, bad]): Json => ({ ...value, [key]: bad })),
    fc.constant<Json>([value]),
  )
}

const contentTypes = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        'text/plain',
        'application/json; charset=utf-16',
        'application/JSON ;x',
        'application/x-www-form-urlencoded',
      ],
      ...[
        'multipart/form-data',
        'multipart/form-data; boundary=b',
        'multipart/form-data; boundary="',
        '',
        ';',
        'a'.repeat(300),
      ],
    ),
  },
)

/** A body as text, with a right or wrong content type, and sometimes truncated. */
function bodyOf(schema: JsonSchema): Arbitrary<string> {
  const valid = validOf(schema, 'body')
  return fc
    .oneof(
      { weight: 5, arbitrary: valid },
      { weight: 5, arbitrary: valid.chain(nearly) },
      { weight: 2, arbitrary: awkward },
    )
    .chain((value) => {
      const text = JSON.stringify(value)
      return fc.oneof(
        { weight: 12, arbitrary: fc.constant(text) },
        { weight: 1, arbitrary: fc.nat(text.length).map((end) => text.slice(0, end)) },
        { weight: 1, arbitrary: fc.constant(text.replace('{', '{"__proto__":{"x":1},')) },
      )
    })
}

const fileName = fc.constantFrom('p.png', '../../x', '', 'a"b', 'x'.repeat(300))
const upload = fc
  .tuple(
    fc.constantFrom('picture', 'picture', 'picture', 'image', '__proto__', ''),
    fileName,
    fc.oneof(fc.constant<'$png' | Uint8Array>('$png'), fc.uint8Array({ maxLength: 200 })),
    fc.constantFrom('--b--\r\n', '', '--b\r\n', '--b--'),
  )
  .map(([field, name, content, end]) => {
    const head = `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
    return Buffer.concat([Buffer.from(head), content === '$png' ? PNG : content, Buffer.from(`\r\n${end}`)])
  })
/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

const segment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%00',
    '%zz',
    '%',
    '%2f',
    '__proto__',
    '-1',
    '0',
    '1e3',
    '%F0%9F%8E%B2',
    '*',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map(encodeURIComponent),
  fc
    .constantFrom('7'.repeat(17), '7'.repeat(600), '76561197960265728', '4294967296', '９'.repeat(17))
    .map(encodeURIComponent),
)
const query = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '?',
      '?a',
      '?__proto__[x]=1',
      '?steamId=$me&steamId=1',
      '?%zz',
      `?${'a&'.repeat(500)}`,
    ),
  },
)

const senders: Arbitrary<FuzzRequest['as']> = fc.oneof(
  { weight: 20, arbitrary: fc.nat(PEOPLE - 1) },
  { weight: 1, arbitrary: fc.constantFrom('nobody' as const, 'forged' as const) },
)
const extraHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'accept-encoding': 'br' },
      { 'accept-encoding': 'gzip;q=0, *;q=0' },
      { 'x-forwarded-for': '1.2.3.4' },
      { 'x-http-method-override': 'DELETE' },
      { cookie: 'shelfmates_sign_in_a=%zz; a==; ;' },
      { expect: '200-maybe' },
      { range: 'bytes=0-0' },
      { 'if-none-match': '*' },
      { 'content-encoding': 'gzip' },
    ),
  },
)

function requestsOf(name: string, endpoint: Endpoint): Arbitrary<FuzzRequest> {
  const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const isNight = endpoint.path.startsWith('/api/nights/')
  const takesBody = endpoint.body.def.type !== 'undefined'
  const path = fc
    .tuple(
      ...endpoint.path.split('/').map((part) =>
        part.startsWith(':')
          ? fc.oneof(
              {
                weight: 9,
                arbitrary: known[isNight && part === ':id' ? 'night' : part.slice(1)] ?? segment,
              },
              { weight: 1, arbitrary: segment },
            )
          : fc.oneof({ weight: 60, arbitrary: fc.constant(part) }, { weight: 1, arbitrary: segment }),
      ),
    )
    .map((parts) => `/${parts.slice(1).join('/')}`)
  const json = fc.record({ type: contentTypes, body: bodyOf(schema) })
  const form = upload.map((body) => ({ type: 'multipart/form-data; boundary=b', body }))
  const none = fc.constant({ type: undefined, body: undefined })
  const content: Arbitrary<{ type: string | undefined; body: string | Uint8Array | undefined }> = takesBody
    ? fc.oneof(
        { weight: 8, arbitrary: json },
        { weight: endpoint.upload ? 4 : 1, arbitrary: form },
        { weight: 1, arbitrary: none },
      )
    : fc.oneof({ weight: 8, arbitrary: none }, { weight: 1, arbitrary: json })
  return fc
    .record({ path, query, content, as: senders, extra: extraHeaders, otherMethod: fc.nat(120) })
    .map(({ path, query, content, as, extra, otherMethod }) => ({
      name,
      endpoint,
      method: ['PUT', 'DELETE', 'PATCH', 'POST', 'HEAD', 'GET', 'OPTIONS'][otherMethod] ?? endpoint.method,
      path: path + query,
      headers: { ...extra, ...(content.type !== undefined && { 'content-type': content.type }) },
      body: content.body,
      as,
    }))
}

/** Requests outside the contract. */
const elsewhere: Arbitrary<FuzzRequest> = fc
  .record({
    path: fc.oneof(
      fc.constantFrom('/', '/dashboard', '/auth/steam', '/healthz', '/readyz', '/api/openapi.json', '$media'),
      segment.map((key) => `/media/${key}`),
      segment.map((token) => `/share/${token}`),
      segment.map((token) => `/join/${token}`),
      segment.map((token) => `/calendar/${token}.ics`),
      segment.map((name) => `/assets/${name}`),
      fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      fc
        .array(
          fc.tuple(
            fc.constantFrom('openid.mode', 'openid.sig', 'openid.claimed_id', 'openid.signed', 'state', 'x'),
            segment,
          ),
          { maxLength: 9 },
        )
        .map((pairs) => `/auth/steam/return?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`),
    ),
    extra: extraHeaders,
    as: senders,
  })
  .map(({ path, extra, as }) => ({
    name: path.startsWith('/auth/steam/return') ? 'the return from Steam' : 'elsewhere',
    endpoint: undefined,
    method: 'GET',
    path,
    headers: extra,
    body: undefined,
    as,
  }))

const perCall = Object.entries(contract).flatMap(([noun, calls]) =>
  Object.entries<Endpoint>(calls).map(([call, endpoint]) => ({ name: `${noun}.${call}`, endpoint })),
)
/**
 * Endpoints that end a session, an account, a group, a night or a link are called seldom, so that some are left for the
 * others. Operators' endpoints are too, because nobody here is an operator.
 */
const seldom =
  /^(session\.(logOut|revoke\w+)|privacy\.deleteAccount|groups\.(remove|leave)|nights\.(cancel|close|removePlayer)|invites\.switchOff\w+)$/
const ofCalls = perCall.map(({ name, endpoint }) => ({
  weight: seldom.test(name) ? 2 : name.startsWith('operator.') ? 4 : 8,
  arbitrary: requestsOf(name, endpoint),
}))
const any = fc.oneof(...ofCalls, { weight: 12, arbitrary: elsewhere })

/** The names of all endpoints that are fuzzed. */
export const fuzzedCalls = perCall.map(({ name }) => name)

/** `count` requests for a seed, and one more of each call; the same in every run. */
export function* fuzzRequests(seed: number, count: number): Generator<FuzzRequest> {
  const batch = 500
  for (let made = 0; made < count; made += batch)
    yield* fc.sample(any, { seed: seed + made, numRuns: Math.min(batch, count - made) })
  for (const { arbitrary } of ofCalls) yield* fc.sample(arbitrary, { seed, numRuns: 1 })
}
