/** A database of the last release with counted migrations, of which commit 2a22716 made the dumps (DATA-5). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type DatabaseOptions, sqliteFileIn } from '../../src/server/database/open.ts'
import { type EngineName, freshOptions } from './databases.ts'

const DUMPS = join(import.meta.dirname, 'counted-migrations')

/** Runs statements without opening the database as a server does. */
export async function run({ dataDir, databaseUrl }: DatabaseOptions, statements: string): Promise<unknown[]> {
  if (databaseUrl === undefined) {
    const connection = new DatabaseSync(sqliteFileIn(dataDir))
    try {
      if (statements.startsWith('SELECT')) return connection.prepare(statements).all()
      connection.exec(statements)
      return []
    } finally {
      connection.close()
    }
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statements)).rows
  } finally {
    await client.end()
  }
}

/** Fills an empty database as that release has left it, with rows in its tables. */
export async function fillCounted(options: DatabaseOptions, engine: EngineName): Promise<void> {
  await run(options, readFileSync(join(DUMPS, `${engine}.sql`), 'utf8'))
}

/** Options of such a database, which is removed when the test ends. */
export async function countedDatabase(engine: EngineName) {
  const options = await freshOptions(engine)
  await fillCounted(options, engine)
  return options
}
