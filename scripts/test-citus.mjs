/**
 * `npm run test:citus [-- FILES]`: runs the tests of storage and server on a distributed PostgreSQL (Citus), started
 * where `../shared/tools/citus` is at hand, or by the program that CITUS_START names: `start FOLDER PORT` prints the
 * coordinator's address, `start FOLDER stop` ends it. Elsewhere it says that the tests are skipped.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, root, run } from './prepare.mjs'

/** What `npm run test:all` runs, in about a minute: every statement of storage, changes, and what races on several machines. */
export const ESSENTIAL = [
  'src/server/storage',
  'src/server/database/several/distribute.test.ts',
  'tests/server/stale-responses.test.ts',
]
const ALL = [
  'src/server',
  'tests/server',
  'tests/attack/group-deadlocks.test.ts',
  'tests/attack/nights-deletion-race.test.ts',
]

const vitest = join(root, 'node_modules', '.bin', 'vitest')

/** Runs test files on Citus, and then those that stop machines of it; returns why they are skipped, where it cannot. */
export async function testOnCitus(files) {
  const start = process.env.CITUS_START ?? join(root, '..', 'shared', 'tools', 'citus', 'start')
  if (!existsSync(start)) {
    return `there is no ${start} (CITUS_START)`
  }
  const folder = mkdtempSync(join(tmpdir(), 'shelfmates-citus-'))
  try {
    const { url, reason } = started(start, folder, await freePorts())
    if (reason) return reason
    const settings = [
      // Nothing outlives the run. Commits are still written before they are acknowledged, because a machine is crashed.
      'fsync = off',
      'full_page_writes = off',
      // What docs/operate/several-servers.md recommends is five seconds.
      "citus.recover_2pc_interval = '1s'",
    ]
    await configure(url, settings)
    const env = { ...environment(), TEST_CITUS_URL: url }
    run(vitest, ['run', '--project', 'server', ...files], { env })
    run(vitest, ['run', '--project', 'server', 'tests/citus'], { env: { ...env, TEST_CITUS_FOLDER: folder } })
    return undefined
  } finally {
    execFileSync(start, [folder, 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The coordinator's address, or the reason why it cannot be started on this machine. */
function started(start, folder, port) {
  const { status, stdout, stderr } = spawnSync(start, [folder, String(port)], { encoding: 'utf8' })
  if (status === 0) return { url: stdout.trim() }
  return { reason: `it does not start here: ${stderr.trim().split('\n').at(-1)}` }
}

/** Changes settings of the three machines, whose ports follow each other. */
async function configure(url, settings) {
  const { default: pg } = await import('pg')
  for (const nth of [0, 1, 2]) {
    const machine = new URL(url)
    machine.port = String(Number(machine.port) + nth)
    const client = new pg.Client({ connectionString: machine.href })
    await client.connect()
    for (const setting of settings) await client.query(`ALTER SYSTEM SET ${setting}`)
    await client.query('SELECT pg_reload_conf()')
    await client.end()
  }
}

/** The first of three neighbouring ports that are free. */
async function freePorts() {
  for (let first = 5900; first < 6000; first += 10)
    if ((await Promise.all([0, 1, 2].map((nth) => isFree(first + nth)))).every(Boolean)) return first
  throw new Error('no ports are free for a distributed PostgreSQL')
}

function isFree(port) {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

if (process.argv[1] === import.meta.filename) {
  const files = process.argv.slice(2)
  const skipped = await testOnCitus(files.length > 0 ? files : ALL)
  if (skipped) console.log(`Tests on a distributed PostgreSQL are skipped: ${skipped}`)
}
