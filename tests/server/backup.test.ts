/** OPS-26 to OPS-29: the commands for backups, as an operator meets them. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sqliteFileIn } from '../../src/server/database/open.ts'
import { ensurePlayers } from '../../src/server/storage/players/players.ts'
import { allRows, nextNumbers, run } from '../support/all-rows.ts'
import { runCommand } from '../support/commands.ts'
import { engines, type EngineName, freshOptions } from '../support/databases.ts'
import { BACKUPS, earlierDatabase } from '../support/earlier-release.ts'
import { idsOf, programs } from '../support/postgres.ts'
import { insertPictures, writeRows } from '../support/rows.ts'

/** A new, empty place for a database, and the variables that name it. */
async function emptyPlace(engine: EngineName) {
  const place = await freshOptions(engine, { whole: true })
  return { place, env: place.env, path: (name: string) => join(place.dataDir, name) }
}

/** A place with a database that has so many pictures of a megabyte. */
async function filledPlace(engine: EngineName, pictures = 1) {
  const here = await emptyPlace(engine)
  const database = await openDatabase(here.place)
  await writeRows(database, async (tx) => {
    await ensurePlayers(tx, ['76561197960265728'])
    await insertPictures(tx, pictures)
  })
  await database.close()
  return here
}

const ENCRYPTED = [BACKUPS.encrypted, '--key', BACKUPS.key]
const EVIL_TRIGGER = `CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER evil AFTER INSERT ON people EXECUTE FUNCTION evil()`

const refusal = (sentence: RegExp) => ({ code: 1, out: '', err: expect.stringMatching(sentence) as string })

describe.each(engines)('an encrypted backup of %s', (engine) => {
  test('OPS-28: is restored with its key only, and is readable by its owner only', async () => {
    const { place, env, path } = await filledPlace(engine)
    const made = await runCommand('backup', env, ['--new-key', path('key')])
    expect(made.out).toMatch(
      /key is a new key\. Store a copy on another machine: [^]+ make backups: age1\w+$/,
    )
    expect(await runCommand('backup', env, ['--new-key', path('key')])).toEqual(refusal(/exists already/))
    writeFileSync(path('public'), made.out.split(' ').at(-1)!)
    const { out: backupFile } = await runCommand('backup', env, ['--key', path('public')])
    expect(backupFile).toMatch(engine === 'sqlite' ? /Z\.sqlite\.gz\.age$/ : /Z\.pgdump\.gz\.age$/)
    for (const file of [backupFile, path('key')]) expect(statSync(file).mode & 0o777).toBe(0o600)

    const elsewhere = await emptyPlace(engine)
    const restore = (args: string[]) => runCommand('restore', elsewhere.env, [backupFile, ...args])
    expect(await restore([])).toEqual(refusal(/is encrypted; give its key with --key FILE\.$/))
    await runCommand('backup', env, ['--new-key', path('other')])
    expect(await restore(['--key', path('other')])).toEqual(refusal(/was encrypted with another key/))
    expect(await restore(['--key', path('public')])).toEqual(refusal(/has a public key only/))
    expect(await restore(['--key', path('key')])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /It does not show who made it: anyone with the public key can make a backup\.$/,
      ) as string,
    })
    expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
    expect(await nextNumbers(elsewhere.place)).toEqual(await nextNumbers(place))
  })
})

