import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOnEachEngine, freshDatabaseOptions } from '../../../tests/support/databases.ts'
import { readConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import { renderFailures } from '../http/failures.ts'
import { protectBrowsers } from '../http/security-headers.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open.ts'
import { createGroup, setPicture } from '../storage/groups.ts'
import { ensurePeople } from '../storage/people.ts'
import { mediaRoutes } from './media-routes.ts'
import { createPictures, validatePictureUrl } from './pictures.ts'
import { fetchPublic } from './web-fetch.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const KEY = /^[0-9a-f]{32}\.webp$/

const imageOf = (background: string) =>
  sharp({ create: { width: 20, height: 10, channels: 3, background } })
    .png()
    .toBuffer()

async function meanOf(bytes: Uint8Array): Promise<{ red: boolean }> {
  const { channels } = await sharp(bytes).stats()
  return { red: channels[0]!.mean > channels[2]!.mean }
}

/** For what is the same whatever the engine. */
async function freshSqlite(): Promise<Database> {
  const { drop, ...place } = await freshDatabaseOptions('sqlite')
  const database = await openDatabase(place)
  onTestFinished(async () => {
    await database.close()
    await drop()
  })
  return database
}

/** Pictures of one database, a clock that tests turn, and a host on loopback that plays the web. */
async function startPictures(database: Database) {
  let now = Date.UTC(2030, 0, 1)
  const web = {
    status: 200,
    image: await imageOf('red'),
    requests: 0,
    held: undefined as Promise<void> | undefined,
  }
  const host = createServer((_request, response) => {
    web.requests += 1
    void Promise.resolve(web.held).then(() =>
      response.writeHead(web.status, { 'content-type': 'image/png' }).end(web.image),
    )
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  onTestFinished(async () => {
    host.closeAllConnections()
    host.close()
    await once(host, 'close')
  })
  const { port } = host.address() as AddressInfo
  const logged: object[] = []
  const create = () =>
    createPictures({
      database,
      clock: () => now,
      log: { warn: (details) => void logged.push(details) },
      fetchPublic: (url) =>
        fetchPublic(url, { policy: (address, asked) => address === '127.0.0.1' && asked === port }),
    })
  return {
    pictures: create(),
    /** Another server of the same database. */
    create,
    web,
    logged,
    address: `http://127.0.0.1:${port}/picture.png?token=secret`,
    pass: (ms: number) => (now += ms),
  }
}

describeOnEachEngine('pictures', (fresh) => {
  test('an upload is served from here as webp, under a name nobody guesses', async () => {
    const { pictures } = await startPictures(await fresh())
    const first = await pictures.upload(await imageOf('red'))
    const second = await pictures.upload(await imageOf('red'))

    expect(first.key).toMatch(KEY)
    expect(first.url).toBe(`/media/${first.key}`)
    expect(second.key).not.toBe(first.key)
    const picture = await pictures.read(first.key)
    expect(picture?.contentType).toBe('image/webp')
    expect(await sharp(picture!.bytes).metadata()).toMatchObject({ format: 'webp', width: 20, height: 10 })
    expect(await meanOf(picture!.bytes)).toEqual({ red: true })
  })

  test('an upload that is no image leaves nothing behind', async () => {
    const database = await fresh()
    const { pictures } = await startPictures(database)
    await expect(pictures.upload(Buffer.from('<svg/>'))).rejects.toMatchObject({ code: 'invalid_image' })
    expect(await database.queries.selectFrom('pictures').selectAll().execute()).toEqual([])
  })

  test('a picture of the web is fetched when it is first shown, once for all who look', async () => {
    const { pictures, web, address } = await startPictures(await fresh())
    const { key, url } = await pictures.fromAddress(address)
    expect(url).toBe(`/media/${key}`)
    expect(web.requests).toBe(0)

    const looks = await Promise.all(Array.from({ length: 10 }, () => pictures.read(key)))
    const later = await pictures.read(key)

    expect(web.requests).toBe(1)
    for (const picture of [...looks, later]) {
      expect(picture?.contentType).toBe('image/webp')
      expect(await meanOf(picture!.bytes)).toEqual({ red: true })
    }
  })

  test('the same address is kept once, also by another server', async () => {
    const { pictures, create, web, address } = await startPictures(await fresh())
    const { key } = await pictures.fromAddress(address)
    await pictures.read(key)

    const other = create()
    expect(await other.fromAddress(address)).toEqual({ key, url: `/media/${key}` })
    expect(await other.read(key)).toBeDefined()
    expect(web.requests).toBe(1)
  })

  test('a host that fails is left alone for ten minutes, by all servers, and asked again then', async () => {
    const { pictures, create, web, logged, address, pass } = await startPictures(await fresh())
    const { key } = await pictures.fromAddress(address)
    web.status = 404

    expect(await pictures.read(key)).toBeUndefined()
    pass(10 * MINUTE - 1)
    web.status = 200
    expect(await pictures.read(key)).toBeUndefined()
    expect(await create().read(key)).toBeUndefined()
    expect(web.requests).toBe(1)
    expect(JSON.stringify(logged)).not.toContain('secret')
    expect(logged).toMatchObject([{ key, code: 'invalid_picture_url' }])

    pass(1)
    expect(await pictures.read(key)).toBeDefined()
    expect(web.requests).toBe(2)
  })

  test('what is fetched but no image is not served', async () => {
    const { pictures, web, logged, address } = await startPictures(await fresh())
    const { key } = await pictures.fromAddress(address)
    web.image = Buffer.from('GIF89a<script>alert(1)</script>')
    expect(await pictures.read(key)).toBeUndefined()
    expect(logged).toMatchObject([{ code: 'invalid_image' }])
  })

  test('a busy moment of this server does not count against the picture', async () => {
    const database = await fresh()
    const answers = [() => Promise.reject(new AppError('busy')), async () => imageOf('red')]
    const pictures = createPictures({
      database,
      clock: () => 0,
      log: { warn: () => undefined },
      fetchPublic: async () => ({ bytes: await answers.shift()!(), contentType: 'image/png' }),
    })
    const { key } = await pictures.fromAddress('https://example.org/a.png')

    await expect(pictures.read(key)).rejects.toMatchObject({ code: 'busy', status: 503 })
    expect(await pictures.read(key)).toBeDefined()
  })

  test('a week later the stored picture is shown at once and the new one soon after', async () => {
    const { pictures, web, address, pass } = await startPictures(await fresh())
    const { key } = await pictures.fromAddress(address)
    await pictures.read(key)
    web.image = await imageOf('blue')
    pass(7 * DAY - 1)
    await pictures.read(key)
    expect(web.requests).toBe(1)

    pass(1)
    let release = () => {}
    web.held = new Promise((resolve) => (release = resolve))
    expect(await meanOf((await pictures.read(key))!.bytes)).toEqual({ red: true })
    release()

    await until(async () => !(await meanOf((await pictures.read(key))!.bytes)).red)
    expect(web.requests).toBe(2)
  })

  test('a picture whose host is gone stays as it was, and the host has another week of peace', async () => {
    const { pictures, web, logged, address, pass } = await startPictures(await fresh())
    const { key } = await pictures.fromAddress(address)
    await pictures.read(key)
    web.status = 500
    pass(7 * DAY)

    expect(await pictures.read(key)).toBeDefined()
    await until(() => logged.length === 1)
    pass(6 * DAY)
    expect(await meanOf((await pictures.read(key))!.bytes)).toEqual({ red: true })
    expect(web.requests).toBe(2)
  })

  test('pictures no group shows are cleared away after a day, the others stay', async () => {
    const database = await fresh()
    const { pictures, address, pass } = await startPictures(database)
    const shown = await pictures.upload(await imageOf('red'))
    const unused = await pictures.upload(await imageOf('red'))
    const chosenAgain = await pictures.fromAddress(address)
    await ensurePeople(database.queries, ['76561197960265729'])
    const group = await database.transaction((tx) =>
      createGroup(tx, { name: 'Friday', owner: '76561197960265729', at: 1 }),
    )
    await setPicture(database.queries, group, shown)

    expect(await pictures.removeUnused()).toBe(0)
    pass(DAY + 1)
    await pictures.fromAddress(address)
    expect(await pictures.removeUnused()).toBe(1)

    const left = [shown, unused, chosenAgain].map(({ key }) => pictures.exists(key))
    expect(await Promise.all(left)).toEqual([true, false, true])
  })
})

describe('a picture address', () => {
  const publicUrl = 'https://games.example.org'

  async function startValidating() {
    const { pictures } = await startPictures(await freshSqlite())
    const { key } = await pictures.upload(await imageOf('red'))
    return { key, validate: (text: string) => validatePictureUrl(text, publicUrl, pictures) }
  }

  test('of the web is taken as it was typed', async () => {
    const { validate } = await startValidating()
    const longest = `https://example.org/${'a'.repeat(2048 - 'https://example.org/'.length)}`
    for (const url of [
      'https://example.org',
      'HTTP://Example.org/Cat.PNG',
      'http://example.org:8080/a.png?size=1&b=%20#part',
      'https://bücher.example/bild.jpg',
      'https://example.org/svg/picture.png?from=a.svg',
      'https://example.org/a..b/...png',
      'http://127.0.0.1:9/a.png',
      longest,
    ])
      expect(await validate(url)).toEqual({ kind: 'web', url })
    expect(await validate('  https://example.org/a.png ')).toEqual({
      kind: 'web',
      url: 'https://example.org/a.png',
    })
  })

  test('of a picture kept here is ours, with and without the origin', async () => {
    const { key, validate } = await startValidating()
    expect(await validate(`/media/${key}`)).toEqual({ kind: 'ours', key })
    expect(await validate(`${publicUrl}/media/${key}`)).toEqual({ kind: 'ours', key })
    expect(await validate(`https://elsewhere.example/media/${key}`)).toMatchObject({ kind: 'web' })
  })

  test('of anything else is refused, naming the field', async () => {
    const { key, validate } = await startValidating()
    const refused = [
      ...['', '   ', 'picture.png', 'example.org/a.png', '/', '/a.png', '#', '?'],
      ...['//example.org/a.png', '///example.org/a.png', '/\\example.org/a.png', '\\\\example.org\\a.png'],
      ...[
        'http:example.org/a.png',
        'http:/example.org/a.png',
        'http:///example.org/a.png',
        'https:\\\\a.b/c',
      ],
      ...['http://', 'https://?a', 'http://#a', 'http://exa mple.org/', 'http://[::1', 'http://a.b:99999/'],
      ...[
        'javascript:alert(1)',
        'JavaScript://example.org/%0aalert(1)',
        'vbscript:x',
        'ftp://example.org/a.png',
      ],
      ...['data:image/png;base64,AAAA', 'blob:https://example.org/1', 'file:///etc/passwd', 'steam://run/1'],
      ...['https://user:word@example.org/a.png', 'https://user@example.org/', 'https://@example.org/a.png'],
      ...[`https://user@games.example.org/media/${key}`, 'https://:@example.org/'],
      ...['https://example.org/a.svg', 'https://example.org/A.SVG?x=1', 'https://example.org/a.svgz#b'],
      ...['https://example.org/a%2Esvg', 'https://example.org/a.s%76g', 'https://example.org/a.svg/'],
      ...['https://example.org/a\nb.png', 'https://example.org/\u0000', 'https://example.org/a b.png'],
      ...['https://exam\u200bple.org/', 'https://example.org/\u202egnp.a', 'java\tscript:alert(1)'],
      ...['https://example.org/../a.png', 'https://example.org/media/%2e%2E/a.png', 'https://example.org/.'],
      ...[
        `/media/../media/${key}`,
        `/media/./${key}`,
        `/media//${key}`,
        `/media/${key}/..`,
        '/media/',
        '/media',
      ],
      ...[
        `/media/${key}?x`,
        `/media/${key}#x`,
        `/media/${key.toUpperCase()}`,
        `/media/${key}%00`,
        `media/${key}`,
      ],
      ...[`/media/${'0'.repeat(32)}.webp`, `/media/%2e%2e/${key}`, `/MEDIA/${key}`],
      ...[publicUrl, `${publicUrl}/api/users/1/games`, `${publicUrl}/media/../api/groups`],
      ...[
        `${publicUrl}/media/${'0'.repeat(32)}.webp`,
        `${publicUrl}//media/${key}`,
        `${publicUrl}/media/${key}?x`,
      ],
      `https://example.org/${'a'.repeat(2049 - 'https://example.org/'.length)}`,
    ]
    const taken: string[] = []
    for (const text of refused)
      await validate(text).then(
        () => taken.push(text),
        (error: unknown) =>
          expect(error).toMatchObject({ code: 'invalid_picture_url', status: 400, field: 'picture_url' }),
      )
    expect(taken).toEqual([])
  })
})

describe('an address of endless blanks', () => {
  test('is refused without a long thought', async () => {
    const asked = validatePictureUrl(`http://a${' '.repeat(100_000)}b`, 'https://games.example.org', {
      exists: async () => false,
    })
    await expect(asked).rejects.toMatchObject({ code: 'invalid_picture_url' })
  })
})

describe('/media', () => {
  async function startServer() {
    const parts = await startPictures(await freshSqlite())
    const app = Fastify()
    renderFailures(app)
    await protectBrowsers(app, readConfig({}))
    mediaRoutes(app, parts.pictures)
    onTestFinished(() => app.close())
    return { ...parts, get: (path: string) => app.inject({ method: 'GET', url: path }), app }
  }

  test('gives a picture without a token, to be kept for good and to do nothing', async () => {
    const { pictures, get, app } = await startServer()
    const { url } = await pictures.upload(await imageOf('red'))
    const answer = await get(url)

    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      'content-disposition': 'inline',
      'cross-origin-resource-policy': 'same-origin',
      'content-length': String(answer.rawPayload.length),
    })
    expect(await meanOf(answer.rawPayload)).toEqual({ red: true })
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
  })

  test('fetches a picture of the web for its first visitor', async () => {
    const { pictures, get, address } = await startServer()
    const { url } = await pictures.fromAddress(address)
    const answer = await get(url)
    expect(answer.headers['content-type']).toBe('image/webp')
    expect(await meanOf(answer.rawPayload)).toEqual({ red: true })
  })

  test('has nothing else, and no cache remembers that', async () => {
    const { pictures, web, get, address } = await startServer()
    const { key } = await pictures.upload(await imageOf('red'))
    const failing = await pictures.fromAddress(address)
    web.status = 500

    for (const path of [
      `/media/${'0'.repeat(32)}.webp`,
      failing.url,
      `/media/${key.replace('.webp', '')}`,
      `/media/${key.replace('.webp', '.svg')}`,
      `/media/${key.toUpperCase()}`,
      `/media/${key}%0a`,
      `/media/${key}%00`,
      `/media/..%2f${key}`,
      '/media/%2e%2e%2fpackage.json',
      "/media/'%20or%20'1'='1",
    ]) {
      const answer = await get(path)
      expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 404, 'no-store'])
      expect(answer.json()).toEqual({ error: 'Not found.', code: 'not_found' })
    }
  })
})

/** Waits for a condition that the work behind a reader's back will meet. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}
