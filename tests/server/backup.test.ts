/** OPS-26 to OPS-29: the commands for backups, as an operator meets them. */
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sqliteFileIn } from '../../src/server/database/open.ts'
import { ensurePeople } from '../../src/server/storage/people.ts'
import { allRows } from '../support/all-rows.ts'
import { runCommand, startCommand } from '../support/commands.ts'
import { engines, type EngineName, freshDatabaseOptions } from '../support/databases.ts'
import { writeRows } from '../support/rows.ts'

/** A new, empty place for a database, and the variables that name it. */
async function emptyPlace(engine: EngineName) {
  const place = await freshDatabaseOptions(engine)
  onTestFinished(place.drop)
  const env = {
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
  }
  return { place, env, path: (name: string) => join(place.dataDir, name) }
}

/** A place with a database that has so many pictures of a megabyte. */
async function filledPlace(engine: EngineName, pictures = 1) {
  const here = await emptyPlace(engine)
  const database = await openDatabase(here.place)
  await writeRows(database, async (tx) => {
    await ensurePeople(tx, ['76561197960265728'])
    for (let n = 0; n < pictures; n++)
      await tx
        .insertInto('pictures')
        .values({ picture_key: `p${n}`, bytes: randomBytes(2 ** 20), created_at: n })
        .execute()
  })
  await database.close()
  return here
}

const refusal = (sentence: RegExp) => ({ code: 1, out: '', err: expect.stringMatching(sentence) as string })

describe.each(engines)('an encrypted backup of %s', (engine) => {
  test('is restored with its key only, and is readable by its owner only', async () => {
    const { place, env, path } = await filledPlace(engine)
    const made = await runCommand('backup', env, ['--new-key', path('key')])
    expect(made.out).toBe(
      `${path('key')} is a new key. Store a copy on another machine: without it nobody can restore an encrypted backup.`,
    )
    expect(await runCommand('backup', env, ['--new-key', path('key')])).toEqual(refusal(/exists already/))
    const { out: backupFile } = await runCommand('backup', env, ['--key', path('key')])
    for (const file of [backupFile, path('key')]) expect(statSync(file).mode & 0o777).toBe(0o600)

    const elsewhere = await emptyPlace(engine)
    const restore = (args: string[]) => runCommand('restore', elsewhere.env, [backupFile, ...args])
    expect(await restore([])).toEqual(refusal(/is encrypted; give its key with --key FILE\.$/))
    await runCommand('backup', env, ['--new-key', path('other')])
    expect(await restore(['--key', path('other')])).toEqual(refusal(/was encrypted with another key/))
    expect(await restore(['--key', path('key')])).toMatchObject({ code: 0 })
    expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
  })
})

describe.each(engines)('restoring into %s', (engine) => {
  test('a damaged or incomplete backup changes nothing', async () => {
    const { env } = await filledPlace('sqlite')
    const { out: good } = await runCommand('backup', env)
    const bytes = readFileSync(good)
    const elsewhere = await emptyPlace(engine)
    const bad = elsewhere.path('bad.backup')
    const changed = Buffer.from(bytes)
    changed[bytes.length >> 1]! ^= 1
    for (const [content, sentence] of [
      [changed, /^\S+bad\.backup is damaged: chunk 2 is not as it was written\.$/],
      [bytes.subarray(0, bytes.length >> 1), /^\S+bad\.backup is incomplete: its end is missing\.$/],
      [
        Buffer.from('SQLite format 3\0 but not much more'),
        /^The backup \S+bad\.backup is damaged or not a database/,
      ],
    ] as const) {
      writeFileSync(bad, content)
      expect(await runCommand('restore', elsewhere.env, [bad])).toEqual(refusal(sentence))
      expect(readdirSync(elsewhere.place.dataDir)).toEqual(['bad.backup'])
      if (engine === 'postgres') expect(await allRows(elsewhere.place)).toEqual({})
    }
  })

  test('a place with a database is refused, and not changed', async () => {
    const { env } = await filledPlace('sqlite')
    const { out: backupFile } = await runCommand('backup', env)
    const used = await filledPlace(engine, 2)
    const before = await allRows(used.place)
    const sentence =
      engine === 'sqlite' ? /exists, and nothing was changed; stop the server/ : /is not empty, and nothing/
    expect(await runCommand('restore', used.env, [backupFile])).toEqual(refusal(sentence))
    expect(await allRows(used.place)).toEqual(before)
  })

  test('a backup of an earlier version, a copy of the SQLite file, is restored too', async () => {
    const { place, path } = await filledPlace('sqlite')
    const source = new DatabaseSync(sqliteFileIn(place.dataDir))
    await backup(source, path('old.sqlite'))
    source.close()
    const elsewhere = await emptyPlace(engine)
    expect(await runCommand('restore', elsewhere.env, [path('old.sqlite')])).toMatchObject({ code: 0 })
    expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
  })

  test('killed at any point and run again, it restores everything', async () => {
    const { place, env } = await filledPlace('sqlite', 24)
    const { out: backupFile } = await runCommand('backup', env)
    const elsewhere = await emptyPlace(engine)
    const isUnpacking = async () => {
      const work = readdirSync(elsewhere.place.dataDir).find((name) => name.startsWith('unfinished-'))
      return work !== undefined && existsSync(sqliteFileIn(elsewhere.path(work)))
    }
    const hasTables = async () => Object.keys(await allRows(elsewhere.place)).length > 0
    for (const isTime of engine === 'sqlite' ? [isUnpacking] : [isUnpacking, hasTables]) {
      const { child, ended } = startCommand('restore', elsewhere.env, [backupFile])
      await expect.poll(isTime).toBe(true)
      child.kill('SIGKILL')
      await ended
    }
    expect(existsSync(sqliteFileIn(elsewhere.place.dataDir))).toBe(false)
    expect(await runCommand('restore', elsewhere.env, [backupFile])).toMatchObject({ code: 0 })
    expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
  })
})