/** Shell commands that a document gives an operator. */
const shell = (command: string, env: Record<string, string>) =>
  execFileSync('bash', ['-o', 'pipefail', '-c', command], {
    env: { PATH: [programs(), process.env.PATH].join(delimiter), ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const hasPrograms = (...names: string[]) =>
  names.every((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)

test.skipIf(!hasPrograms('age', 'sqlite3'))('OPS-26: age, gunzip and sqlite3 open a backup', async () => {
  const { place, env, path } = await filledPlace('sqlite')
  await runCommand('backup', env, ['--new-key', path('key')])
  const { out: BACKUP } = await runCommand('backup', env, ['--key', path('key')])
  const open = 'age -d -i "$KEY" "$BACKUP" | gunzip > "$COPY"/shelfmates.sqlite'
  const elsewhere = await emptyPlace('sqlite')
  const { dataDir } = elsewhere.place
  shell(open, { KEY: path('key'), BACKUP, COPY: dataDir })
  expect(shell('sqlite3 "$FILE" "PRAGMA integrity_check"', { FILE: sqliteFileIn(dataDir) })).toBe('ok\n')
  expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
})

test.skipIf(!hasPrograms('age'))('OPS-26: age, gunzip and pg_restore open a backup', async () => {
  const { place, env, path } = await filledPlace('postgres')
  await runCommand('backup', env, ['--new-key', path('key')])
  const { out: BACKUP } = await runCommand('backup', env, ['--key', path('key')])
  const elsewhere = await emptyPlace('postgres')
  shell('age -d -i "$KEY" "$BACKUP" | gunzip | pg_restore --dbname="$TO"', {
    KEY: path('key'),
    BACKUP,
    TO: elsewhere.place.databaseUrl!,
  })
  expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
})

describe.each(engines)('restoring into %s', (engine) => {
  test('OPS-29: a damaged, incomplete or foreign backup changes nothing', async () => {
    const { env } = await filledPlace(engine)
    const { out: good } = await runCommand('backup', env)
    const bytes = readFileSync(good)
    const elsewhere = await emptyPlace(engine)
    const bad = elsewhere.path('bad')
    const changed = Buffer.from(bytes)
    changed[bytes.length >> 1]! ^= 1
    for (const [content, sentence] of [
      [changed, /^\S+bad is damaged or incomplete \(incorrect data check\)\.$/],
      [
        bytes.subarray(0, bytes.length >> 1),
        /^\S+bad is damaged or incomplete \(unexpected end of file\)\.$/,
      ],
      [
        Buffer.from('SQLite format 3\0 but not much more'),
        /bad is damaged or not a database|set DATABASE_URL/,
      ],
      [
        Buffer.from('PGDMP but not much more'),
        /^pg_restore failed: |is a backup of PostgreSQL; set DATABASE_URL/,
      ],
      [Buffer.from('something else'), /bad is not a backup of Shelfmates\.$/],
    ] as const) {
      writeFileSync(bad, content)
      expect(await runCommand('restore', elsewhere.env, [bad])).toEqual(refusal(sentence))
      expect(readdirSync(elsewhere.place.dataDir)).toEqual(['bad'])
      if (engine === 'postgres') expect(await allRows(elsewhere.place)).toEqual({})
    }
  })

  test('OPS-29: the data from before is kept aside, and not part of later backups', async () => {
    const { place, env } = await filledPlace(engine)
    const { out: backupFile } = await runCommand('backup', env)
    const used = await filledPlace(engine, 2)
    const before = await allRows(used.place)
    const restored = await runCommand('restore', used.env, [backupFile])
    expect(restored).toMatchObject({ code: 0, err: '' })
    const [, aside] = /What was there before is in (?:the schema )?(\S+)\. Now start the server\.$/m.exec(
      restored.out,
    )!
    expect(await allRows(used.place)).toEqual(await allRows(place))
    expect(await allRows(engine === 'sqlite' ? { dataDir: aside! } : inSchema(used.place, aside!))).toEqual(
      before,
    )

    const again = await emptyPlace(engine)
    const { out: later } = await runCommand('backup', used.env)
    expect(await runCommand('restore', again.env, [later])).toMatchObject({ code: 0, err: '' })
    expect(await allRows(again.place)).toEqual(await allRows(place))
    // A server starts on it as it is.
    await (await openDatabase(used.place)).close()
  })

  test('OPS-29: a database in use is refused, and not changed', async () => {
    const { place, env } = await filledPlace(engine)
    const { out: backupFile } = await runCommand('backup', env)
    const before = await allRows(place)
    const server = await openDatabase(place)
    onTestFinished(() => server.close())
    const use = () => server.queries.selectFrom('people').selectAll().execute()
    await use()
    // Connections that are not used are closed after ten seconds.
    const using = setInterval(() => void use(), 1000)
    onTestFinished(() => clearInterval(using))
    expect(await runCommand('restore', env, [backupFile])).toEqual(
      refusal(/ is in use.*, and nothing was changed; stop the servers? first.*\.$/),
    )
    expect(await allRows(place)).toEqual(before)
  })

  test('OPS-29: a backup of a newer version is refused, and changes nothing', async () => {
    const { place, env } = await filledPlace(engine)
    const newer = await openDatabase(place)
    await newer.transaction((tx) =>
      sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999_later', '2030-01-01')`.execute(tx),
    )
    await newer.close()
    const elsewhere = await emptyPlace(engine)
    const file = elsewhere.path('newer')
    // `npm run backup` refuses it too.
    if (engine === 'sqlite') copyFileSync(sqliteFileIn(place.dataDir), file)
    else shell('pg_dump --format=custom --file="$FILE" "$FROM"', { FILE: file, FROM: place.databaseUrl! })
    expect((await runCommand('backup', env)).code).toBe(1)
    expect(await runCommand('restore', elsewhere.env, [file])).toEqual(
      refusal(/of a newer version of Shelfmates/),
    )
    if (engine === 'postgres') expect(await allRows(elsewhere.place)).toEqual({})
    else expect(readdirSync(elsewhere.place.dataDir)).toEqual(['newer'])
  })

  test.runIf(engine !== 'citus')('DATA-5: a backup of an earlier version is restored whole', async () => {
    const name = engine as 'sqlite' | 'postgres'
    const expected = await allRows(await earlierDatabase(name))
    for (const args of [[BACKUPS[name]], ...(engine === 'sqlite' ? [ENCRYPTED] : [])]) {
      const { place, env } = await emptyPlace(engine)
      expect(await runCommand('restore', env, args)).toMatchObject({ code: 0, err: '' })
      expect(await allRows(place)).toEqual(expected)
      await (await openDatabase(place)).close()
      expect((await allRows(place)).people).toHaveLength(expected.people!.length)
    }
  })

  test.each([
    ['trigger', 'CREATE TRIGGER evil AFTER INSERT ON people BEGIN DELETE FROM sessions; END', EVIL_TRIGGER],
    ['view', 'CREATE VIEW evil AS SELECT 1 AS one'],
    ['index', 'CREATE INDEX evil ON people (display_name)'],
    ['table', 'CREATE TABLE evil (one integer)'],
    ['column people.', 'ALTER TABLE people ADD COLUMN evil text'],
    ['function', undefined, `CREATE FUNCTION evil() RETURNS integer LANGUAGE sql AS 'SELECT 1'`],
  ] as const)('OPS-29: a backup with an odd %s is refused', async (kind, inSqlite, inPostgres?: string) => {
    const statement = engine === 'sqlite' ? inSqlite : (inPostgres ?? inSqlite)
    if (statement === undefined) return
    const { place, env } = await filledPlace(engine)
    await run(place, statement)
    const { out: file } = await runCommand('backup', env)
    const elsewhere = await emptyPlace(engine)
    expect(await runCommand('restore', elsewhere.env, [file])).toEqual(
      refusal(new RegExp(`has the ${kind} ?evil, which no migration of Shelfmates made`)),
    )
    expect(await allRows(elsewhere.place).catch(() => ({}))).toEqual({})
  })
})

test('OPS-29: a backup of one engine is not restored into the other, and the sentence says what to do', async () => {
  const [sqlite, postgres] = [await filledPlace('sqlite'), await filledPlace('postgres')]
  const backups = [await runCommand('backup', sqlite.env), await runCommand('backup', postgres.env)] as const
  expect(await runCommand('restore', postgres.env, [backups[0].out])).toEqual(
    refusal(
      /is a backup of SQLite: restore it without DATABASE_URL, then move it with npm run migrate-to-postgres\.$/,
    ),
  )
  expect(await runCommand('restore', sqlite.env, [backups[1].out])).toEqual(
    refusal(/is a backup of PostgreSQL; set DATABASE_URL to the database to restore it to\.$/),
  )
})

test('OPS-26: without the programs of PostgreSQL its backup and restore say which is missing', async () => {
  const { env, path } = await filledPlace('postgres')
  const { out: backupFile } = await runCommand('backup', env)
  const PATH = path('programs')
  mkdirSync(PATH)
  symlinkSync('/bin/bash', join(PATH, 'bash'))
  const missing = (program: string) =>
    refusal(new RegExp(`^${program} is not installed; install the client programs of PostgreSQL`))
  expect(await runCommand('backup', { ...env, PATH })).toEqual(missing('pg_dump'))
  const elsewhere = await emptyPlace('postgres')
  expect(await runCommand('restore', { ...elsewhere.env, PATH }, [backupFile])).toEqual(
    missing('(psql|pg_restore)'),
  )
})

test('OPS-29: a damaged database, and a log without its database, are put aside by a restore', async () => {
  const { place, env } = await filledPlace('sqlite')
  const { out: backupFile } = await runCommand('backup', env)
  for (const names of [['shelfmates.sqlite', 'shelfmates.sqlite-wal'], ['shelfmates.sqlite-journal']]) {
    const elsewhere = await emptyPlace('sqlite')
    for (const name of names) writeFileSync(elsewhere.path(name), `damaged ${name}`.padEnd(200))
    const { code, out } = await runCommand('restore', elsewhere.env, [backupFile])
    expect(code).toBe(0)
    const [, aside = ''] = /What was there before is in (\S+)\./.exec(out)!
    for (const name of names) expect(readFileSync(join(aside, name), 'utf8')).toMatch(/^damaged/)
    expect(await allRows(elsewhere.place)).toEqual(await allRows(place))
    for (const name of names.slice(names.length - 1)) expect(existsSync(elsewhere.path(name))).toBe(false)
  }
})

/** A database as a schema of it is. */
function inSchema(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string | undefined },
  schema: string,
) {
  const url = new URL(databaseUrl!)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { dataDir, databaseUrl: url.href }
}

test.skipIf(process.getuid?.() !== 0)('OPS-20: what root creates belongs to the owner', async () => {
  const { place, env, path } = await filledPlace('sqlite')
  const { uid, gid } = idsOf('nobody')
  for (const name of ['', 'shelfmates.sqlite']) chownSync(path(name), uid, gid)
  chmodSync(place.dataDir, 0o700)
  // As a server creates it.
  chmodSync(path('shelfmates.sqlite'), 0o600)
  // Only root can read its key, and the backup that it restores.
  const key = join((await emptyPlace('sqlite')).place.dataDir, 'key')
  await runCommand('backup', {}, ['--new-key', key])
  const { out: backup } = await runCommand('backup', env, ['--key', key])
  const file = join(key, '..', 'of-root')
  copyFileSync(backup, file)
  expect(await runCommand('restore', env, [file, '--key', key])).toMatchObject({ code: 0, err: '' })
  const found = readdirSync(place.dataDir, { recursive: true, withFileTypes: true })
  expect(found.length).toBeGreaterThan(4)
  for (const { parentPath, name } of found) {
    const { uid: owner, mode } = statSync(join(parentPath, name))
    expect([name, owner, mode & 0o077]).toEqual([name, uid, 0])
  }
})

test.skipIf(process.getuid?.() !== 0)('OPS-12: a path that this user may not use is named', async () => {
  const { env, path } = await filledPlace('sqlite')
  const { uid, gid } = idsOf('nobody')
  mkdirSync(path('backups'), { mode: 0o700 })
  for (const name of ['', 'shelfmates.sqlite']) chownSync(path(name), uid, gid)
  const message = new RegExp(`^npm run backup failed: EACCES.*'${path('backups')}`)
  expect(await runCommand('backup', env)).toEqual(refusal(message))
  const secret = (await filledPlace('sqlite')).path('shelfmates.sqlite')
  chmodSync(join(secret, '..'), 0o700)
  expect(await runCommand('restore', env, [join(secret, '..', 'missing')])).toEqual(
    refusal(/^There is no backup /),
  )
})

test('OPS-26: on a full disk a backup fails with a sentence, and deletes no other', async () => {
  const { env, path } = await filledPlace('sqlite', 4)
  const { out: first } = await runCommand('backup', env)
  const full = await runCommand('backup', { ...env, BACKUPS_KEPT: '1' }, [], { fileKilobytes: 2000 })
  expect(full).toEqual(refusal(/^npm run backup failed: disk I\/O error$/))
  expect(readdirSync(path('backups')).map((name) => join(path('backups'), name))).toEqual([first])
})

test('OPS-26: a damaged database is not backed up over good backups', async () => {
  const { place, env, path } = await filledPlace('sqlite', 2)
  await runCommand('backup', env)
  const file = sqliteFileIn(place.dataDir)
  const bytes = readFileSync(file)
  bytes.fill(7, 3 * 4096, 40 * 4096)
  writeFileSync(file, bytes)
  expect(await runCommand('backup', { ...env, BACKUPS_KEPT: '1' })).toEqual(refusal(/damaged/))
  expect(readdirSync(path('backups'))).toHaveLength(1)
})

test('OPS-26: only the newest backups stay, and other files in the folder are not touched', async () => {
  const { env, path } = await filledPlace('sqlite')
  mkdirSync(path('backups'))
  writeFileSync(join(path('backups'), 'before-the-move.sqlite'), 'stored by hand')
  copyFileSync(path('shelfmates.sqlite'), join(path('backups'), '2020-01-01T00-00-00-000Z.sqlite.gz'))
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
