/** `npm run migrate-to-postgres`: moves the database in DATA_DIR to an empty one at DATABASE_URL. */
import { becomeOwnerOf, readArguments, runCommand, UsageError } from './command.mjs'

// Static imports would be loaded before command.mjs checks Node's version.
const { moveToPostgres } = await import('../src/server/backup/move.ts')
const { readConfig } = await import('../src/server/config.ts')

const USAGE = `npm run migrate-to-postgres
  Moves the SQLite database in DATA_DIR to the empty PostgreSQL database at DATABASE_URL. Stop the server first.`

await runCommand('migrate-to-postgres', async () => {
  readArguments(USAGE, {})
  const { dataDir, databaseUrl } = readConfig(process.env)
  if (databaseUrl === undefined)
    throw new UsageError(`DATABASE_URL is not set; it says where to move the database to.\n\n${USAGE}`)
  becomeOwnerOf(dataDir)
  await moveToPostgres({ dataDir, databaseUrl }, (table, rows) =>
    console.log(`${table.padEnd(24)} ${rows.toLocaleString('en').padStart(12)} rows`),
  )
  console.log(
    'Moved. Start the server with DATABASE_URL; people stay signed in. The SQLite database was not changed: put it aside, so ' +
      'that no server is started on it by mistake.',
  )
})
