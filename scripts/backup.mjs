/**
 * `npm run backup`: copies the database of the server, which may run, to a file in DATA_DIR/backups, and deletes all but
 * the newest BACKUPS_KEPT (default 14) backups. Prints the path of the file.
 */
import { becomeOwnerOf, readArguments, runCommand, UsageError } from './command.mjs'

// Static imports would be loaded before command.mjs checks Node's version.
const { makeBackup } = await import('../src/server/backup/make-backup.ts')
const { makeKey, readKey } = await import('../src/server/backup/backup-file.ts')
const { readConfig } = await import('../src/server/config.ts')

const USAGE = `npm run backup [-- --key FILE]
  Makes a backup of the database in DATA_DIR, or of the one at DATABASE_URL, in DATA_DIR/backups.
  --key FILE      encrypts it in the age format, with the public or secret key in FILE
  --new-key FILE  makes a new secret key, and no backup`

await runCommand('backup', async () => {
  const { values } = readArguments(USAGE, {
    options: { key: { type: 'string' }, 'new-key': { type: 'string' } },
  })
  if (values['new-key'] !== undefined) {
    const publicKey = await makeKey(values['new-key'])
    console.log(
      `${values['new-key']} is a new key. Store a copy on another machine: without it nobody can restore an encrypted backup.\n` +
        `A file with its public key is enough to make backups: ${publicKey}`,
    )
    return
  }
  const keep = Number(process.env.BACKUPS_KEPT ?? 14)
  if (!Number.isInteger(keep) || keep < 1)
    throw new UsageError(
      `BACKUPS_KEPT is "${process.env.BACKUPS_KEPT}", but it must be a whole number from 1.`,
    )
  const key = values.key === undefined ? undefined : await readKey(values.key)
  const config = readConfig(process.env)
  becomeOwnerOf(config.dataDir)
  console.log(await makeBackup(config, { keep, at: new Date(), key }))
})
