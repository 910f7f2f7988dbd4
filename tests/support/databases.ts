/** Fresh databases of both engines; the same suite runs on each. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/storage/database.ts'
import { openDatabase } from '../../src/server/storage/open.ts'

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
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE DATABASE ${name}`)
  const address = new URL(inject('postgresUrl'))
  address.pathname = `/${name}`
  return {
    dataDir,
    databaseUrl: address.href,
    drop: async () => {
      rmSync(dataDir, { recursive: true, force: true })
      await maintain(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
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
  await client.query(statement)
  await client.end()
}
