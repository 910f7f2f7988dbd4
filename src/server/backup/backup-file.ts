/**
 * The format of a backup file (OPS-27, OPS-28): two lines of text, then the compressed content in chunks. Each chunk ends
 * with an authentication tag (AES-256-GCM) if the file is encrypted, and else with a checksum. Both depend on the two
 * lines, on the chunk's number and on whether it is the last one, so changed, swapped, missing and added chunks are found.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StorageError } from '../database/database.ts'
import { type BackupKey, keyIdOf } from './key.ts'

const FIRST_LINE = 'Shelfmates backup\n'
/** First bytes of a SQLite file: backups of earlier versions, and copies made by other tools. */
const SQLITE_START = 'SQLite format 3\0'
const FORMAT = 1
const HEAD_MAX = 4096
const CHUNK_BYTES = 256 * 1024
const TAG_BYTES = 16
const NONCE_BYTES = 12
/** Bit of a chunk's length that says it is the last one. */
const LAST = 0x8000_0000

/** The second line, as JSON. */
type Head = {
  format: number
  /** When it was made, as ISO time. */
  made: string
  cipher: 'aes-256-gcm' | 'none'
  /** Tells keys apart; null when the file is not encrypted. */
  key_id: string | null
  /** Makes the key of each file another one, so that numbering the chunks is safe. */
  salt: string
}

/** Computes the tag of a chunk, and encrypts or decrypts its bytes. */
type Seal = {
  close(content: Buffer, nonce: Buffer): { bytes: Buffer; tag: Buffer }
  /** Undefined when the tag is wrong. */
  open(bytes: Buffer, nonce: Buffer, tag: Buffer): Buffer | undefined
}

/**
 * Writes the file `content` as backup file `target`, which must not exist, flushes it to the disk, reads it again and
 * compares.
 * @throws StorageError when what is read differs
 */
