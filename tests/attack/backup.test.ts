/** Attacks on backups: what else is in their folders, and what the commands do to it (OPS-20, OPS-26, OPS-29). */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase, SQLITE_FILE } from '../../src/server/database/open.ts'
import { runCommand, startCommand } from '../support/commands.ts'
import { freshOptions } from '../support/databases.ts'
import { insertPictures, writeRows } from '../support/rows.ts'

/** A place with a database and the folder of its backups. */
async function place() {
  const { dataDir } = await freshOptions('sqlite')
  await (await openDatabase({ dataDir })).close()
  const folder = join(dataDir, 'backups')
  mkdirSync(folder)
  return { dataDir, env: { DATA_DIR: dataDir }, folder, inFolder: (name: string) => join(folder, name) }
}

test('OPS-26: a backup is never deleted as an old one, also after the clock was wrong', async () => {
  const { env, folder, inFolder } = await place()
  for (const year of [2098, 2099]) writeFileSync(inFolder(`${year}-01-01T00-00-00-000Z.sqlite.gz`), '')
  const { out } = await runCommand('backup', { ...env, BACKUPS_KEPT: '2' })
  expect(existsSync(out)).toBe(true)
  expect(readdirSync(folder)).toHaveLength(2)
})

test('OPS-26: two backups at once are both complete', async () => {
  const { env, inFolder } = await place()
  const old = inFolder('unfinished-old')
  mkdirSync(old)
  utimesSync(old, 1, 1)
  const made = await Promise.all([runCommand('backup', env), runCommand('backup', env)])
  expect(made.map(({ code }) => code)).toEqual([0, 0])
  expect(existsSync(old)).toBe(false)
  for (const { out } of made) {
    const { dataDir: other } = await freshOptions('sqlite')
    expect(await runCommand('restore', { DATA_DIR: other }, [out])).toMatchObject({ code: 0 })
  }
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('OPS-26: %s leaves no copy behind', async (signal) => {
  const { dataDir, env, folder } = await place()
  const database = await openDatabase({ dataDir })
  await writeRows(database, (tx) => insertPictures(tx, 24))
  await database.close()
  await runCommand('backup', env, ['--new-key', join(dataDir, 'key')])
  const { child, ended } = startCommand('backup', env, ['--key', join(dataDir, 'key')])
  await expect.poll(() => readdirSync(folder).length).toBe(1)
  child.kill(signal)
  expect(await ended).toEqual({ code: 1, out: '', err: `npm run backup was ended by ${signal}.` })
  expect(readdirSync(dataDir).sort()).toEqual(['backups', 'key', SQLITE_FILE])
  expect(readdirSync(folder)).toEqual([])
})
