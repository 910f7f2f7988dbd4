/**
 * Databases on the distributed PostgreSQL of a run (`scripts/test-citus.mjs`). Distributing the tables takes a second, so
 * a database that a test is done with is emptied for the next one.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { distribute } from '../../src/server/database/several/distribute.ts'
import { STEPS } from '../../src/server/database/migrations.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { placements } from '../../src/server/database/several/placements.ts'

/** Enough for tables to be on both workers, and for two shards on one of them. */
const SHARDS = 3

/** Schemas that are distributed and empty. */
const free: string[] = []
let maintenance: pg.Pool | undefined

/** The coordinator's address; undefined in runs on other engines. */
export const citusUrl = process.env.TEST_CITUS_URL

/** An empty database that has been distributed; `release` makes it available to other tests. */
export async function takeDistributed(): Promise<{ databaseUrl: string; release: () => Promise<void> }> {
  const name = free.pop() ?? (await create())
  return { databaseUrl: urlOf(name), release: () => release(name) }
}

async function create(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE SCHEMA ${name}`)
  const database = await openDatabase({ dataDir: '', databaseUrl: urlOf(name) })
  await distribute(database)
  await database.close()
  return name
}

/** A schema that a test has migrated further, dropped a table of, or whose machine it has stopped is not used again. */
async function release(name: string): Promise<void> {
  const emptied = Object.keys(placements)
    .filter((table) => table !== 'installation')
    .map((table) => `${name}.${table}`)
  try {
    const steps = await maintain(`SELECT max(name) AS last FROM ${name}.kysely_migration`)
    if (steps.rows[0]?.last !== STEPS.at(-1)) return
    await maintain(
      `TRUNCATE ${emptied.join(', ')} RESTART IDENTITY; DELETE FROM ${name}.installation WHERE name NOT IN ('secret', 'push_key')`,
    )
  } catch {
    return
  }
  free.push(name)
}

function urlOf(schema: string): string {
  const url = new URL(citusUrl!)
  url.searchParams.set('options', `-c search_path=${schema} -c citus.shard_count=${SHARDS}`)
  return url.href
}

async function maintain(statement: string): Promise<pg.QueryResult<{ last: string }>> {
  maintenance ??= new pg.Pool({
    connectionString: citusUrl,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  return maintenance.query(statement)
}