export async function writeBackupFile(
  content: string,
  target: string,
  { key, at }: { key: BackupKey | undefined; at: Date },
): Promise<void> {
  const head = headOf(key, at)
  const written = createHash('sha256')
  await pipeline(
    createReadStream(content),
    async function* (source: AsyncIterable<Buffer>) {
      for await (const part of source) {
        written.update(part)
        yield part
      }
    },
    // The fastest level: the server needs the processor too.
    createGzip({ level: 1 }),
    (source) => sealed(source as AsyncIterable<Buffer>, head, key),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const found = createHash('sha256')
  await readContent(target, key, async (parts) => {
    for await (const part of parts) found.update(part)
  })
  if (!written.digest().equals(found.digest()))
    throw new StorageError(`The backup ${target} differs from what was written; the disk may be failing.`)
}

/**
 * Writes the content of the backup `file` to the new file `target`. Takes SQLite files too, as they are.
 * @throws StorageError when it is no backup, is damaged or incomplete, or needs another key
 */
export async function readBackupFile(
  file: string,
  target: string,
  key: BackupKey | undefined,
): Promise<void> {
  await readContent(file, key, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
}

/** Passes on the content of a backup file as it was before compression. */
async function readContent(
  file: string,
  key: BackupKey | undefined,
  sink: NodeJS.WritableStream | ((parts: AsyncIterable<Buffer>) => Promise<void>),
): Promise<void> {
  if (!(await isSqlite(file))) return pipeline(unsealed(file, key), createGunzip(), sink)
  if (key) throw notEncrypted(file)
  await pipeline(createReadStream(file), sink)
}

function headOf(key: BackupKey | undefined, at: Date): Buffer {
  const head: Head = {
    format: FORMAT,
    made: at.toISOString(),
    cipher: key ? 'aes-256-gcm' : 'none',
    key_id: key ? keyIdOf(key) : null,
    salt: randomBytes(32).toString('hex'),
  }
  return Buffer.from(`${FIRST_LINE}${JSON.stringify(head)}\n`)
}

async function* sealed(
  source: AsyncIterable<Buffer>,
  head: Buffer,
  key: BackupKey | undefined,
): AsyncGenerator<Buffer> {
  const seal = key ? encrypting(head, key) : checking(head)
  yield head
  let number = 0
  const chunk = (content: Buffer, isLast: boolean) => {
    const { bytes, tag } = seal.close(content, nonceOf(number++, isLast))
    const length = Buffer.alloc(4)
    length.writeUInt32BE((isLast ? LAST : 0) + bytes.length)
    return Buffer.concat([length, bytes, tag])
  }
  let waiting = Buffer.alloc(0)
  for await (const part of source) {
    waiting = Buffer.concat([waiting, part])
    while (waiting.length > CHUNK_BYTES) {
      yield chunk(waiting.subarray(0, CHUNK_BYTES), false)
      waiting = waiting.subarray(CHUNK_BYTES)
    }
  }
  yield chunk(waiting, true)
}

async function* unsealed(file: string, key: BackupKey | undefined): AsyncGenerator<Buffer> {
  const input = await open(file)
  try {
    const head = await readHead(file, (bytes) => read(bytes))
    checkKey(file, head.head, key)
    const seal = key ? encrypting(head.bytes, key) : checking(head.bytes)
    for (let number = 0, isLast = false; !isLast; number++) {
      const length = (await read(4)).readUInt32BE()
      isLast = length >= LAST
      const size = length % LAST
      if (size > CHUNK_BYTES) throw damaged(file, number)
      const bytes = await read(size)
      const content = seal.open(bytes, nonceOf(number, isLast), await read(TAG_BYTES))
      if (!content) throw damaged(file, number)
      yield content
    }
    const { bytesRead } = await input.read(Buffer.alloc(1))
    if (bytesRead > 0) throw new StorageError(`${file} is damaged: something was added at its end.`)
  } finally {
    await input.close()
  }

  /** Reads exactly so many bytes. */
  async function read(size: number): Promise<Buffer> {
    const bytes = Buffer.alloc(size)
    for (let length = 0; length < size;) {
      const { bytesRead } = await input.read(bytes, length, size - length)
      if (bytesRead === 0) throw new StorageError(`${file} is incomplete: its end is missing.`)
      length += bytesRead
    }
    return bytes
  }
}

async function readHead(
  file: string,
  read: (size: number) => Promise<Buffer>,
): Promise<{ head: Head; bytes: Buffer }> {
  const parts: Buffer[] = []
  for (let lines = 0; lines < 2;) {
    if (parts.length === HEAD_MAX) throw noBackup(file)
    const byte = await read(1)
    parts.push(byte)
    if (byte[0] === 10) lines++
    if (parts.length === FIRST_LINE.length && Buffer.concat(parts).toString() !== FIRST_LINE)
      throw noBackup(file)
  }
  const bytes = Buffer.concat(parts)
  try {
    const head = JSON.parse(bytes.subarray(FIRST_LINE.length).toString()) as Head
    if (head.format !== FORMAT)
      throw new StorageError(`${file} was made by another version of Shelfmates (format ${head.format}).`)
    return { head, bytes }
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError(`${file} is damaged: its second line cannot be read.`, { cause: error })
  }
}

function checkKey(file: string, head: Head, key: BackupKey | undefined): void {
  if (head.cipher === 'none') {
    if (key) throw notEncrypted(file)
  } else if (!key) throw new StorageError(`${file} is encrypted; give its key with --key FILE.`)
  else if (head.key_id !== keyIdOf(key))
    throw new StorageError(`${file} was encrypted with another key than the one in ${key.file}.`)
}

function notEncrypted(file: string): StorageError {
  return new StorageError(`${file} is not encrypted, but a key was given; without --key it can be restored.`)
}

function noBackup(file: string): StorageError {
  return new StorageError(`${file} is not a backup of Shelfmates.`)
}

function damaged(file: string, number: number): StorageError {
  return new StorageError(`${file} is damaged: chunk ${number} is not as it was written.`)
}

async function isSqlite(file: string): Promise<boolean> {
  let input: FileHandle | undefined
  try {
    input = await open(file)
    const start = Buffer.alloc(SQLITE_START.length)
    await input.read(start)
    return start.toString('latin1') === SQLITE_START
  } catch (error) {
    throw new StorageError(`The backup ${file} cannot be read (${(error as Error).message}).`, {
      cause: error,
    })
  } finally {
    await input?.close()
  }
}

/** Differs for each chunk, and for the last one: it is never used twice with the key of a file. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(number)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

function encrypting(head: Buffer, key: BackupKey): Seal {
  const salt = createHash('sha256').update(head).digest()
  const fileKey = Buffer.from(hkdfSync('sha256', key.bytes, salt, 'Shelfmates backup chunks', 32))
  return {
    close: (content, nonce) => {
      const cipher = createCipheriv('aes-256-gcm', fileKey, nonce)
      const bytes = Buffer.concat([cipher.update(content), cipher.final()])
      return { bytes, tag: cipher.getAuthTag() }
    },
    open: (bytes, nonce, tag) => {
      const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}

function checking(head: Buffer): Seal {
  const tagOf = (content: Buffer, nonce: Buffer) =>
    createHash('sha256').update(head).update(nonce).update(content).digest().subarray(0, TAG_BYTES)
  return {
    close: (content, nonce) => ({ bytes: content, tag: tagOf(content, nonce) }),
    open: (bytes, nonce, tag) => (tagOf(bytes, nonce).equals(tag) ? bytes : undefined),
  }
}
