/**
 * `npm run test:citus [-- FILES]`: runs tests on a distributed PostgreSQL (Citus), started where `../shared/tools/citus` is
 * at hand, or by the program that CITUS_START names: `start FOLDER PORT` prints the coordinator's address, `start FOLDER
 * stop` ends it. Elsewhere it says that the tests are skipped. `-- all`, or no files: the whole server's suite and what
 * happens to its machines.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, installWithApt, node, root, run } from './prepare.mjs'

/** What `npm run test:all` runs, in about a minute: every statement of storage, changes, and what races on several machines. */
export const ESSENTIAL = [
  'src/server/storage',
  'src/server/database/several/distribute.test.ts',
  'tests/server/operator-groups.test.ts',
  'tests/server/stale-responses.test.ts',
  'tests/citus/lost-worker.test.ts',
]
const ALL = [
  'src/server',
  'tests/server',
  'tests/attack/group-deadlocks.test.ts',
  'tests/attack/nights-deletion-race.test.ts',
  'tests/citus',
]
/** Files that cannot hold on several machines, and why; single tests say so themselves. */
const NOT_THERE = {
  'src/server/database/migrations.test.ts': 'it makes and changes tables, which are distributed afterwards',
  'tests/server/backup.test.ts': 'backups there are in tests/citus/backup.test.ts',
  'tests/server/migrate-to-postgres.test.ts':
    'a move needs an empty PostgreSQL, which is distributed afterwards',
  'tests/server/mode.test.ts': 'it compares tables as text, and rows of several machines come in any order',
}

/** Tests that stop machines, add some, or have machines of their own. */
const MACHINES = 'tests/citus'
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
    if (files === ALL) settings.push("log_statement = 'all'")
    await configure(url, settings)
    const env = { ...environment(), TEST_CITUS_URL: url }
    const [machines, others] = [true, false].map((is) =>
      files.filter((file) => file.startsWith(MACHINES) === is),
    )
    for (const [file, why] of Object.entries(NOT_THERE)) console.log(`not on Citus: ${file} (${why})`)
    env.TEST_EXCLUDED = Object.keys(NOT_THERE).join()
    if (others.length > 0) run(vitest, ['run', '--project', 'server', ...others], { env })
    // One after the other, because they start and stop machines.
    if (machines.length > 0)
      run(vitest, ['run', '--project', 'server', '--no-file-parallelism', ...machines], {
        env: { ...env, TEST_CITUS_FOLDER: folder, CITUS_START: start },
      })
    if (files === ALL) await explainStatements(url, join(folder, '0.log'))
    return undefined
  } finally {
    execFileSync(start, [folder, 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The coordinator's address, or the reason why it cannot be started on this machine. */
function started(start, folder, port, again = false) {
  const { status, stdout, stderr } = spawnSync(start, [folder, String(port)], { encoding: 'utf8' })
  if (status === 0) return { url: stdout.trim() }
  // The extension may need a newer PostgreSQL of the same major version than the one that is installed.
  if (!again && installWithApt('postgresql-15')) {
    execFileSync(start, [folder, 'stop'])
    for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true, force: true })
    return started(start, folder, port, true)
  }
  const log = join(folder, '0.log')
  const fatal = existsSync(log) ? /FATAL: +(.*)/.exec(readFileSync(log, 'utf8'))?.[1] : undefined
  return { reason: `it does not start here: ${fatal ?? stderr.trim().split('\n').at(-1)}` }
}

/** Plans every statement that the tests ran, and writes docs/operate/citus.md; fails where one goes to several shards without a reason. */
async function explainStatements(url, log) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE SCHEMA statements')
  await client.end()
  const distributed = `${url}?options=${encodeURIComponent('-c search_path=statements')}`
  run(node(), [join(root, 'scripts', 'distribute.mjs'), '--database', distributed])
  run(node(), [join(root, 'scripts', 'citus-statements.mjs'), log, distributed])
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
  const skipped = await testOnCitus(files.length > 0 && files[0] !== 'all' ? files : ALL)
  if (skipped) console.log(`Tests on a distributed PostgreSQL are skipped: ${skipped}`)
}
