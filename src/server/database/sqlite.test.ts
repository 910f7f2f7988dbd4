/** The embedded database: its file, damage, and another process that holds it. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshOptions, openForTest } from '../../../tests/support/databases.ts'
import { StorageError } from './database.ts'
import { openDatabase, SQLITE_FILE } from './open.ts'
import { ensurePlayers } from '../storage/players/players.ts'

describe('SQLite', () => {
  test('OPS-20: a new data folder is accessible to its owner only', async () => {
    const options = await freshOptions('sqlite')
    const dataDir = join(options.dataDir, 'new/folder')
    await openForTest({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test.each([
    [
      'a file that is not a database',
      (file: string) => writeFileSync(file, 'x'.repeat(5000)),
      /damaged or not a database/,
    ],
    ['a damaged database', damage, /damaged or not a database/],
    ['a folder in place of the file', (file: string) => mkdirSync(file), /cannot be opened/],
  ])('%s stops the start with one sentence', async (_, spoil, sentence) => {
    const options = await freshOptions('sqlite')
    const first = await openDatabase(options)
    await first.transaction((tx) =>
      ensurePlayers(
        tx,
        Array.from({ length: 5000 }, (_, n) => String(76561197960300000n + BigInt(n))),
      ),
    )
    await first.close()
    const file = join(options.dataDir, SQLITE_FILE)
    if (spoil !== damage) rmSync(file)
    spoil(file)

    const opening = openDatabase(options)
    await expect(opening).rejects.toThrow(StorageError)
    await expect(opening).rejects.toThrow(sentence)
  })
})

/** Overwrites the middle of a database file, where its tables are. */
function damage(file: string, from = 8192): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, from, bytes.length - 4096)
  writeFileSync(file, bytes)
}
