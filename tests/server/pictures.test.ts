/** Limits on changes and uploads of pictures (LIM-11, LIM-27), over real sockets. */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { beginUpload, ownerOfGroup, responseOn, startForUploads } from '../support/uploads.ts'
import { imageOf, upload as uploadBytes } from '../support/png.ts'

const HOUR = 60 * 60_000
const image = await imageOf('red', 8, 8)

const setUrl = (player: TestPlayer, id: number, picture_url: string) =>
  player.attempt(api.groups.setPicture, { id }, { picture_url })

const upload = (player: Pick<TestPlayer, 'request'>, id: number, bytes: Uint8Array = image) =>
  uploadBytes(player, id, bytes)

const storedPictures = (app: TestApp) => app.db.selectFrom('pictures').selectAll().execute()

describe.each(engines)('on %s', (engine) => {
  test('LIM-11: 20 picture changes in any 24 hours, uploads and URLs together; refused changes do not count', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const [ada, bob] = [await app.player(), await app.player()]
    const { group_id } = await app.group({ owner: ada })
    const theirs = await app.group({ owner: bob })

    for (let nth = 0; nth < 3; nth++) {
      expect((await upload(ada, group_id, Buffer.from('no image'))).status).toBe(400)
      for (const url of ['ftp://example.org/a.png', `/media/${'0'.repeat(32)}.webp`])
        expect((await setUrl(ada, group_id, url)).status).toBe(400)
      expect((await upload(ada, theirs.group_id)).status).toBe(404)
    }
    expect((await upload(ada, group_id)).status).toBe(200)
    time.now += HOUR
    for (let nth = 0; nth < 18; nth++)
      expect((await setUrl(ada, group_id, `https://example.org/${nth}.png`)).status).toBe(200)
    expect((await upload(ada, group_id)).status).toBe(200)

    const before = await ada.call(api.groups.read, { id: group_id })
    for (const refused of [await upload(ada, group_id), await setUrl(ada, group_id, 'https://b.org/a.png')]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(23 * 60 * 60)])
      expect(await refused.json()).toMatchObject({
        code: 'picture_limit_reached',
        error: 'A picture can be changed 20 times in 24 hours. Try again later.',
      })
    }
    expect(await ada.call(api.groups.read, { id: group_id })).toEqual(before)
    // Replaced pictures are deleted.
    expect((await storedPictures(app)).map((row) => `/media/${row.picture_key}`)).toEqual([
      before.picture_image_url,
    ])
    // Other people have their own limit.
    expect((await upload(bob, theirs.group_id)).status).toBe(200)

    time.now += 23 * HOUR - 1
    expect((await upload(ada, group_id)).headers.get('retry-after')).toBe('1')
    time.now += 1
    expect((await upload(ada, group_id)).status).toBe(200)
    expect((await upload(ada, group_id)).status).toBe(429)
  })

  test('LIM-11: with one change left, exactly one of many concurrent changes passes, on two servers together', async () => {
    const app = await startTestApp({ engine })
    const other = await startTestApp({ engine, besides: app })
    const ada = await app.player()
    const there: TestPlayer = { ...ada, ...other.callsOf(ada.token) }
    const groups = [await app.group({ owner: ada }), await app.group({ owner: ada })]
    const set = (who: TestPlayer, nth: number) =>
      setUrl(who, groups[nth % 2]!.group_id, `https://example.org/${nth}.png`)
    for (let nth = 0; nth < 19; nth++) expect((await set(ada, nth)).status).toBe(200)

    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => set(nth % 3 === 0 ? ada : there, 100 + nth)),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array<number>(11).fill(429)])
    expect(await storedPictures(app)).toHaveLength(2)
  })
})

describe('concurrent uploads', () => {
  test('LIM-27: of one person are limited to two; a third is refused before its body is read, until one is cancelled', async () => {
    const { app, started } = await startForUploads()
    const { owner: ada, id: group_id } = await ownerOfGroup(app)
    const { owner: bob, id: theirs } = await ownerOfGroup(app)
    const again = app.callsOf(await app.signIn(ada.steam_id))
    const first = await beginUpload(app, ada.token, group_id)
    await beginUpload(app, ada.token, group_id)
    await expect.poll(started).toBe(2)

    const third = await beginUpload(app, ada.token, group_id, { sent: 0 })
    expect((await responseOn(third)).status).toMatch(/ 429 /)
    // Another session of the same person has no slot either.
    const refused = await upload(again, group_id)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.json()).toEqual({
      code: 'too_many_requests',
      error: 'Two of your pictures are being uploaded already. Try again in a moment.',
      reason: 'own_uploads_at_once',
    })
    expect(started()).toBe(2)
    expect((await upload(bob, theirs)).status).toBe(200)

    first.destroy()
    await expect.poll(async () => (await upload(ada, group_id)).status).toBe(200)
  })

  test('LIM-27: of all people are limited to sixteen; one more is refused with the time to retry', async () => {
    const { app, started } = await startForUploads({ env: { TRUST_PROXY: '127.0.0.1' } })
    const open: Socket[] = []
    for (let nth = 0; nth < 8; nth++) {
      const { owner, id } = await ownerOfGroup(app)
      const headers = [`X-Forwarded-For: 203.0.113.${nth}`]
      for (const _ of [1, 2]) open.push(await beginUpload(app, owner.token, id, { headers }))
    }
    await expect.poll(started).toBe(16)
    const { owner: last, id } = await ownerOfGroup(app)
    const refused = await upload(last, id)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ code: 'busy' })

    open[0]!.destroy()
    await expect.poll(async () => (await upload(last, id)).status).toBe(200)
  })
})
