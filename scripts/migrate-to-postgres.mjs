/** `npm run migrate-to-postgres`: copies the database in DATA_DIR into an empty one at DATABASE_URL. */
import { readArguments, runCommand, UsageError } from './command.mjs'

// Static imports would be loaded before command.mjs checks Node's version.
const { copyToPostgres } = await import('../src/server/backup/copy-to-postgres.ts')
const { nameOf } = await import('../src/server/backup/postgres-rows.ts')
const { createProgress } = await import('../src/server/backup/progress.ts')
const { readConfig } = await import('../src/server/config.ts')
const { sqliteFileIn } = await import('../src/server/database/open.ts')

const USAGE = `npm run migrate-to-postgres [-- --from DATA_DIR --to DATABASE_URL --snapshot]
  Copies the SQLite database in DATA_DIR into the empty PostgreSQL database at DATABASE_URL.
  --from DATA_DIR    instead of the variable
  --to DATABASE_URL  instead of the variable, which keeps the password out of the list of processes
  --snapshot         while the server runs; what it writes meanwhile is not copied`

await runCommand('migrate-to-postgres', async () => {
  const { values } = readArguments(USAGE, {
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      snapshot: { type: 'boolean', default: false },
    },
  })
  const { dataDir, databaseUrl } = readConfig({
    ...process.env,
    ...(values.from !== undefined && { DATA_DIR: values.from }),
    ...(values.to !== undefined && { DATABASE_URL: values.to }),
  })
  if (databaseUrl === undefined)
    throw new UsageError(`DATABASE_URL is not set; it says where to copy the database to.\n\n${USAGE}`)
  const file = sqliteFileIn(dataDir)
  const startedAt = new Date().toISOString()
  console.log(`Copying ${file} to ${nameOf(databaseUrl)}`)
  const { tables, rows, continued } = await copyToPostgres(file, databaseUrl, {
    snapshot: values.snapshot,
    progress: createProgress(process.stderr),
  })
  console.log(
    [
      `${rows.toLocaleString('en')} rows of ${tables} tables are equal on both sides` +
        `${continued ? ' (an earlier copy was continued)' : ''}.`,
      ...(values.snapshot ? [`What the server wrote after ${startedAt} is not in the copy.`] : []),
      'Now start the server with DATABASE_URL; people stay signed in.',
      `${file} was not changed. Put it aside, so that no server is started on it by mistake.`,
    ].join('\n'),
  )
})