test('a log without its database is refused, since it would be applied to the restored one', async () => {
  const { env } = await filledPlace('sqlite')
  const { out: backupFile } = await runCommand('backup', env)
  const elsewhere = await emptyPlace('sqlite')
  writeFileSync(elsewhere.path('shelfmates.sqlite-wal'), 'log')
  expect(await runCommand('restore', elsewhere.env, [backupFile])).toEqual(
    refusal(/shelfmates\.sqlite-wal exists, and nothing was changed/),
  )
  expect(readdirSync(elsewhere.place.dataDir)).toEqual(['shelfmates.sqlite-wal'])
})

test('a backup that is killed leaves no file that looks like one, and what it leaves is removed a day later', async () => {
  const { env, path } = await filledPlace('sqlite', 24)
  const { child, ended } = startCommand('backup', env)
  const parts = () => (existsSync(path('backups')) ? readdirSync(path('backups')) : [])
  await expect.poll(() => parts().length).toBe(1)
  child.kill('SIGKILL')
  await ended
  expect(parts()).toEqual([expect.stringMatching(/\.part$/)])
  const [work = ''] = readdirSync(path('')).filter((name) => name.startsWith('unfinished-'))
  const yesterday = Date.now() / 1000 - 25 * 3600
  for (const left of [path(work), join(path('backups'), parts()[0]!)]) utimesSync(left, yesterday, yesterday)
  const { out } = await runCommand('backup', env)
  expect(readdirSync(path('')).sort()).toEqual(['backups', 'shelfmates.sqlite'])
  expect(parts().map((name) => join(path('backups'), name))).toEqual([out])
})

test('on a full disk a backup fails with a sentence, and deletes no other', async () => {
  const { env, path } = await filledPlace('sqlite', 4)
  const { out: first } = await runCommand('backup', env)
  const full = await runCommand('backup', { ...env, BACKUPS_KEPT: '1' }, [], { fileKilobytes: 2000 })
  expect(full).toEqual(refusal(/^npm run backup failed: disk I\/O error$/))
  expect(readdirSync(path('backups')).map((name) => join(path('backups'), name))).toEqual([first])
})

test('a damaged database is not backed up over good backups', async () => {
  const { place, env, path } = await filledPlace('sqlite', 2)
  await runCommand('backup', env)
  const file = sqliteFileIn(place.dataDir)
  const bytes = readFileSync(file)
  bytes.fill(7, 3 * 4096, 40 * 4096)
  writeFileSync(file, bytes)
  expect(await runCommand('backup', { ...env, BACKUPS_KEPT: '1' })).toEqual(refusal(/damaged/))
  expect(readdirSync(path('backups'))).toHaveLength(1)
})

test('only the newest backups stay, and other files in the folder are not touched', async () => {
  const { env, path } = await filledPlace('sqlite')
  mkdirSync(path('backups'))
  writeFileSync(join(path('backups'), 'before-the-move.sqlite'), 'stored by hand')
  copyFileSync(path('shelfmates.sqlite'), join(path('backups'), '2020-01-01T00-00-00-000Z.sqlite'))
  const made: string[] = []
  for (let n = 0; n < 4; n++) made.push((await runCommand('backup', { ...env, BACKUPS_KEPT: '2' })).out)
  expect(readdirSync(path('backups')).sort()).toEqual(
    [
      ...made.slice(-2).map((file) => file.slice(path('backups').length + 1)),
      'before-the-move.sqlite',
    ].sort(),
  )
})

test('without a database, a backup, or a correct argument the commands say so and create nothing', async () => {
  const { env, place } = await emptyPlace('sqlite')
  const unreachable = { ...env, DATABASE_URL: 'postgres://x:geheim@127.0.0.1:1/x' }
  expect(await runCommand('backup', env)).toEqual(refusal(/^There is no database /))
  expect(await runCommand('backup', { ...env, BACKUPS_KEPT: 'all' })).toEqual(
    refusal(/^BACKUPS_KEPT is "all"/),
  )
  expect(await runCommand('backup', unreachable)).toEqual(
    refusal(/^The database 127\.0\.0\.1:1\/x cannot be used: /),
  )
  expect(await runCommand('backup', env, ['--kye', 'x'])).toEqual(refusal(/'--kye'[^]*npm run backup/))
  expect(await runCommand('restore', env)).toEqual(refusal(/^npm run restore -- FILE/))
  expect(await runCommand('restore', env, ['missing.backup'])).toEqual(
    refusal(/^There is no backup missing\.backup\.$/),
  )
  expect(readdirSync(place.dataDir).filter((name) => name !== 'backups')).toEqual([])
})
