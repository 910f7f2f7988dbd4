/** Fresh databases of both engines; the same suite runs on each. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { describe, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { temporaryFolder } from './folders.ts'
import { startPostgres } from './postgres.ts'

export const engines = ['sqlite', 'postgres'] as const
export type EngineName = (typeof engines)[number]

/** A place for a database that nobody else uses; `drop` removes it. `onDisk` is for tests of what a disk does. */
export async function freshDatabaseOptions(engine: EngineName, options?: { onDisk?: boolean }) {
  const dataDir = temporaryFolder('data', options)
  if (engine === 'sqlite')
    return {
      dataDir,
      databaseUrl: undefined,
      drop: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  // A schema of its own holds as much as a database of its own, and is made many times quicker.
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE SCHEMA ${name}`)
  const address = new URL((await cluster()).url)
  address.searchParams.set('options', `-c search_path=${name}`)
  return {
    dataDir,
    databaseUrl: address.href,
    drop: async () => {
      rmSync(dataDir, { recursive: true, force: true })
      await maintain(`DROP SCHEMA ${name} CASCADE`)
    },
  }
}

/**
 * Runs a suite on each engine. `fresh` opens an empty, migrated database that is closed and removed when the test
 * ends.
 */
export function describeOnEachEngine(
  name: string,
  suite: (fresh: () => Promise<Database>, engine: EngineName) => void,
): void {
  describe.each(engines)(`${name} on %s`, (engine) => {
    suite(async () => {
      const { drop, ...place } = await freshDatabaseOptions(engine)
      const database = await openDatabase(place)
      onTestFinished(async () => {
        await database.close()
        await drop()
      })
      return database
    }, engine)
  })
}

/**
 * The cluster of this worker, with one connection that makes and drops schemas. Workers share none: the snapshots by
 * which a server knows that nothing has changed would change with the transactions of another worker's tests.
 */
let started: ReturnType<typeof startCluster> | undefined
const cluster = () => (started ??= startCluster())

async function startCluster() {
  const { url } = await startPostgres()
  const maintenance = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  return { url, maintenance }
}

async function maintain(statement: string): Promise<void> {
  const { maintenance } = await cluster()
  await maintenance.query(statement)
}
