/**
 * A backup file (OPS-28): a SQLite file or an archive of pg_dump, compressed by gzip, and encrypted in the age format if
 * there is a key. Other programs read it: `age -d`, `gunzip`, `sqlite3`, `pg_restore`.
 */
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { StorageError } from '../database/database.ts'

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
    // Opening a pipe would wait for who writes into it.
    if (!(await stat(name)).isFile()) throw new Error('not a file')
    return { name, file: await open(name) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StorageError(
      code === 'ENOENT' ? `There is no backup ${name}.` : `The backup ${name} cannot be read (${message}).`,
      { cause: error },
    )
  }
}

/**
 * Writes the content of a backup to the new file `target`, and says what it is. Looks at its first bytes before it writes
 * any. Takes SQLite files and archives of pg_dump that are not compressed, too.
 * @throws StorageError when it is no backup, is damaged or incomplete, or needs another key
 */
export async function readBackupFile(
  { name, file }: OpenBackup,
  target: string,
  key: BackupKey | undefined,
): Promise<Kind> {
  let kind: Kind | undefined
  try {
    const whole = await peeked(file.createReadStream())
    const isEncrypted = whole.start.startsWith(STARTS.age)
    if (isEncrypted && !key) throw new StorageError(`${name} is encrypted; give its key with --key FILE.`)
    // Otherwise a file that anyone may have written would be taken for one of those that only the key opens.
    if (!isEncrypted && key)
      throw new StorageError(
        `${name} is not encrypted, but a key was given; without --key it can be restored.`,
      )
    const content = key ? await peeked(decrypted(whole.bytes, key, name)) : whole
    const isCompressed = content.start.startsWith(STARTS.gzip)
    await pipeline(
      content.bytes,
      isCompressed ? createGunzip() : new PassThrough(),
      async (unpacked: Bytes) => {
        const { start, bytes } = await peeked(unpacked)
        kind = (['sqlite', 'postgres'] as const).find((each) => start.startsWith(STARTS[each]))
        if (!kind) throw new StorageError(`${name} is not a backup of Shelfmates.`)
        const output = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true })
        await pipeline(bytes, output)
      },
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
  return kind!
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

/** The first bytes of a stream, and the whole of it. */
async function peeked(source: Bytes): Promise<{ start: string; bytes: Bytes }> {
  const iterator = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < START_BYTES) {
    const next = await iterator.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  async function* bytes() {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { start: head.toString('latin1', 0, START_BYTES), bytes: bytes() }
}

/**
 * The content of a key file, as `age-keygen` writes it: lines with identities (secret) or recipients (public). Recipients
 * encrypt, identities decrypt. Each identity is a recipient too.
 */
export type BackupKey = { recipients: string[]; identities: string[]; file: string }

/**
 * Makes a new identity and stores it in a new file that only its owner can read. Returns its recipient.
 * @throws StorageError when the file exists or cannot be written
 */
export async function makeKey(file: string): Promise<string> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  try {
    writeFileSync(file, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600, flush: true })
    return recipient
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
export async function readKey(file: string): Promise<BackupKey> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new StorageError(`The key cannot be read (${(error as Error).message}).`, { cause: error })
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  const recipients = lines.filter((line) => line.startsWith('age1'))
  if (lines.length === 0 || lines.length > identities.length + recipients.length) throw noKey(file)
  try {
    for (const identity of identities) recipients.push(await identityToRecipient(identity))
  } catch (error) {
    throw noKey(file, error)
  }
  return { recipients, identities, file }
}

function noKey(file: string, cause?: unknown): StorageError {
  return new StorageError(
    `${file} is not a key for backups (a line that begins with AGE-SECRET-KEY or age1); ` +
      'npm run backup -- --new-key FILE makes one.',
    { cause },
  )
}
