/** Malicious bodies: JSON with prototype keys or extreme depth, broken forms, files that are not pictures. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { sendRequest } from './raw-http.ts'
import { imageOf, png } from '../support/png.ts'

let app: TestApp
let ada: TestPlayer
let groupId: number
beforeAll(async () => {
  app = await startTestApp({ lasting: true })
  ada = await app.player()
  groupId = (await app.group({ owner: ada, name: 'Untouched' })).group_id
})
afterAll(() => app.close())

const groupsOfAda = () => ada.call(api.groups.list, ada.user)
const json = { 'content-type': 'application/json' }

describe('JSON', () => {
  const owner = () => `"owner_steam_id":"${ada.steam_id}"`
  const withOwner = (members: string) => () => `{${members},${owner()}}`
  const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  const cases: [string, () => string][] = [
    ['a prototype', () => `{"__proto__":{"name":"x"},${owner()},"name":"x"}`],
    ['a prototype with its letters escaped', withOwner('"\\u005f_proto__":{"name":"x"},"name":"x"')],
    ['a nested prototype', () => `{"a":[{"__proto__":{"admin":true}}],${owner()},"name":"x"}`],
    ['a constructor with a prototype', withOwner('"constructor":{"prototype":{"a":1}},"name":"x"')],
    ['lists in lists, 40,000 deep', () => `{"name":${deep('[', ']', 40_000)},${owner()}}`],
    ['objects, 15,000 deep', withOwner(`"name":${deep('{"a":', '}', 15_000).replace('}', '1}')}`)],
    ['brackets that never close', () => '['.repeat(90_000)],
    ['9,000 keys and no name', withOwner(Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join())],
    ['an infinite number', () => `{"name":1e999,${owner()}}`],
    ['a name with NUL', () => `{"name":"a\\u0000b",${owner()}}`],
    ['a name with an escape sequence', () => `{"name":"a\\u001b[2Jb",${owner()}}`],
    ['two names, the last of which is blank', () => `{"name":"Friday","name":" ",${owner()}}`],
    ['text after the end', () => `{"name":"x",${owner()}} {"name":"y"}`],
    ['a comment', () => `{"name":"x",/* */${owner()}}`],
  ]

  test.each(cases)('with %s is refused quickly', async (_name, body) => {
    const before = await groupsOfAda()
    const started = performance.now()
    const response = await ada.request('/api/groups', { method: 'POST', headers: json, body: body() })
    expect(response.status).toBe(400)
    expect(performance.now() - started).toBeLessThan(1000)
    expect(await groupsOfAda()).toEqual(before)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  test.each([
    ['compressed', ['Content-Type: application/json', 'Content-Encoding: gzip']],
    ['of another charset', ['Content-Type: application/json; charset=utf-7']],
    ['declared as a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['declared as text', ['Content-Type: text/plain']],
    ['declared as XML', ['Content-Type: application/xml']],
    ['without a type', []],
    ['of an invalid type', ['Content-Type: json']],
  ])('%s is not accepted', async (_name, headers) => {
    const body = '+AHs-not json for those who read what they are told+AH0-'
    const answer = await sendRequest(
      app.address,
      'POST /api/groups',
      [...headers, `Authorization: Bearer ${ada.token}`, `Content-Length: ${body.length}`],
      body,
    )
    expect([400, 415]).toContain(answer.status)
  })

  test.each([
    ['of a malformed type', ['Content-Type: json'], '{}'],
    ['of an unknown type', ['Content-Type: text/plain'], '{}'],
    ['that is malformed', ['Content-Type: application/json'], '{'],
    ['that is too large', ['Content-Type: application/json'], ' '.repeat(110_000)],
  ])('%s without a token is a 401', async (_name, headers, body) => {
    const answer = await sendRequest(
      app.address,
      'POST /api/groups',
      [...headers, `Content-Length: ${body.length}`],
      body,
    )
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([401, { code: 'not_signed_in' }])
  })

  test('a simple cross-site request, which browsers send without a preflight, is refused', async () => {
    const body = JSON.stringify({ name: 'Forged', owner_steam_id: ada.steam_id })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
    ]) {
      const response = await fetch(`${app.url}/api/groups`, {
        method: 'POST',
        headers: { 'content-type': type, origin: 'https://evil.example', cookie: `token=${ada.token}` },
        body,
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

const BOUNDARY = 'b0undary'
type Part = { name: string; filename?: string; type?: string; content: string | Uint8Array }

function form(...parts: Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, filename, type, content }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
          `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
}

