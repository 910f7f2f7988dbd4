/** DATA-6: a database file that has lost its content is refused before anything opens it. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { moveToPostgres } from '../../src/server/backup/move.ts'
import { openDatabase, SQLITE_FILE } from '../../src/server/database/open.ts'
import { ensurePlayers } from '../../src/server/storage/players/players.ts'
import { nextSteamId } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { freshOptions } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { runProcess, startProcess } from '../support/process.ts'
import { writeRows } from '../support/rows.ts'

const emptyFolder = async () => (await freshOptions('sqlite')).dataDir

/** A folder as a killed server leaves it, with writes in the log only, and the file cut off after so many bytes. */
async function cutOff(bytes: number, { log, backups }: { log: boolean; backups: boolean }): Promise<string> {
  const source = await emptyFolder()
  const database = await openDatabase({ dataDir: source })
  await writeRows(database, (tx) => ensurePlayers(tx, [nextSteamId()]))
  const dataDir = await emptyFolder()
  for (const ending of log ? ['', '-wal', '-shm'] : [''])
    copyFileSync(join(source, SQLITE_FILE + ending), join(dataDir, SQLITE_FILE + ending))
  await database.close()
  truncateSync(join(dataDir, SQLITE_FILE), bytes)
  if (backups) {
    mkdirSync(join(dataDir, 'backups'))
    writeFileSync(join(dataDir, 'backups', '2026-01-01T00-00-00-000Z.sqlite.gz'), 'a backup')
  }
  return dataDir
}

/** All files in a folder with their bytes. */
const contentOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'base64')]),
  )

const LOST = [
  ['0 bytes beside backups', 0, { log: false, backups: true }, 'it is empty, but there are backups'],
  ['0 bytes beside a log', 0, { log: true, backups: false }, 'it is empty, but has a log'],
  ['0 bytes beside both', 0, { log: true, backups: true }, 'it is empty, but has a log'],
  ['less than a header', 99, { log: false, backups: false }, 'it is shorter than its header'],
  ['less than a header, beside a log', 1, { log: true, backups: true }, 'it is shorter than its header'],
] as const

describe.each(LOST)('a database file of %s', (_name, bytes, beside, finding) => {
  test('DATA-6: is refused in one sentence that says what to do, and nothing is changed', async () => {
    const dataDir = await cutOff(bytes, beside)
    const before = contentOf(dataDir)
    const remedy = beside.backups
      ? `restore the last backup with npm run restore -- ${dataDir}/backups/2026`
      : 'restore'
    const sentence = `The database ${join(dataDir, SQLITE_FILE)} is damaged or not a database (${finding}); stop the server and restore`
    const options = { keep: 1, at: new Date(), key: undefined }
    for (const [what, open] of Object.entries({
      'a start': async () => openDatabase({ dataDir, mode: 'demo' }),
      'a backup': () => makeBackup({ dataDir }, options),
      'a move': () =>
        moveToPostgres({ dataDir, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }, () => {}),
    })) {
      const refused = await open().then(
        () => 'opened',
        (error: Error) => error.message,
      )
      expect([what, refused]).toEqual([what, expect.stringContaining(sentence)])
      expect(refused).toContain(remedy)
      expect(refused).not.toContain('\n')
      expect(contentOf(dataDir)).toEqual(before)
    }
  })
})

test('DATA-6: the processes refuse it too: server, the server in the other mode, backup, restore and migration', async () => {
  const dataDir = await cutOff(0, { log: true, backups: true })
  const before = contentOf(dataDir)
  const env = { DATA_DIR: dataDir }
  const [file] = readdirSync(join(dataDir, 'backups')).map((name) => join(dataDir, 'backups', name))
  const sentence =
    /^The database .+ is damaged or not a database \(it is empty, but has a log\); stop the server and restore.+\.$/m
  for (const mode of [{}, { STEAM_API_KEY: 'key' }] as Record<string, string>[]) {
    const { code, output } = await runProcess({ ...env, ...mode, PORT: String(await freePort()) })
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)])
  }
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'
  const outcomes = [
    await runCommand('backup', env),
    await runCommand('migrate-to-postgres', { ...env, DATABASE_URL }),
    await runCommand('restore', env, [file!]),
  ]
  expect(outcomes.map(({ code, err }) => [code, err])).toEqual([
    [1, expect.stringMatching(sentence)],
    [1, expect.stringMatching(sentence)],
    [1, expect.stringMatching(/is not a backup of Shelfmates\.$/)],
  ])
  expect(contentOf(dataDir)).toEqual(before)
})

test('DATA-6: an empty file alone is a new installation, also beside an empty folder of backups; there is nothing to copy', async () => {
  const dataDir = await emptyFolder()
  writeFileSync(join(dataDir, SQLITE_FILE), '')
  mkdirSync(join(dataDir, 'backups'))
  const nothing = /^There is no database .+; set DATA_DIR to the server's data folder\.$/
  for (const name of ['backup', 'migrate-to-postgres'])
    expect(
      (
        await runCommand(name, {
          DATA_DIR: dataDir,
          DATABASE_URL: name === 'backup' ? '' : 'postgres://nobody@127.0.0.1:1/none',
        })
      ).err,
    ).toMatch(nothing)
  expect(contentOf(dataDir)).toEqual({ [SQLITE_FILE]: '' })
  const server = await startProcess({ DATA_DIR: dataDir })
  expect(await server.stop()).toBe(0)
})
