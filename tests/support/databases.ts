/** Fresh databases of both engines; the same suite runs on each. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { describe, inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { temporaryFolder } from './folders.ts'

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
  const address = new URL(postgresUrl())
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

/** URL of the cluster of this worker. */
function postgresUrl(): string {
  const urls = inject('postgresUrls')
  return urls[Number(process.env.VITEST_POOL_ID ?? 1) % urls.length]!
}

/** One connection for all files of a worker; it does not hold the worker up at the end. */
let maintenance: pg.Pool | undefined
async function maintain(statement: string): Promise<void> {
  maintenance ??= new pg.Pool({
    connectionString: postgresUrl(),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  await maintenance.query(statement)
}
