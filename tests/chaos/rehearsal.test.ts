/**
 * A year of an installation in minutes (OPS-53): people sign in, write and sync while the operator upgrades, goes back, fills
 * the disk, loses the machine, moves to PostgreSQL and starts a second server. The ledger at the end counts what clients were
 * told, and what is there. `npm run rehearse` runs it alone.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, cpSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { runCommand } from '../support/commands.ts'
import { freshDatabaseOptions } from '../support/databases.ts'
import { temporaryFolder } from '../support/folders.ts'
import { freePort } from '../support/postgres.ts'
import { previousRelease } from '../support/previous-release.ts'
import { startProcess } from '../support/process.ts'
import { signInAt } from '../support/sign-in.ts'
import { brokenInvariants } from './invariants.ts'
import { createLedger, known } from './ledger.ts'
import { lost, signInWriters, type Writer, writesOf, writeUntil } from './mixed-writes.ts'

const KEY = 'rehearsal-key-0123456789'
const SHIFTED = join(import.meta.dirname, '../support/shifted-clock.ts')
const MONTH_MS = 30 * 86_400_000
/** The month that is this one; the year begins eleven months ago, so that PostgreSQL, whose clock nobody moves, fits in. */
const LAST_MONTH = 11
const WRITERS = 3
/** Acknowledged writes of each month. */
const WRITES = 40
const DISK_MB = 48

/** Commits of releases: one with 16 counted migrations, the last with counted ones, one with named ones. */
const RELEASES = [
  'c88536f09547a17fe639c20e426ec24cb4112cad',
  undefined,
  '3ffd6a2a97cca7522679f80e37adb046010778c9',
]
const unpacked = RELEASES.map((commit) => previousRelease(commit))
const folders = unpacked.flatMap((release) => ('folder' in release ? [release.folder] : []))
const [missing] = unpacked.flatMap((release) => ('missing' in release ? [release.missing] : []))
if (missing !== undefined) console.warn(`rehearsal.test.ts: ${missing}, skipped`)
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

test.skipIf(missing !== undefined)(
  'OPS-53: a year of an installation loses nothing',
  { timeout: 900_000 },
  async () => {
    const year = await begin()
    const { operator } = year

    await year.month(0, 'installed', () => operator.start(folders[0]))
    await year.month(2, 'first upgrade', () => operator.upgrade(folders[1]))
    await year.month(3, 'disk is full', () => operator.fillDisk())
    await year.month(5, 'second upgrade, rolled back', () => operator.upgradeAndRollBack(folders[2]))
    await year.month(6, 'second upgrade again', () => operator.upgrade(folders[2]))
    await year.month(8, 'machine is lost', () => operator.loseMachine())
    await year.month(9, 'third upgrade', () => operator.upgrade(undefined))
    await year.month(LAST_MONTH, 'moved to PostgreSQL', () => operator.moveToPostgres())
    await year.month(LAST_MONTH, 'second server', () => operator.addServer())
    await year.month(LAST_MONTH, 'first server is killed', () => operator.killFirst())
    await year.end()
  },
)

