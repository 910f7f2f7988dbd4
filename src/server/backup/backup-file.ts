/**
 * A backup file (OPS-27, OPS-28): a SQLite file or an archive of pg_dump, compressed by gzip, and encrypted in the age
 * format if there is a key. Other programs read it: `age -d`, `gunzip`, `sqlite3`, `pg_restore`.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { StorageError } from '../database/database.ts'
import type { BackupKey } from './key.ts'

/** What is in a backup. */
export type Kind = 'sqlite' | 'postgres'
type Bytes = AsyncIterable<Uint8Array>

/** First bytes of the formats. */
const STARTS = {
  age: 'age-encryption.org/v1\n',
  gzip: '\x1f\x8b',
  sqlite: 'SQLite format 3\0',
  postgres: 'PGDMP',
} as const
const START_BYTES = 32

/**
 * Writes `content` as backup file `target`, which must not exist, flushes it to the disk, reads it again and compares.
 * @throws StorageError when what is read differs
 */
export async function writeBackupFile(
  content: Bytes,
  target: string,
  key: BackupKey | undefined,
): Promise<void> {
  const written = createHash('sha256')
  await pipeline(
    content,
    // The fastest level: the server needs the processor too.
    createGzip({ level: 1 }),
    (source: Bytes) => (key ? encrypted(source, key) : source),
    async function* (source: Bytes) {
      for await (const part of source) {
        written.update(part)
        yield part
      }
    },
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const found = createHash('sha256')
  for await (const part of createReadStream(target)) found.update(part as Buffer)
  if (!written.digest().equals(found.digest()))
    throw new StorageError(`The backup ${target} differs from what was written; the disk may be failing.`)
}

/**
 * Writes the content of the backup `file` to the new file `target`, and says what it is. Takes SQLite files and archives of
 * pg_dump that are not compressed, too.
 * @throws StorageError when it is no backup, is damaged or incomplete, or needs another key
 */
export async function readBackupFile(
  file: string,
  target: string,
  key: BackupKey | undefined,
): Promise<Kind> {
  const isEncrypted = (await startOf(file)).startsWith(STARTS.age)
  if (isEncrypted && !key) throw new StorageError(`${file} is encrypted; give its key with --key FILE.`)
  // Otherwise somebody who can write to the folder could put a backup of their own there.
  if (!isEncrypted && key)
    throw new StorageError(`${file} is not encrypted, but a key was given; without --key it can be restored.`)
  const content = (): Bytes => (key ? decrypted(createReadStream(file), key, file) : createReadStream(file))
  try {
    const isCompressed = (await firstOf(content())).startsWith(STARTS.gzip)
    await pipeline(
      content(),
      isCompressed ? createGunzip() : new PassThrough(),
      createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
    )
  } catch (error) {
    if (error instanceof StorageError || isOfTheDisk(error)) throw error
    throw new StorageError(`${file} is damaged or incomplete (${(error as Error).message}).`, {
      cause: error,
    })
  }
  const start = await startOf(target)
  if (start.startsWith(STARTS.sqlite)) return 'sqlite'
  if (start.startsWith(STARTS.postgres)) return 'postgres'
  throw new StorageError(`${file} is not a backup of Shelfmates.`)
}

async function* encrypted(source: Bytes, key: BackupKey): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of key.recipients) encrypter.addRecipient(recipient)
  yield* await encrypter.encrypt(asWebStream(source))
}

function asWebStream(source: Bytes): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source)) as ReadableStream<Uint8Array>
}

async function* decrypted(source: Bytes, key: BackupKey, file: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  for (const identity of key.identities) decrypter.addIdentity(identity)
  let content: Bytes
  try {
    content = await decrypter.decrypt(asWebStream(source))
  } catch (error) {
    const { message } = error as Error
    throw new StorageError(
      message.startsWith('no identity matched')
        ? `${file} was encrypted with another key than the one in ${key.file}.`
        : `${file} is damaged or incomplete (${message}).`,
      { cause: error },
    )
  }
  yield* content
}

async function firstOf(content: Bytes): Promise<string> {
  for await (const part of content) return Buffer.from(part.subarray(0, START_BYTES)).toString('latin1')
  return ''
}

/** @throws StorageError when the file cannot be read */
async function startOf(file: string): Promise<string> {
  try {
    const input = await open(file)
    try {
      const { buffer, bytesRead } = await input.read(Buffer.alloc(START_BYTES), 0, START_BYTES)
      return buffer.toString('latin1', 0, bytesRead)
    } finally {
      await input.close()
    }
  } catch (error) {
    throw new StorageError(`The backup ${file} cannot be read (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

/** Whether a file could not be read or written, for which what it contains is not to blame. */
function isOfTheDisk(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined
}
