/** Fresh databases for tests on each engine. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { describe, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { citusUrl, takeDistributed } from './citus.ts'
import { temporaryFolder } from './folders.ts'
import { startPostgres } from './postgres.ts'

export type EngineName = 'sqlite' | 'postgres' | 'citus'
/** A run on a distributed PostgreSQL (`npm run test:citus`) is of nothing else. */
export const engines: readonly EngineName[] = citusUrl ? ['citus'] : ['sqlite', 'postgres']
/** The engine of tests that need only one. */
export const defaultEngine = engines[0]!

/** Options of an empty database; `drop` removes it. `onDisk` is for tests that need a real disk. */
export async function freshDatabaseOptions(engine: EngineName, options?: { onDisk?: boolean }) {
  const dataDir = temporaryFolder('data', options)
  if (engine === 'sqlite')
    return {
      dataDir,
      databaseUrl: undefined,
      drop: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  if (citusUrl) {
    const { databaseUrl, release } = await takeDistributed()
    return {
      dataDir,
      databaseUrl,
      drop: async () => {
        rmSync(dataDir, { recursive: true, force: true })
        await release()
      },
    }
  }
  // A schema instead of a database, because it is created many times faster.
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE SCHEMA ${name}`)
  const databaseUrl = new URL((await cluster()).url)
  databaseUrl.searchParams.set('options', `-c search_path=${name}`)
  return {
    dataDir,
    databaseUrl: databaseUrl.href,
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
 * The cluster of this worker, with one connection that creates and drops schemas. Workers do not share a cluster,
 * because a snapshot is of a whole cluster and would change with every transaction of another worker.
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
