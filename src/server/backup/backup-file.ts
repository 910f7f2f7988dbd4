/**
 * A backup file (OPS-28): a SQLite file or an archive of pg_dump, compressed by gzip, and encrypted in the age format if
 * there is a key. Other programs read it: `age -d`, `gunzip`, `sqlite3`, `pg_restore`.
 */
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { StorageError } from '../database/database.ts'
import type { BackupKey } from './key.ts'

/** What is in a backup. */
export type Kind = 'sqlite' | 'postgres'
/** A backup that is open for reading. */
export type OpenBackup = { name: string; file: FileHandle }
type Bytes = AsyncIterable<Uint8Array>

/** First bytes of the formats. */
const STARTS = {
  age: 'age-encryption.org/v1\n',
  gzip: '\x1f\x8b',
  sqlite: 'SQLite format 3\0',
  postgres: 'PGDMP',
} as const
const START_BYTES = 32

/** Writes `content` as backup file `target`, which must not exist, and flushes it to the disk. */
export async function writeBackupFile(
  content: Bytes,
  target: string,
  key: BackupKey | undefined,
): Promise<void> {
  await pipeline(
    content,
    // The fastest level: the server needs the processor too.
    createGzip({ level: 1 }),
    (source: Bytes) => (key ? encrypted(source, key) : source),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  )
}

/** @throws StorageError when there is no such file, or it cannot be read */
export async function openBackup(name: string): Promise<OpenBackup> {
  try {
    const file = await open(name)
    // A folder can be opened, but not read.
    await file.read(Buffer.alloc(1), 0, 1, 0)
    return { name, file }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StorageError(
      code === 'ENOENT' ? `There is no backup ${name}.` : `The backup ${name} cannot be read (${message}).`,
      { cause: error },
    )
  }
}

/**
 * Writes the content of a backup to the new file `target`, and says what it is. Takes SQLite files and archives of pg_dump
 * that are not compressed, too.
 * @throws StorageError when it is no backup, is damaged or incomplete, or needs another key
 */
export async function readBackupFile(
  { name, file }: OpenBackup,
  target: string,
  key: BackupKey | undefined,
): Promise<Kind> {
  try {
    const start = await startOf(file)
    const isEncrypted = start.startsWith(STARTS.age)
    if (isEncrypted && !key) throw new StorageError(`${name} is encrypted; give its key with --key FILE.`)
    // Otherwise a file that anyone may have written would be taken for one of those that only the key opens.
    if (!isEncrypted && key)
      throw new StorageError(
        `${name} is not encrypted, but a key was given; without --key it can be restored.`,
      )
    await pipeline(
      file.createReadStream({ start: 0, autoClose: false }),
      (source: Bytes) => (key ? decrypted(source, key, name) : source),
      isEncrypted || start.startsWith(STARTS.gzip) ? createGunzip() : new PassThrough(),
      createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
    )
  } catch (error) {
    // A file that could not be read or written is no fault of what it contains.
    if (error instanceof StorageError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new StorageError(`${name} is damaged or incomplete (${(error as Error).message}).`, {
      cause: error,
    })
  } finally {
    await file.close()
  }
  const unpacked = await open(target)
  const start = await startOf(unpacked).finally(() => unpacked.close())
  const kind = (['sqlite', 'postgres'] as const).find((each) => start.startsWith(STARTS[each]))
  if (!kind) throw new StorageError(`${name} is not a backup of Shelfmates.`)
  return kind
}

async function startOf(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
  return buffer.toString('latin1', 0, bytesRead)
}

async function* encrypted(source: Bytes, key: BackupKey): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of key.recipients) encrypter.addRecipient(recipient)
  yield* await encrypter.encrypt(asWebStream(source))
}

function asWebStream(source: Bytes): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source)) as ReadableStream<Uint8Array>
}

async function* decrypted(source: Bytes, key: BackupKey, name: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  for (const identity of key.identities) decrypter.addIdentity(identity)
  let content: Bytes
  try {
    content = await decrypter.decrypt(asWebStream(source))
  } catch (error) {
    if (!(error as Error).message.startsWith('no identity matched')) throw error
    throw new StorageError(`${name} was encrypted with another key than the one in ${key.file}.`, {
      cause: error,
    })
  }
  yield* content
}
