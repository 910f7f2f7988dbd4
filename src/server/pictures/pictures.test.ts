import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { writeRows } from '../../../tests/support/rows.ts'
import { showing, startPictures } from '../../../tests/support/pictures.ts'
import { imageOf } from '../../../tests/support/png.ts'
import type { Database } from '../database/database.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

async function meanOf(bytes: Uint8Array): Promise<{ red: boolean }> {
  const { channels } = await sharp(bytes).stats()
  return { red: channels[0]!.mean > channels[2]!.mean }
}

describeOnEachEngine('pictures', (fresh) => {
  test('PIC-1: a picture from the web is fetched at its first request, once for all concurrent requests', async () => {
    const { pictures, fromWeb, web, webUrl } = await startPictures(await fresh())
    const { key, picture_url } = await fromWeb(webUrl)
    expect(picture_url).toBe(webUrl)
    expect(web.requests).toBe(0)

    const concurrent = await Promise.all(Array.from({ length: 10 }, () => pictures.read(key)))
    const later = await pictures.read(key)

    expect(web.requests).toBe(1)
    for (const picture of [...concurrent, later]) {
      expect(await meanOf(picture!)).toEqual({ red: true })
    }
  })

  test('a picture is fetched once per URL, by all servers together', async () => {
    const database = await fresh()
    const { pictures, fromWeb, create, web, webUrl } = await startPictures(database)
    const { key } = await fromWeb(webUrl)
    await pictures.read(key)

    const other = create()
    const there = await showing(database, other)
    expect(await there.fromWeb(webUrl)).toMatchObject({ key, picture_url: webUrl })
    expect(await other.read(key)).toBeInstanceOf(Uint8Array)
    expect(web.requests).toBe(1)
  })

  test('PIC-6: after a failure, no server fetches a picture again for an hour', async () => {
    const { pictures, fromWeb, create, web, logged, webUrl, pass } = await startPictures(await fresh())
    const { key } = await fromWeb(webUrl)
    web.status = 404

    expect(await pictures.read(key)).toBeNull()
    pass(60 * MINUTE - 1)
    web.status = 200
    expect(await pictures.read(key)).toBeNull()
    expect(await create().read(key)).toBeNull()
    expect(web.requests).toBe(1)
    expect(JSON.stringify(logged)).not.toContain('secret')
    expect(logged).toMatchObject([{ key, code: 'invalid_picture_url' }])

    pass(1)
    expect(await pictures.read(key)).toBeInstanceOf(Uint8Array)
    expect(web.requests).toBe(2)
  })

  test('PIC-6: a picture that failed is fetched again at once when its URL is set again', async () => {
    const { pictures, fromWeb, newGroup, web, webUrl } = await startPictures(await fresh())
    const group = await newGroup()
    const { key } = await fromWeb(webUrl, group)
    web.status = 404
    expect(await pictures.read(key)).toBeNull()
    web.status = 200
    expect((await fromWeb(webUrl, group)).key).toBe(key)
    expect(await pictures.read(key)).toBeInstanceOf(Uint8Array)
  })

  test('PIC-7: pictures of deleted groups are deleted after a day, the others stay', async () => {
    const database = await fresh()
    const { pictures, upload, newGroup, pass } = await startPictures(database)
    const [kept, deleted] = [await newGroup(), await newGroup()]
    const shown = await upload(await imageOf('red'), kept)
    await upload(await imageOf('red'), deleted)
    await writeRows(database, (tx) =>
      tx.deleteFrom('group_members').where('group_id', '=', deleted).execute(),
    )
    await writeRows(database, (tx) => tx.deleteFrom('groups').where('group_id', '=', deleted).execute())

    expect(await pictures.removeUnused()).toBe(0)
    pass(DAY + 1)
    expect(await pictures.removeUnused()).toBe(1)

    expect(await storedKeys(database)).toEqual([shown.key])
  })

  describe('a picture that is replaced', () => {
    test('PIC-7: is deleted, whether it and the new one are uploads or from the web', async () => {
      const database = await fresh()
      const { upload, fromWeb, newGroup, webUrl } = await startPictures(database)
      const group = await newGroup()
      const keys = [
        await upload(await imageOf('red'), group),
        await upload(await imageOf('blue'), group),
        await fromWeb(webUrl, group),
        await fromWeb(`${webUrl}&other`, group),
        await upload(await imageOf('red'), group),
      ].map(({ key }) => key)
      expect(await storedKeys(database)).toEqual(keys.slice(-1))
    })

    test('stays while another group shows it', async () => {
      const database = await fresh()
      const { upload, fromWeb, ours, newGroup, webUrl } = await startPictures(database)
      const groups = [await newGroup(), await newGroup(), await newGroup()]
      const web = await fromWeb(webUrl, groups[0])
      await fromWeb(webUrl, groups[1])
      await ours(web.key, groups[2])
      for (const group of groups) {
        expect(await storedKeys(database)).toContain(web.key)
        await upload(await imageOf('red'), group)
      }
      expect(await storedKeys(database)).not.toContain(web.key)
      expect(await storedKeys(database)).toHaveLength(3)
    })

    test('while it is being fetched is not stored afterwards', async () => {
      const database = await fresh()
      const { pictures, upload, fromWeb, newGroup, web, webUrl } = await startPictures(database)
      const group = await newGroup()
      let release = () => {}
      web.held = new Promise((resolve) => (release = resolve))
      const replaced = await fromWeb(webUrl, group)
      const reading = pictures.read(replaced.key)
      await until(() => web.requests === 1)
      const { key } = await upload(await imageOf('red'), group)
      release()
      await reading
      expect(await storedKeys(database)).toEqual([key])
    })
  })
})

async function storedKeys(database: Database): Promise<string[]> {
  const rows = await database.queries.selectFrom('pictures').select('picture_key').execute()
  return rows.map((row) => row.picture_key)
}

/** Waits until background work has met a condition. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}
