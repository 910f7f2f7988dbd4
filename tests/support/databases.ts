/** Fresh databases of both engines; the same suite runs on each. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { openDatabase } from '../../src/server/database/open.ts'

export const engines = ['sqlite', 'postgres'] as const
export type EngineName = (typeof engines)[number]

/** A place for a database that nobody else uses; `drop` removes it. */
export async function freshDatabaseOptions(engine: EngineName) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfmates-data-'))
  if (engine === 'sqlite')
    return {
      dataDir,
      databaseUrl: undefined,
      drop: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  // A schema of its own holds as much as a database of its own, and is made many times quicker.
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE SCHEMA ${name}`)
  const address = new URL(inject('postgresUrl'))
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

async function maintain(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
