/** `kill -9` at any moment of a backup, restore, move or migration loses nothing. KILL_ROUNDS (40) sets how often. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase, SQLITE_FILE } from '../../src/server/database/open.ts'
import { allRows, run } from '../support/all-rows.ts'
import { runCommand, startCommand } from '../support/commands.ts'
import { freshOptions } from '../support/databases.ts'
import { fillEarlier } from '../support/earlier-release.ts'
import { insertPictures, writeRows } from '../support/rows.ts'

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 40)
const TIMEOUT = { timeout: 900_000 }
const ROOT = join(import.meta.dirname, '../..')
/** A start would be half compiling. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled')

type Engine = 'sqlite' | 'postgres'
type Place = Awaited<ReturnType<typeof emptyPlace>>
const envOf = ({ env }: Place) => ({ NODE_COMPILE_CACHE, ...env })
const emptyPlace = (engine: Engine) => freshOptions(engine, { whole: true })

/** A place with pictures, which differ by `seed`, so that there is something to interrupt. */
async function filledPlace(engine: Engine, seed = 0): Promise<Place> {
  const place = await emptyPlace(engine)
  const database = await openDatabase(place)
  await writeRows(database, (tx) => insertPictures(tx, 40, (nth) => Buffer.alloc(100_000, `${seed} ${nth}`)))
  await database.close()
  return place
}

/** All rows, when what was killed has left the database. */
async function rowsOf(place: Place): Promise<string> {
  const others = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend'`
  if (place.databaseUrl !== undefined) await expect.poll(() => run(place, others)).toEqual([])
  return JSON.stringify(await allRows(place))
}

async function empty(place: Place): Promise<void> {
  if (place.databaseUrl === undefined)
    for (const ending of ['', '-wal', '-shm'])
      rmSync(join(place.dataDir, SQLITE_FILE + ending), { force: true })
  else await run(place, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
}

/**
 * Runs something to its end, and then again and again, killed at moments that are spread over the time that it takes; `check`
 * looks at what is there and prepares the next round.
 */
async function killed(
  start: () => ChildProcess,
  check: (isComplete: boolean) => Promise<void>,
): Promise<void> {
  const codeOf = async (child: ChildProcess) => ((await once(child, 'exit')) as [number | null])[0]
  const begun = performance.now()
  expect(await codeOf(start())).toBe(0)
  const took = performance.now() - begun
  await check(true)
  for (let round = 0; round < ROUNDS; round++) {
    const child = start()
    const ended = codeOf(child)
    // Before that, Node is still starting.
    await pause(took * (0.25 + (0.8 * round) / ROUNDS))
    child.kill('SIGKILL')
    await check((await ended) === 0)
  }
}

describe.each(['sqlite', 'postgres'] as const)('killed on %s', (engine) => {
  test('OPS-26: a backup leaves no file that looks like a backup and is none', TIMEOUT, async () => {
    const place = await filledPlace(engine)
    const before = await rowsOf(place)
    const [folder, newest] = [join(place.dataDir, 'backups'), join(place.dataDir, 'newest')]
    await killed(
      () => startCommand('backup', envOf(place)).child,
      async (isComplete) => {
        const names = readdirSync(folder, { withFileTypes: true })
        const made = names.filter((entry) => entry.isFile())
        if (isComplete) expect(made).toHaveLength(1)
        for (const { name } of made) renameSync(join(folder, name), newest)
        if (made.length === 0) return
        const elsewhere = await emptyPlace(engine)
        expect(await runCommand('restore', envOf(elsewhere), [newest])).toMatchObject({ code: 0 })
        expect(await rowsOf(elsewhere)).toBe(before)
      },
    )
    expect(await rowsOf(place)).toBe(before)
  })

  test('OPS-29: a restore has changed everything or nothing', TIMEOUT, async () => {
    const place = await filledPlace(engine)
    const backups: string[] = []
    const contents: string[] = []
    for (const seed of [1, 2]) {
      const source = await filledPlace(engine, seed)
      backups.push((await runCommand('backup', envOf(source))).out)
      contents.push(await rowsOf(source))
    }
    let before = await rowsOf(place)
    let nth = 0
    await killed(
      () => startCommand('restore', envOf(place), [backups[nth % 2]!]).child,
      async (isComplete) => {
        const after = await rowsOf(place)
        const isRestored = after === contents[nth % 2]
        expect(isRestored || (!isComplete && after === before)).toBe(true)
        if (isRestored) nth++
        before = after
      },
    )
    expect(nth).toBeGreaterThan(0)
  })

  test('DATA-5: a migration is made whole or not at all', TIMEOUT, async () => {
    const place = await emptyPlace(engine)
    fillEarlier(place, engine)
    const before = await rowsOf(place)
    const open = `const { openDatabase } = await import('${ROOT}/src/server/database/open.ts')
      await (await openDatabase(${JSON.stringify(place)})).close()`
    await killed(
      () =>
        spawn(process.execPath, ['--input-type=module', '-e', open], {
          env: { PATH: process.env.PATH, NODE_COMPILE_CACHE },
          stdio: 'ignore',
        }),
      async (isComplete) => {
        await rowsOf(place)
        const [found] = await run(place, 'SELECT max(name) AS name FROM kysely_migration')
        const isMigrated = (found as { name: string }).name !== '0007_user_webhook'
        if (isComplete) expect(isMigrated).toBe(true)
        if (!isMigrated) return expect(await rowsOf(place)).toBe(before)
        // Opened by a server it is whole.
        await (await openDatabase(place)).close()
        await empty(place)
        fillEarlier(place, engine)
      },
    )
  })
})

test('OPS-24: a killed move has changed nothing, or is complete', TIMEOUT, async () => {
  const [from, to] = [await filledPlace('sqlite'), await emptyPlace('postgres')]
  const expected = await rowsOf(from)
  await killed(
    () => startCommand('migrate-to-postgres', { ...envOf(to), DATA_DIR: from.dataDir }).child,
    async (isComplete) => {
      const found = await rowsOf(to)
      expect(found === expected || (!isComplete && found === '{}')).toBe(true)
      if (found === expected) await empty(to)
    },
  )
  expect(await rowsOf(from)).toBe(expected)
  expect(readFileSync(join(from.dataDir, SQLITE_FILE)).length).toBeGreaterThan(4_000_000)
})
