/**
 * `npm run backup`: copies the embedded database, while the server runs, to DATA_DIR/backups, and deletes all but the
 * newest BACKUPS_KEPT (default 14) backups. Prints the path of the copy.
 */
import { join } from 'node:path'
import { readConfig } from '../src/server/config.ts'
import { makeBackup } from '../src/server/database/backups.ts'
import { SQLITE_FILE } from '../src/server/database/open.ts'

// Backups are created readable by their owner only.
process.umask(0o077)
try {
  const { dataDir, databaseUrl } = readConfig(process.env)
  if (databaseUrl !== undefined)
    throw new Error('DATABASE_URL is set; use pg_dump to back up PostgreSQL (docs/OPERATIONS.md).')
  const keep = Number(process.env.BACKUPS_KEPT ?? 14)
  if (!Number.isInteger(keep) || keep < 1)
    throw new Error(`BACKUPS_KEPT is "${process.env.BACKUPS_KEPT}", but it must be a whole number from 1.`)
  console.log(await makeBackup(dataDir, { file: join(dataDir, SQLITE_FILE), keep, at: new Date() }))
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
