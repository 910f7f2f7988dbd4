/** `npm run restore -- FILE`: restores a backup into DATA_DIR, or into the database at DATABASE_URL. */
import { becomeOwnerOf, readArguments, runCommand, UsageError } from './command.mjs'

// Static imports would be loaded before command.mjs checks Node's version.
const { openBackup, readKey } = await import('../src/server/backup/backup-file.ts')
const { restoreBackup } = await import('../src/server/backup/restore.ts')
const { readConfig } = await import('../src/server/config.ts')
const { newestBackup } = await import('../src/server/database/backups.ts')

const USAGE = `npm run restore -- FILE [--key FILE]
  Restores a backup into DATA_DIR, or into the database at DATABASE_URL. Stop the server first.
  A database that is there already is kept aside. Restore only files whose origin you know.
  --key FILE  the secret key of an encrypted backup`

await runCommand('restore', async () => {
  const { values, positionals } = readArguments(USAGE, {
    options: { key: { type: 'string' } },
    allowPositionals: true,
  })
  const config = readConfig(process.env)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) {
    const newest = newestBackup(config.dataDir)
    throw new UsageError(`${USAGE}${newest === undefined ? '' : `\n\nThe newest backup is ${newest}`}`)
  }
  const key = values.key === undefined ? undefined : await readKey(values.key)
  const backup = await openBackup(file)
  becomeOwnerOf(config.dataDir)
  const { target, aside } = await restoreBackup(config, backup, { key, at: new Date() })
  const before = aside === undefined ? '' : ` What was there before is in ${aside}.`
  console.log(`${file} is restored to ${target}.${before} Now start the server.`)
  if (key)
    console.log(
      'The encryption shows that it was not changed since it was made. It does not show who made it: anyone with the public ' +
        'key can make a backup.',
    )
})
