/** The key that backups are encrypted with: 32 random bytes, as one line of hexadecimal digits in a file. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { StorageError } from '../database/database.ts'

export type BackupKey = { bytes: Buffer; file: string }

/**
 * Makes a new key and stores it in a new file that only its owner can read.
 * @throws StorageError when the file exists or cannot be written
 */
export function makeKey(file: string): void {
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StorageError(
      code === 'EEXIST'
        ? `${file} exists already; a key is never overwritten, because backups may need it.`
        : `The key cannot be written (${message}).`,
      { cause: error },
    )
  }
}

/** @throws StorageError when the file cannot be read or is not a key */
export function readKey(file: string): BackupKey {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StorageError(`The key cannot be read (${(error as Error).message}).`, { cause: error })
  }
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new StorageError(
      `${file} is not a key for backups (one line of 64 hexadecimal digits); npm run backup -- --new-key FILE makes one.`,
    )
  return { bytes: Buffer.from(text, 'hex'), file }
}

/** Tells keys apart, without revealing anything about them. */
export function keyIdOf({ bytes }: BackupKey): string {
  return Buffer.from(hkdfSync('sha256', bytes, '', 'Shelfmates backup key id', 8)).toString('hex')
}
