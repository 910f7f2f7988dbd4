/** What commit 71cacb47 has written: backups of a database with rows in every table, on both engines (DATA-5). */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type DatabaseOptions, sqliteFileIn } from '../../src/server/database/open.ts'
import { freshOptions } from './databases.ts'
import { programs } from './postgres.ts'

const file = (name: string) => join(import.meta.dirname, 'earlier-release', name)

/** Backups by their engine; the encrypted one is of SQLite. */
export const BACKUPS = {
  sqlite: file('backup.sqlite.gz'),
  postgres: file('backup.pgdump.gz'),
  encrypted: file('backup.sqlite.gz.age'),
  key: file('key.txt'),
}

/** Fills an empty database as that version has left it, without this version's code. */
export function fillEarlier({ dataDir, databaseUrl }: DatabaseOptions, engine: 'sqlite' | 'postgres'): void {
  const input = gunzipSync(readFileSync(BACKUPS[engine]))
  if (databaseUrl === undefined) writeFileSync(sqliteFileIn(dataDir), input)
  else
    execFileSync('pg_restore', ['--no-owner', `--dbname=${databaseUrl}`], {
      input,
      env: { PATH: [programs(), process.env.PATH].join(delimiter) },
    })
}

/** Options of such a database, which is removed when the test ends. */
export async function earlierDatabase(engine: 'sqlite' | 'postgres') {
  const options = await freshOptions(engine, { whole: true })
  fillEarlier(options, engine)
  return options
}