const picture = (content: string | Uint8Array, name = 'picture'): Part => ({
  name,
  filename: 'p.png',
  type: 'image/png',
  content,
})

describe('an upload', () => {
  const FORM = `multipart/form-data; boundary=${BOUNDARY}`
  const send = (body: Uint8Array, { type = FORM, id = groupId, length = body.length } = {}) =>
    sendRequest(
      app.address,
      `POST /api/groups/${id}/picture`,
      [`Authorization: Bearer ${ada.token}`, `Content-Type: ${type}`, `Content-Length: ${length}`],
      body,
    )
  const good = () => imageOf('red', 8, 8)
  const script = '<script>alert(document.domain)</script>'

  const refused: [string, number, () => Promise<Uint8Array> | Uint8Array, string?][] = [
    ['without a boundary', 400, () => form(picture('x')), 'multipart/form-data'],
    ['with an empty boundary', 400, () => form(picture('x')), 'multipart/form-data; boundary='],
    [
      'with another boundary than declared',
      400,
      () => form(picture('x')),
      'multipart/form-data; boundary=other',
    ],
    ['truncated in the file', 400, async () => form(picture(await good())).subarray(0, 120)],
    ['truncated in a header', 400, () => form(picture('x')).subarray(0, 40)],
    ['with an empty body', 400, () => Buffer.alloc(0)],
    ['in another field', 400, async () => form(picture(await good(), 'image'))],
    ['in a field called __proto__', 400, async () => form(picture(await good(), '__proto__'))],
    ['as text instead of a file', 400, () => form({ name: 'picture', content: 'x' })],
    ['of two files', 413, async () => form(picture(await good()), picture(await good()))],
    [
      'with a hundred fields',
      413,
      async () =>
        form(...Array.from({ length: 100 }, () => ({ name: 'x', content: 'y' })), picture(await good())),
    ],
    ['one byte over 5 MB', 413, () => form(picture(Buffer.alloc(PICTURE_MAX_BYTES + 1)))],
    ['of a page', 400, () => form(picture(`<!doctype html>${script}`))],
    [
      'of 65,000 × 65,000 pixels in a kilobyte',
      413,
      () => form(picture(png(65_000, 65_000, Buffer.alloc(1000)))),
    ],
    ['with missing pixels', 400, async () => form(picture((await good()).subarray(0, 60)))],
  ]
  test.each(refused)('ERR-10: %s is refused, and the picture stays', async (_name, status, make, type) => {
    const answer = await send(await make(), { type })
    expect(answer.status, answer.body).toBe(status)
    expect(answer.body).not.toMatch(/vips|busboy|dicer|multipart data|node_modules/i)
    expect(await ada.call(api.groups.read, { id: groupId })).toMatchObject({ picture_url: null })
  })

  test('that is both a picture and a page keeps only the picture', async () => {
    const { group_id } = await app.group({ owner: ada })
    const both = Buffer.concat([await good(), Buffer.from(`\n<html>${script}</html>PK\x03\x04`)])
    const page = { ...picture(both), filename: '../../evil.html', type: 'text/html' }
    const answer = await send(form(page), { id: group_id })
    expect(answer.status).toBe(200)
    const { picture_image_url } = JSON.parse(answer.body) as { picture_image_url: string }
    expect(picture_image_url).toMatch(/^\/media\/[0-9a-f]{32}\.webp$/)
    const served = await fetch(`${app.url}${picture_image_url}`)
    expect(served.headers.get('content-type')).toBe('image/webp')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await served.arrayBuffer()).toString('latin1')).not.toMatch(/script|PK|html/)
  })

  test('to an endpoint that takes none is refused before it is read', async () => {
    const response = await ada.request('/api/groups', {
      method: 'POST',
      headers: { 'content-type': FORM },
      body: new Uint8Array(form(picture(await good()))),
    })
    expect(response.status).toBe(415)
  })

  test('without a token is not read', async () => {
    const answer = await sendRequest(app.address, `POST /api/groups/${groupId}/picture`, [
      `Content-Type: ${FORM}`,
      `Content-Length: ${1024 ** 4}`,
    ])
    expect(answer.status).toBe(401)
  })

  test('that announces a terabyte is refused at the limit', async () => {
    const body = form(picture(Buffer.alloc(PICTURE_MAX_BYTES + 100_000)))
    const answer = await send(body, { length: 1024 ** 4 })
    expect(answer.status).toBe(413)
  })
})
