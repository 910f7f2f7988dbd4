/** Uploads of pictures cannot take all slots or all of the decoder's time (LIM-10 to LIM-31). */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { PICTURE_UPLOADS_PER_HOUR } from '#shared/limits.ts'
import { api } from '../support/app.ts'
import { beginUpload, ownerOfGroup, responseOn, startForUploads } from '../support/uploads.ts'
import { imageOf, upload } from '../support/png.ts'

const MINUTE = 60_000
const image = await imageOf('red', 300, 300)
/** A complete header and half of the pixels, so that the decoder works on it before refusing it. */
const broken = image.subarray(0, image.length / 2)

describe('all uploads are counted, also refused ones (LIM-11)', () => {
  test('LIM-11: one account has a limited number of uploads per hour, in all sessions together', async () => {
    const time = { now: Date.now() }
    const { app, started } = await startForUploads({ clock: () => time.now })
    const { owner, id } = await ownerOfGroup(app)
    const other = await ownerOfGroup(app)
    const again = app.callsOf(await app.signIn(owner.steam_id))

    // Three invalid files are no problem.
    for (let nth = 0; nth < 3; nth++) expect((await upload(owner, id, broken)).status).toBe(400)
    expect((await upload(owner, id, image)).status).toBe(200)
    time.now += 10 * MINUTE
    for (let nth = 4; nth < PICTURE_UPLOADS_PER_HOUR; nth++)
      expect([nth, (await upload(owner, id, broken)).status]).toEqual([nth, 400])

    for (const session of [owner, again]) {
      const refused = await upload(session, id, broken)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(50 * 60)])
      expect(await refused.json()).toEqual({
        code: 'picture_limit_reached',
        error: 'You have uploaded 100 pictures within an hour. Try again later.',
        reason: 'pictures_per_hour',
        values: { count: 100 },
      })
    }
    expect(started()).toBe(PICTURE_UPLOADS_PER_HOUR)
    // Pictures by URL do not count, and other people have their own limit.
    const byUrl = await owner.attempt(
      api.groups.setPicture,
      { id },
      { picture_url: 'https://example.org/a.png' },
    )
    expect(byUrl.status).toBe(200)
    expect((await upload(other.owner, other.id, image)).status).toBe(200)

    time.now += 50 * MINUTE - 1
    expect((await upload(owner, id, image)).status).toBe(429)
    time.now += 1
    expect((await upload(owner, id, image)).status).toBe(200)
  })

  test('LIM-11: also one that is cancelled before it has arrived, but not one that found no slot', async () => {
    const { app, started } = await startForUploads()
    const { owner, id } = await ownerOfGroup(app)
    const open = [await beginUpload(app, owner.token, id), await beginUpload(app, owner.token, id)]
    await expect.poll(started).toBe(2)
    for (let nth = 0; nth < 40; nth++) {
      const refused = await upload(owner, id, image)
      expect(await refused.json()).toMatchObject({ code: 'too_many_requests' })
    }
    for (const socket of open) socket.destroy()
    for (let nth = 2; nth < PICTURE_UPLOADS_PER_HOUR; nth++)
      await expect.poll(async () => (await upload(owner, id, broken)).status).toBe(400)
    expect((await upload(owner, id, broken)).status).toBe(429)
  })
})

describe('upload slots', () => {
  test('LIM-27: one address has at most four of the sixteen, with any number of accounts (LIM-27)', async () => {
    const { app, started } = await startForUploads({ env: { TRUST_PROXY: '127.0.0.1' } })
    const open: Socket[] = []
    for (let nth = 0; nth < 8; nth++) {
      const { owner, id } = await ownerOfGroup(app)
      // One customer with a whole /64.
      const headers = [`X-Forwarded-For: 2001:db8:1:2::${nth}`]
      for (const _ of [1, 2]) open.push(await beginUpload(app, owner.token, id, { headers }))
    }
    const responses = await Promise.all(open.slice(4).map(responseOn))
    expect(responses.map(({ status }) => status)).toEqual(
      Array<string>(12).fill('HTTP/1.1 429 Too Many Requests'),
    )
    expect(started()).toBe(4)
    const { owner, id } = await ownerOfGroup(app)
    const there = (address: string) => upload(owner, id, image, { 'x-forwarded-for': address })
    const refused = await there('2001:db8:1:2::ffff')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.json()).toEqual({
      code: 'too_many_requests',
      error: 'Several pictures are being uploaded from your network already. Try again in a moment.',
      reason: 'uploads_of_network',
    })
    expect((await there('203.0.113.7')).status).toBe(200)
    expect((await there('2001:db8:1:3::1')).status).toBe(200)

    open[0]!.destroy()
    await expect.poll(async () => (await there('2001:db8:1:2::ffff')).status).toBe(200)
  })
})
