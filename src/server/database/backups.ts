/** Where the backups of a data folder are, and how they are named (docs/operate/backup.md). */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'backups'
/** `2026-11-21T08-45-00-000Z.sqlite.gz`, also `.pgdump.gz`, and `.age` when it is encrypted: sorting by name sorts by age. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z\.(sqlite|pgdump)\.gz(\.age)?$/

export function backupName(at: Date, engine: 'sqlite' | 'postgres', isEncrypted: boolean): string {
  const content = engine === 'sqlite' ? 'sqlite' : 'pgdump'
  return `${at.toISOString().replaceAll(/[:.]/g, '-')}.${content}.gz${isEncrypted ? '.age' : ''}`
}

export function backupsFolderIn(dataDir: string): string {
  return join(dataDir, FOLDER)
}

/** Path of the newest backup in a data folder; undefined when there is none. */
export function newestBackup(dataDir: string): string | undefined {
  return backupsIn(dataDir)[0]
}

/** Paths of all backups in a data folder, the newest first. */
export function backupsIn(dataDir: string): string[] {
  const folder = backupsFolderIn(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NAME.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}