/** The people with their ledger, and the operator. */
async function begin() {
  let ahead = 0
  const now = () => Date.now() + ahead
  const simulator = await startSimulator({ world: { players: [], apps: [] }, apiKey: KEY, now })
  const disk = mountDisk()
  const elsewhere = temporaryFolder('elsewhere')
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  let place: Record<string, string> = { DATA_DIR: disk.folder }
  let release: string | undefined
  const servers: Awaited<ReturnType<typeof startProcess>>[] = []
  onTestFinished(async () => {
    for (const { child } of servers) child.kill('SIGKILL')
    await Promise.all(servers.map(({ exit }) => exit))
    await simulator.close()
    disk.remove()
    rmSync(elsewhere, { recursive: true, force: true })
  })

  let ledger = createLedger()
  let writers: Writer[] = []
  /** Written before the ledger was cut to what is known. */
  let written = 0
  let givenUp = 0
  const rows: Record<string, string | number>[] = []

  const env = () => ({
    ...place,
    ...{ PORT: port, PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1', STEAM_API_KEY: KEY },
    ...{ STEAM_API_URL: simulator.apiUrl, STEAM_OPENID_URL: simulator.openidUrl },
    ...{ NODE_OPTIONS: `--import ${SHIFTED}`, CLOCK_AHEAD_MS: String(ahead) },
  })
  const start = async (own: Record<string, string> = {}) => {
    const main = release === undefined ? {} : { main: join(release, 'src/server/main.ts') }
    servers.push(await startProcess({ ...env(), ...own }, main))
  }
  const stop = async () => {
    for (const { child, exit } of servers.splice(0)) {
      child.kill('SIGTERM')
      expect(await exit).toBe(0)
    }
  }
  const command = (name: string, args: string[] = []) =>
    runCommand(name, env(), args, release === undefined ? {} : { root: release })
  const succeed = async (name: string, args: string[] = []) => {
    const ended = await command(name, args)
    expect(ended).toMatchObject({ code: 0 })
    return ended.out
  }

  const target = (nth = 0) => ({ url: servers[nth % servers.length]!.url, simulator })
  /** People write until so many writes are acknowledged. */
  async function write(count: number, seed: number): Promise<void> {
    const enough = ledger.acknowledged + count
    const stopped = () => ledger.acknowledged >= enough
    await Promise.all(
      writers.map((writer, nth) => writeUntil(stopped, target(nth), ledger, writer, seed + nth)),
    )
    expect(stopped()).toBe(true)
  }
  /** What was found to be missing or different. */
  const errors: string[] = []
  /** Looks up on every server what people were told. */
  async function check(): Promise<void> {
    for (const { url: at } of servers) errors.push(...(await lost(at, ledger, writers, ledger.names())))
  }
  /** From now on the ledger has only this. */
  function cutTo(kept: ReturnType<typeof createLedger>): void {
    written += ledger.acknowledged
    ledger = kept
    for (const writer of writers) writer.nightId = undefined
  }
  const signIn = async () => {
    if (writers.length === 0) writers = await signInWriters(target(), ledger, WRITERS)
    else for (const writer of writers) writer.token = await signInAt(url, simulator, writer.steamId)
  }

  const operator = {
    async start(folder: string | undefined) {
      release = folder
      await start()
    },
    async upgrade(folder: string | undefined) {
      await succeed('backup')
      await stop()
      await operator.start(folder)
    },
    async upgradeAndRollBack(folder: string | undefined) {
      const before = release
      await write(WRITES, 50)
      const backup = await succeed('backup')
      const kept = known(ledger)
      await stop()
      await operator.start(folder)
      // What is written until the operator goes back is given up, as docs/operate/upgrade.md says.
      const already = ledger.acknowledged
      await write(5, 60)
      givenUp += ledger.acknowledged - already
      await stop()
      release = before
      await succeed('restore', [backup])
      await start()
      cutTo(kept)
    },
    async fillDisk() {
      if (disk.reason !== undefined) return disk.reason
      const filler = join(disk.folder, 'filler')
      fill(filler)
      const ended: string[] = []
      for (let nth = 0; !ended.includes('unknown') && nth < 300; nth++)
        for (const one of writesOf(target(), ledger, writers[0]!, (values) => values[nth % values.length]!))
          ended.push(await one(nth))
      expect(ended).toContain('unknown')
      await check()
      expect(await command('backup')).toMatchObject({ code: 1, out: '' })
      rmSync(filler)
      await succeed('backup')
      return undefined
    },
    async loseMachine() {
      await write(WRITES, 80)
      await succeed('backup')
      cpSync(join(place.DATA_DIR!, 'backups'), elsewhere, { recursive: true })
      const { child, exit } = servers.pop()!
      child.kill('SIGKILL')
      await exit
      disk.remove()
      place = { DATA_DIR: temporaryFolder('data') }
      onTestFinished(() => rmSync(place.DATA_DIR!, { recursive: true, force: true }))
      await succeed('restore', [join(elsewhere, readdirSync(elsewhere).sort().at(-1)!)])
      await start()
    },
    async moveToPostgres() {
      await stop()
      const { databaseUrl, drop } = await freshDatabaseOptions('postgres', { whole: true })
      onTestFinished(drop)
      place = { ...place, DATABASE_URL: databaseUrl! }
      await succeed('migrate-to-postgres')
      await start()
    },
    addServer: async () => start({ PORT: String(await freePort()) }),
    async killFirst() {
      const { child, exit } = servers.shift()!
      child.kill('SIGKILL')
      await exit
      await start()
    },
  }

  /** What happens in a month: people come, write, the operator does something, everything is looked up. */
  async function month(nth: number, event: string, happen: () => Promise<unknown>): Promise<void> {
    const before = ahead
    ahead = (nth - LAST_MONTH) * MONTH_MS
    if (servers.length > 0 && ahead !== before) {
      // A server reads its clock when it starts.
      await stop()
      await start()
      const kept = known(ledger)
      for (const name of kept.names())
        if (/ night /.test(name) && !/^decided/.test(kept.valueOf(name)!)) kept.forget(name)
      cutTo(kept)
    }
    if (servers.length > 0) {
      await signIn()
      await check()
    }
    const skipped = await happen()
    await signIn()
    await write(WRITES, 100 * nth)
    await check()
    rows.push({
      month: nth + 1,
      event: typeof skipped === 'string' ? `${event}: skipped, ${skipped}` : event,
      acknowledged: written + ledger.acknowledged,
      'looked up': ledger.names().length * servers.length,
      'given up': givenUp,
      lost: errors.length,
    })
  }

  return { operator, month, end }

  async function end(): Promise<void> {
    await stop()
    const database = await openDatabase({ dataDir: place.DATA_DIR!, databaseUrl: place.DATABASE_URL })
    onTestFinished(() => database.close())
    expect(await brokenInvariants(database)).toEqual([])
    const told = ledger.names().filter((name) => / group /.test(name))
    const stored = await database.queries.selectFrom('groups').select('group_id').execute()
    console.table(rows)
    console.log(`groups that clients were told of: ${told.length}, stored: ${stored.length}`)
    expect(errors).toEqual([])
    expect(stored.length).toBeGreaterThanOrEqual(told.length)
  }
}

/** A small disk of its own, where root can mount one. */
function mountDisk() {
  const folder = temporaryFolder('disk')
  let reason: string | undefined
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    reason = `no disk can be mounted (${(error as Error).message.split('\n')[0]})`
  }
  let isThere = true
  const remove = () => {
    if (!isThere) return
    isThere = false
    if (reason === undefined) execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, reason, remove }
}

/** Writes until there is no space. */
function fill(file: string): void {
  const opened = openSync(file, 'w')
  try {
    for (const size of [2 ** 20, 4096]) {
      try {
        for (;;) writeSync(opened, Buffer.alloc(size))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(opened)
  }
}
