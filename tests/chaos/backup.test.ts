/** Backups made during writes, and restored, on each engine (OPS-26, OPS-29). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, SQLITE_FILE } from '../../src/server/database/open.ts'
import { allRows, nextNumbers } from '../support/all-rows.ts'
import { runCommand } from '../support/commands.ts'
import { engines, type EngineName, freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { freePort } from '../support/postgres.ts'
import { runProcess } from '../support/process.ts'
import { insertPictures, writeRows } from '../support/rows.ts'
import { expectIntact } from './invariants.ts'
import { lost, startWriting } from './mixed-writes.ts'

const freshPlace = (engine: EngineName) => freshOptions(engine, { onDisk: true, whole: true })

describe.each(engines)('a backup of %s', (engine) => {
  test('OPS-26: made while people write has everything acknowledged before, and is restored whole', async () => {
    const { env } = await freshPlace(engine)
    const { server, start, writers, write, keepWriting } = await startWriting(env)
    const before = await write(30, 0)
    const endWriting = await keepWriting()
    const backup = await runCommand('backup', env)
    await endWriting()
    expect(backup).toMatchObject({ code: 0, err: '' })
    expect(backup.out).toMatch(new RegExp(`^${join(env.DATA_DIR, 'backups')}/.*Z\\.(sqlite|pgdump)\\.gz$`))
    await server.stop()

    const elsewhere = await freshPlace(engine)
    expect(await runCommand('restore', elsewhere.env, [backup.out])).toMatchObject({ code: 0, err: '' })
    const again = await start(elsewhere.env)
    expect(await lost(again.url, before, writers, before.names())).toEqual([])
    await again.stop()
    await expectIntact(elsewhere)
  })

  test('OPS-26: is a state that existed: one moment in all tables, row by row', async () => {
    const place = await freshPlace(engine)
    const database = await openDatabase(place)
    onTestFinished(() => database.close())
    // Apps are read before the pictures, which take a while, and used values after them.
    const store = (n: number) =>
      writeRows(database, async (tx) => {
        await tx
          .updateTable('apps')
          .set({ name: `State ${n}` })
          .execute()
        await tx
          .updateTable('used_once')
          .set({ value: `State ${n}` })
          .execute()
      })
    await writeRows(database, async (tx) => {
      await tx.insertInto('apps').values({ appid: 1, name: '', store_due_at: 0 }).execute()
      await tx.insertInto('used_once').values({ kind: 'nonce', value: '', expires_at: 0 }).execute()
      await insertPictures(tx, 24)
    })
    await store(0)
    const expected = JSON.stringify(await allRows(place))

    let made: Awaited<ReturnType<typeof runCommand>> | undefined
    const making = runCommand('backup', place.env).then((ended) => (made = ended))
    let last = 0
    for (; !made; await nextTurn()) await store(++last)
    await making
    expect(made).toMatchObject({ code: 0, err: '' })

    const elsewhere = await freshPlace(engine)
    expect(await runCommand('restore', elsewhere.env, [made.out])).toMatchObject({ code: 0, err: '' })
    const rows = await allRows(elsewhere)
    const [, state] = /State (\d+)/.exec(rows.apps![0]!)!
    expect(JSON.stringify(rows)).toBe(expected.replaceAll('State 0', `State ${state}`))
    expect(await nextNumbers(elsewhere)).toEqual(await nextNumbers(place))
    // It was made in the middle of the writes.
    expect(Number(state)).toBeGreaterThan(0)
    expect(Number(state)).toBeLessThan(last)
  })
})

test('OPS-29: after damage the start names the last backup, and the command that it names restores it', async () => {
  const place = await freshPlace('sqlite')
  const { steam } = await startSteam()
  await (await openDatabase(place)).close()
  const rows = await allRows(place)
  const { out: backup } = await runCommand('backup', place.env)

  const file = join(place.dataDir, SQLITE_FILE)
  writeFileSync(file, Buffer.alloc(64 * 1024, 'damage'))
  const { code, output } = await runProcess({ ...place.env, ...steam, PORT: String(await freePort()) })
  expect(code).toBe(1)
  const restore = `npm run restore -- ${backup}`
  expect(output).toContain(
    `The database ${file} is damaged or not a database (file is not a database); stop the server and restore the last backup with ${restore}, which keeps the damaged files aside (docs/operate/backup.md).`,
  )
  expect(await runCommand('restore', place.env, [backup])).toMatchObject({ code: 0, err: '' })
  expect(await allRows(place)).toEqual(rows)
})
