/** Key files of backups, as `age-keygen` writes them: a line with an identity (secret) or a recipient (public). */
import { readFileSync, writeFileSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { StorageError } from '../database/database.ts'

/** Recipients encrypt, identities decrypt. Each identity is a recipient too. */
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
