/** What a start refuses in one sentence: a second server on SQLite, a read-only folder, a Node that is too old. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCK_FILE, openDatabase } from '../../src/server/database/open.ts'
import { runCommand } from '../support/commands.ts'
import { freshOptions } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { runProcess, startProcess } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')

const place = async () => (await freshOptions('sqlite')).env

const secondStart = async (env: Record<string, string>) =>
  runProcess({ ...env, PORT: String(await freePort()), LOG_LEVEL: 'silent' })

const REFUSAL = /A server uses the database in \S+, and SQLite is for one server; [^\n]+\.\n/

test('OPS-43: a second server on one SQLite folder is refused in one sentence', async () => {
  const env = await place()
  const first = await startProcess(env)
  const second = await secondStart(env)
  expect(second.code).toBe(1)
  expect(second.output.replace(REFUSAL, '')).toBe('')
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)

  // Commands use the database beside the server.
  expect(await runCommand('backup', env)).toMatchObject({ code: 0 })
  expect(await secondStart(env)).toMatchObject({ code: 1 })
})

test('OPS-43: the next server starts when one was killed, and while one is just ending', async () => {
  const env = await place()
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const server = await startProcess(env)
    server.child.kill(signal)
    if (signal === 'SIGKILL') await server.exit
  }
  await startProcess(env)
})

test('OPS-43: only one of several simultaneous starts succeeds', async () => {
  const env = await place()
  const children = await Promise.all(
    Array.from({ length: 4 }, () =>
      startProcess(env).then(
        ({ child }) => ({ pid: child.pid, refusal: '' }),
        (error: Error) => ({ pid: undefined, refusal: error.message }),
      ),
    ),
  )
  const started = children.filter(({ pid }) => pid !== undefined)
  expect(started).toHaveLength(1)
  for (const { pid, refusal } of children) if (pid === undefined) expect(refusal).toMatch(REFUSAL)
})

test('OPS-43: a lock file that is damaged is named in one sentence', async () => {
  const env = await place()
  writeFileSync(join(env.DATA_DIR, LOCK_FILE), 'no lock'.repeat(1000))
  const { code, output } = await secondStart(env)
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^\S+shelfmates\.lock cannot be written \(.+\); .+\n$/),
  ])
})

test.skipIf(spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status !== 0)(
  'OPS-12: a data folder on a read-only file system is refused in one sentence',
  async () => {
    const env = await place()
    await (await openDatabase({ dataDir: env.DATA_DIR })).close()
    const startOn = (dataDir: string) => {
      const readOnly = `mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,ro,bind "$DATA_DIR" && exec "$0" "$1"`
      const main = join(ROOT, 'src/server/main.ts')
      return spawnSync(
        'unshare',
        ['--mount', '--map-root-user', 'sh', '-c', readOnly, process.execPath, main],
        { env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', DATA_DIR: dataDir }, encoding: 'utf8' },
      )
    }
    for (const dataDir of [env.DATA_DIR, (await place()).DATA_DIR]) {
      const { status, stdout, stderr } = startOn(dataDir)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^DATA_DIR is "\S+", but it must be a folder that this user may write to \(EROFS: [^\n]+\)\.\n$/,
      )
    }
  },
)

/** Runs a script as an older Node would, which has no TypeScript, on a platform of this name. */
const asOn = (platform: string, version: string) => {
  const changes = `{ const { process: p } = globalThis
    Object.defineProperty(p, 'platform', { value: '${platform}' })
    Object.defineProperty(p, 'versions', { value: { ...p.versions, node: '${version}' } }) }`
  return `--import=data:text/javascript,${encodeURIComponent(changes)}`
}

test.for(['serve', 'backup', 'restore', 'migrate-to-postgres', 'distribute'])(
  'OPS-46: scripts/%s.mjs on a Node that is too old ends with one sentence',
  (name) => {
    const script = join(ROOT, 'scripts', `${name}.mjs`)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-strip-types', asOn(process.platform, '20.20.2'), script],
      { encoding: 'utf8', env: { PATH: process.env.PATH } },
    )
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^Shelfmates needs Node 24 or newer, but this is Node 20\.20\.2 \([^\n]+\); [^\n]+\.\n$/,
    )
  },
)

test('OPS-18: npm start ends it as SIGTERM does on every system', { timeout: 120_000 }, async () => {
  // Before, because npm start would build with the shell of that system.
  const build = `await (await import('./scripts/prepare.mjs')).ensurePages()`
  const clean = { PATH: process.env.PATH }
  const built = spawnSync(process.execPath, ['--input-type=module', '-e', build], { cwd: ROOT, env: clean })
  expect(built.status).toBe(0)
  const env = { ...(await place()), PORT: String(await freePort()), LOG_LEVEL: 'info' }
  const child = spawn(
    process.execPath,
    [asOn('win32', process.versions.node), join(ROOT, 'scripts', 'start.mjs')],
    { env: { ...clean, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()))
  const ended = once(child, 'exit')
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Shelfmates is ready')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(output).toContain('"reason":"the parent process has gone"')
})
