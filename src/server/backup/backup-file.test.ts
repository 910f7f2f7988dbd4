import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/folders.ts'
import { makeKey, openBackup, readBackupFile, readKey, writeBackupFile } from './backup-file.ts'

/** Length of a chunk in the age format, with its tag. */
const CHUNK = 64 * 1024 + 16
const START = Buffer.from('SQLite format 3\0')

function place() {
  const folder = temporaryFolder('backup-file')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  const newKey = async (name: string) => {
    await makeKey(path(name))
    return readKey(path(name))
  }
  type Key = Awaited<ReturnType<typeof newKey>>
  /** A backup of `content`; returns its bytes. */
  const written = async (content: Buffer, key?: Key) => {
    writeFileSync(path('content'), content)
    rmSync(path('backup'), { force: true })
    await writeBackupFile(createReadStream(path('content')), path('backup'), key)
    return readFileSync(path('backup'))
  }
  /** What reading these bytes as a backup gives, or its error. */
  const read = async (bytes: Buffer, key?: Key) => {
    writeFileSync(path('changed'), bytes)
    rmSync(path('out'), { force: true })
    const backup = await openBackup(path('changed'))
    return readBackupFile(backup, path('out'), key).then(
      () => readFileSync(path('out')),
      (error: Error) => error.message.replace(path('changed'), 'changed'),
    )
  }
  return { path, newKey, written, read }
}

/** Content of a SQLite file, as far as backups look at it. */
const contentOf = (size: number) => Buffer.concat([START, randomBytes(size)])
const REFUSED = /is damaged or incomplete|is not a backup|is not encrypted|is encrypted|another key/

for (const kind of ['compressed', 'encrypted'] as const) {
  const keyFor = ({ newKey }: ReturnType<typeof place>) => (kind === 'encrypted' ? newKey('key') : undefined)

  test(`what was written is read again, ${kind}: little, one chunk, and many`, async () => {
    const here = place()
    const key = await keyFor(here)
    for (const size of [0, 1, CHUNK, 3 * CHUNK + 1]) {
      const content = contentOf(size)
      const found = await here.read(await here.written(content, key), key)
      // toEqual compares such buffers byte by byte, which takes seconds.
      expect(Buffer.isBuffer(found) && found.equals(content)).toBe(true)
    }
  })

  test(`OPS-28: a changed bit never gives other content, ${kind}`, async () => {
    const here = place()
    const key = await keyFor(here)
    const content = contentOf(10)
    const bytes = await here.written(content, key)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      const found = await here.read(changed, key)
      // Some bits of gzip's header, such as its time, mean nothing.
      if (typeof found === 'string') expect([at, found]).toEqual([at, expect.stringMatching(REFUSED)])
      else expect([at, found.equals(content)]).toEqual([at, true])
    }
  })

  test(`OPS-28: a file cut off anywhere is found, ${kind}`, async () => {
    const here = place()
    const key = await keyFor(here)
    const bytes = await here.written(contentOf(2 * CHUNK + 100), key)
    const body = bytes.length % CHUNK
    for (const length of [0, 1, 17, 40, body, body + CHUNK, body + CHUNK + 1, bytes.length - 1])
      expect([length, await here.read(bytes.subarray(0, length), key)]).toEqual([
        length,
        expect.stringMatching(REFUSED),
      ])
  })
}

test('OPS-28: an encrypted backup shows nothing of its content, and needs its own key', async () => {
  const here = place()
  const key = await here.newKey('key')
  const content = Buffer.concat([START, Buffer.from('who plays what '.repeat(50_000))])
  const bytes = await here.written(content, key)
  expect(bytes.includes('plays')).toBe(false)
  expect(await here.read(bytes)).toBe('changed is encrypted; give its key with --key FILE.')
  expect(await here.read(bytes, await here.newKey('other'))).toBe(
    `changed was encrypted with another key than the one in ${here.path('other')}.`,
  )
  expect(await here.read(await here.written(content), key)).toBe(
    'changed is not encrypted, but a key was given; without --key it can be restored.',
  )
})

test('OPS-28: a pipe, folder or device is refused at once', async () => {
  const { path } = place()
  execFileSync('mkfifo', [path('pipe')])
  for (const name of [path('pipe'), path('.'), '/dev/zero'])
    await expect(openBackup(name)).rejects.toThrow(`The backup ${name} cannot be read (not a file).`)
})

test('OPS-28: a public key alone makes backups, which its secret key opens', async () => {
  const here = place()
  const key = await here.newKey('key')
  writeFileSync(here.path('public'), `${key.recipients[0]}\n`)
  const content = contentOf(100)
  const bytes = await here.written(content, await readKey(here.path('public')))
  expect(await here.read(bytes, key)).toEqual(content)
})

test.skipIf(!hasProgram('age'))('OPS-28: age opens a backup, which takes a key of age-keygen', async () => {
  const here = place()
  const content = contentOf(3 * CHUNK)
  await here.newKey('key')
  execFileSync('age-keygen', ['-o', here.path('theirs')], { stdio: 'ignore' })
  for (const name of ['key', 'theirs']) {
    await here.written(content, await readKey(here.path(name)))
    const opened = execFileSync('age', ['-d', '-i', here.path(name), here.path('backup')], {
      maxBuffer: 2 ** 20,
    })
    expect(gunzipSync(opened).equals(content)).toBe(true)
  }
})

test('a key is never overwritten, and checked when it is read', async () => {
  const { path, newKey } = place()
  const key = await newKey('key')
  expect((await newKey('second')).identities).not.toEqual(key.identities)
  await expect(makeKey(path('key'))).rejects.toThrow('exists already')
  expect(await readKey(path('key'))).toEqual(key)
  for (const text of ['abc', 'AGE-SECRET-KEY-1ABC', '', '# a comment'])
    await expect((writeFileSync(path('bad'), text), readKey(path('bad')))).rejects.toThrow(
      'is not a key for backups',
    )
  await expect(readKey(path('missing'))).rejects.toThrow('The key cannot be read')
})

test('OPS-28: other files are no backups, which is seen before anything is unpacked', async () => {
  const { path, read } = place()
  const other = Buffer.from('Shelfmates'.repeat(1000))
  for (const bytes of [other, gzipSync(other), gzipSync(Buffer.alloc(2 ** 20))]) {
    expect(await read(bytes)).toBe('changed is not a backup of Shelfmates.')
    expect(existsSync(path('out'))).toBe(false)
  }
})

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
