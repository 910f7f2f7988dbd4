import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/folders.ts'
import { readBackupFile, writeBackupFile } from './backup-file.ts'
import { makeKey, readKey } from './key.ts'

const AT = new Date('2026-11-22T12:00:00Z')
const CHUNK = 256 * 1024
/** Length, content and tag of a full chunk. */
const CHUNK_ON_DISK = 4 + CHUNK + 16

function place() {
  const folder = temporaryFolder('backup-file')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  const newKey = (name: string) => {
    makeKey(path(name))
    return readKey(path(name))
  }
  /** A backup of `content`; returns its bytes. */
  const written = async (content: Buffer, key?: ReturnType<typeof newKey>) => {
    writeFileSync(path('content'), content)
    rmSync(path('b.backup'), { force: true })
    await writeBackupFile(path('content'), path('b.backup'), { key, at: AT })
    return readFileSync(path('b.backup'))
  }
  /** What reading these bytes as a backup gives, or its error. */
  const read = async (bytes: Buffer, key?: ReturnType<typeof newKey>) => {
    writeFileSync(path('changed.backup'), bytes)
    rmSync(path('out'), { force: true })
    return readBackupFile(path('changed.backup'), path('out'), key).then(
      () => readFileSync(path('out')),
      (error: Error) => error.message.replace(path('changed.backup'), 'changed.backup'),
    )
  }
  return { path, newKey, written, read }
}

for (const kind of ['with a checksum', 'encrypted'] as const) {
  const keyFor = ({ newKey }: ReturnType<typeof place>) => (kind === 'encrypted' ? newKey('key') : undefined)

  test(`what was written is read again, ${kind}: nothing, one chunk, and many`, async () => {
    const here = place()
    const key = keyFor(here)
    for (const size of [0, 1, CHUNK, 3 * CHUNK + 1]) {
      const content = randomBytes(size)
      const found = await here.read(await here.written(content, key), key)
      // toEqual compares such buffers byte by byte, which takes seconds.
      expect(Buffer.isBuffer(found) && found.equals(content)).toBe(true)
    }
  })

  test(`a changed bit anywhere is found, ${kind}`, async () => {
    const here = place()
    const key = keyFor(here)
    const bytes = await here.written(randomBytes(10), key)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect([at, await here.read(changed, key)]).toEqual([
        at,
        expect.stringMatching(
          /is damaged|is incomplete|is not a backup|another version|another key|encrypted/,
        ),
      ])
    }
  })

  test(`a file cut off anywhere is found, ${kind}`, async () => {
    const here = place()
    const key = keyFor(here)
    const bytes = await here.written(randomBytes(2 * CHUNK + 100), key)
    const head = bytes.indexOf(10, 20) + 1
    const boundaries = [0, 1, 17, 18, head, head + 4, head + CHUNK_ON_DISK, head + 2 * CHUNK_ON_DISK]
    for (const length of [...boundaries, bytes.length - 1])
      expect([length, await here.read(bytes.subarray(0, length), key)]).toEqual([
        length,
        'changed.backup is incomplete: its end is missing.',
      ])
    expect(await here.read(Buffer.concat([bytes, bytes.subarray(head)]), key)).toBe(
      'changed.backup is damaged: something was added at its end.',
    )
  })

  test(`swapped, repeated and left out chunks are found, and those of another backup, ${kind}`, async () => {
    const here = place()
    const key = keyFor(here)
    const bytes = await here.written(randomBytes(3 * CHUNK + 100), key)
    const other = await here.written(randomBytes(3 * CHUNK + 100), key)
    const start = bytes.indexOf(10, 20) + 1
    const chunkOf = (file: Buffer, n: number) =>
      file.subarray(start + n * CHUNK_ON_DISK, n === 3 ? undefined : start + (n + 1) * CHUNK_ON_DISK)
    const made = (...chunks: Buffer[]) => here.read(Buffer.concat([bytes.subarray(0, start), ...chunks]), key)
    const [a, b, c, d] = [0, 1, 2, 3].map((n) => chunkOf(bytes, n)) as [Buffer, Buffer, Buffer, Buffer]
    expect(await made(a, b, c, d)).toBeInstanceOf(Buffer)
    const damaged = (n: number) => `changed.backup is damaged: chunk ${n} is not as it was written.`
    expect(await made(b, a, c, d)).toBe(damaged(0))
    expect(await made(a, a, c, d)).toBe(damaged(1))
    expect(await made(a, c, d)).toBe(damaged(1))
    expect(await made(a, b, d)).toBe(damaged(2))
    expect(await made(a, chunkOf(other, 1), c, d)).toBe(damaged(1))
  })
}

test('an encrypted backup shows nothing of its content, and needs its own key', async () => {
  const here = place()
  const key = here.newKey('key')
  const content = Buffer.from('who plays what '.repeat(50_000))
  const bytes = await here.written(content, key)
  expect(bytes.includes('plays')).toBe(false)
  expect(await here.read(bytes)).toBe('changed.backup is encrypted; give its key with --key FILE.')
  expect(await here.read(bytes, here.newKey('other'))).toBe(
    `changed.backup was encrypted with another key than the one in ${here.path('other')}.`,
  )
  // Otherwise somebody who can write the folder could put a backup of their own there.
  expect(await here.read(await here.written(content), key)).toBe(
    'changed.backup is not encrypted, but a key was given; without --key it can be restored.',
  )
})

test('the same content is never encrypted to the same bytes', async () => {
  const here = place()
  const key = here.newKey('key')
  const content = randomBytes(1000)
  const [one, two] = [await here.written(content, key), await here.written(content, key)]
  const start = one.indexOf(10, 20) + 1
  expect(one.subarray(start).equals(two.subarray(start))).toBe(false)
})

test('a key is 32 random bytes in a file of its owner, never overwritten, and checked when it is read', () => {
  const { path, newKey } = place()
  const key = newKey('key')
  expect(key.bytes).toHaveLength(32)
  expect(newKey('second').bytes).not.toEqual(key.bytes)
  expect(() => makeKey(path('key'))).toThrow('exists already')
  expect(readKey(path('key'))).toEqual(key)
  writeFileSync(path('short'), 'abc')
  expect(() => readKey(path('short'))).toThrow('is not a key for backups')
  expect(() => readKey(path('missing'))).toThrow('The key cannot be read')
})

test('other files are no backups', async () => {
  const { read } = place()
  expect(await read(Buffer.from('PGDMP'.repeat(1000)))).toBe('changed.backup is not a backup of Shelfmates.')
})
