/**
 * `npm run soak`: a mixed load with attackers beside it, for SOAK_MINUTES (10) and half as long before, on
 * SOAK_ENGINE (sqlite, or postgres: a cluster of its own). First the server's capacity is found: as many requests as it
 * answers when a few clients ask one after another.
 *
 * Quiet: a fifth of that, on time and whatever comes back, with attackers (soak-attackers.ts). Nobody ordinary may be
 * refused. Crowded: SOAK_FACTOR (2) times as much, with attackers. What is accepted is to be answered in time, and what
 * is refused says when to come back.
 *
 * Prints and writes to reports/soak.json: latency of what was accepted, how the rest was refused, memory and handles
 * over time. Fails when an answer is neither, and when memory or handles grow.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { libraryFrom } from '../src/server/library/library.ts'
import { packLibrary } from '../src/server/library/packed.ts'
import type { Database } from '../src/server/database/database.ts'
import { openDatabase } from '../src/server/database/open.ts'
import { freePort, startPostgres } from '../tests/support/postgres.ts'
import { type Population, populate } from './population.ts'
import type { Target } from './soak-attackers.ts'
import { type Answer, CONNECTIONS, createLoad } from './soak-load.ts'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10)
const FACTOR = Number(process.env.SOAK_FACTOR ?? 2)
const ENGINE = process.env.SOAK_ENGINE === 'postgres' ? 'postgres' : 'sqlite'
const QUIET_PART = 0.2
const PEOPLE = 5000
/** Those who sign in: ordinary people first, then the attackers. */
const MEASURED = 1000
const ATTACKERS = 3
const GREEDY_MEMBERS = 100
const GREEDY_GAMES = 10_000
const WARM_UP_SECONDS = 5
const CAPACITY_SECONDS = 8
/** Clients that find the capacity. */
const CLIENTS = 24
const LOOK_EVERY_MS = 5000
const P99_MAX_MS = 2000
const GROWTH_MAX = 0.05
/** What the server needs to notice that a client does not send or read any more, with some to spare. */
const LETS_GO_AFTER_MS = 40_000
/** How long the look-alike of the platform takes to check a sign-in. */
const PROVIDER_MS = 7000

const folder = mkdtempSync(join(tmpdir(), 'shelfmates-soak-'))
const postgres = ENGINE === 'postgres' ? await startPostgres() : undefined
try {
  await soak()
} finally {
  rmSync(folder, { recursive: true })
  await postgres?.stop()
}

async function soak(): Promise<void> {
  const database = await openDatabase({ dataDir: folder, databaseUrl: postgres?.url })
  const population = await populate(database, { people: PEOPLE, measured: MEASURED + ATTACKERS })
  await growGroup(database, population, MEASURED + ATTACKERS - 1)
  await database.close()
  const provider = await startProvider()
  const server = await startServer(provider.url)
  const load = createLoad(server.url, population, MEASURED)

  await load.closedLoop(CLIENTS, WARM_UP_SECONDS)
  const capacity = await load.closedLoop(CLIENTS, CAPACITY_SECONDS)
  await load.closedLoop(CONNECTIONS, WARM_UP_SECONDS)
  console.log(`${ENGINE}: ${capacity.toFixed(0)} requests a second; ${1.5 * MINUTES} min with attackers`)

  const attackers = startAttackers(server, provider.url, population)
  const memory: number[] = []
  const handles: number[] = []
  const health: number[] = []
  const quiet = await load.openLoop(QUIET_PART * capacity, MINUTES * 30)
  const watching = setInterval(() => {
    memory.push(memoryOf(server.pid))
    handles.push(handlesOf(server.pid))
    void fetch(`${server.url}/healthz`).then(({ status }) => health.push(status))
  }, LOOK_EVERY_MS)
  const crowded = await load.openLoop(FACTOR * capacity, MINUTES * 60)
  clearInterval(watching)

  await attackers.stop()
  load.stop()
  // Connections end; what remains open afterwards was forgotten.
  await pause(LETS_GO_AFTER_MS)
  const idle = { memory: memoryOf(server.pid), handles: handlesOf(server.pid) }
  // Once more, because others use the machine too: what could be done meanwhile lies somewhere between.
  const later = createLoad(server.url, population, MEASURED)
  const capacityAfter = await later.closedLoop(CLIENTS, CAPACITY_SECONDS)
  later.stop()
  const stillServes = (await fetch(`${server.url}/healthz`)).status
  server.stop()
  await provider.stop()
  report({
    capacity: { before: capacity, after: capacityAfter },
    quiet,
    crowded,
    memory,
    handles,
    unwell: health.filter((status) => status !== 200).length,
    platformCalls: provider.calls(),
    idle,
    idleBefore: server.idleHandles,
    stillServes,
  })
}

/** Gives the group of the n-th person a hundred members who all own ten thousand games. */
async function growGroup({ queries }: Database, { ids, groups }: Population, n: number): Promise<void> {
  const members = [ids[n]!, ...ids.slice(-(GREEDY_MEMBERS - 1))]
  const library = libraryFrom(
    Array.from({ length: GREEDY_GAMES }, (_, game) => ({
      appid: 10 + 10 * game,
      minutes: 3 * game,
      recentMinutes: 0,
      lastPlayed: 1_600_000_000,
    })),
  )
  await queries
    .updateTable('libraries')
    .set({ packed: packLibrary(library), game_count: GREEDY_GAMES })
    .where('steam_id', 'in', members)
    .execute()
  await queries.deleteFrom('group_members').where('group_id', '=', groups[n]!).execute()
  const now = Date.now()
  await queries
    .insertInto('group_members')
    .values(
      members.map((steam_id) => ({
        group_id: groups[n]!,
        steam_id,
        added_at: now,
        joined_at: now,
        added_by: null,
      })),
    )
    .execute()
}

/** The platform's end of a sign-in: slow, and never convinced. */
async function startProvider() {
  let calls = 0
  const server = createServer((request, response) => {
    if (request.method === 'POST') calls++
    request.resume()
    setTimeout(() => response.end('ns:http://specs.openid.net/auth/2.0\nis_valid:false\n'), PROVIDER_MS)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/openid/login`,
    calls: () => calls,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function startServer(provider: string) {
  const port = await freePort()
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    env: {
      ...process.env,
      SOAK_ENGINE: ENGINE,
      DATA_DIR: folder,
      ...(postgres && { DATABASE_URL: postgres.url }),
      PORT: String(port),
      STEAM_API_URL: 'http://127.0.0.1:1',
      STEAM_OPENID_URL: provider,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  const pid = child.pid!
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid,
    idleHandles: handlesOf(pid),
    stop: () => child.disconnect(),
  }
}

function startAttackers({ url, port }: { url: string; port: number }, provider: string, people: Population) {
  const child = fork(join(import.meta.dirname, 'soak-attackers.ts'), {
    env: { ...process.env, STEAM_OPENID_URL: provider, PUBLIC_URL: url.replace('127.0.0.1', 'localhost') },
  })
  const attacker = (n: number) => ({ token: people.tokens[n]!, groupId: people.groups[n]! })
  const target: Target = {
    host: '127.0.0.1',
    port,
    slow: attacker(MEASURED),
    uploader: attacker(MEASURED + 1),
    greedy: attacker(MEASURED + 2),
  }
  child.send(target)
  return {
    stop: async () => {
      if (child.exitCode !== null) throw new Error(`the attackers ended with ${child.exitCode}`)
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Resident memory of a process, in bytes; Linux. */
function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

type Phase = { answers: Answer[]; unsent: number }
type Run = {
  capacity: { before: number; after: number }
  quiet: Phase
  crowded: Phase
  memory: number[]
  handles: number[]
  /** How often /healthz said that nothing is served. */
  unwell: number
  /** Checks of a sign-in that forged returns led to. */
  platformCalls: number
  idle: { memory: number; handles: number }
  idleBefore: number
  stillServes: number
}

/** What came of the requests of a phase. */
function summaryOf({ answers, unsent }: Phase, seconds: number) {
  const accepted = answers.filter(({ status }) => status >= 200 && status < 300).map(({ ms }) => ms)
  const refused = answers.filter(({ status }) => status === 503 || status === 429)
  accepted.sort((a, b) => a - b)
  const percentile = (part: number) => Math.round(accepted[Math.floor(accepted.length * part)] ?? NaN)
  const statuses = new Map<number, number>()
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return {
    offeredPerSecond: Math.round((answers.length + unsent) / seconds),
    acceptedPerSecond: Math.round(accepted.length / seconds),
    acceptedMs: {
      p50: percentile(0.5),
      p95: percentile(0.95),
      p99: percentile(0.99),
      max: percentile(0.999999),
    },
    refused: refused.length,
    refusedWithoutRetryAfter: refused.filter(({ retryAfter }) => !retryAfter).length,
    others: answers.length - accepted.length - refused.length,
    statuses: Object.fromEntries(statuses),
    foundNoConnection: unsent,
  }
}

function report({ memory, handles, idle, idleBefore, ...run }: Run): void {
  const quiet = summaryOf(run.quiet, MINUTES * 30)
  const crowded = summaryOf(run.crowded, MINUTES * 60)
  // The first third fills caches and compiles; after that nothing may grow any more.
  const middle = average(memory.slice(Math.floor(memory.length / 3), Math.ceil((memory.length * 2) / 3)))
  const end = average(memory.slice(Math.floor((memory.length * 2) / 3)))
  const { before, after } = run.capacity
  const result = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    engine: ENGINE,
    minutes: MINUTES,
    capacityPerSecond: { before: Math.round(before), after: Math.round(after) },
    quiet,
    crowded,
    /** Accepted, of what could be done without attackers. */
    goodput: Number((crowded.acceptedPerSecond / ((before + after) / 2)).toFixed(2)),
    unwell: run.unwell,
    platformCalls: run.platformCalls,
    memoryMb: {
      middle: Math.round(middle / 2 ** 20),
      end: Math.round(end / 2 ** 20),
      idle: Math.round(idle.memory / 2 ** 20),
    },
    memoryGrowth: Number(((end - middle) / middle).toFixed(3)),
    handles: { most: Math.max(...handles), before: idleBefore, after: idle.handles },
    stillServes: run.stillServes,
  }
  console.log(JSON.stringify(result, null, 2))
  mkdirSync('reports', { recursive: true })
  writeFileSync('reports/soak.json', JSON.stringify(result, null, 2))
  const complaints = [
    quiet.acceptedMs.p99 < P99_MAX_MS ? '' : `quiet: p99 is not under ${P99_MAX_MS} ms`,
    quiet.refused === 0 ? '' : `quiet: ${quiet.refused} ordinary requests were refused`,
    quiet.foundNoConnection === 0 ? '' : 'quiet: answers came so late that no connection was free',
    crowded.acceptedMs.p99 < P99_MAX_MS ? '' : `crowded: p99 is not under ${P99_MAX_MS} ms`,
    crowded.refusedWithoutRetryAfter === 0 ? '' : 'refusals without Retry-After',
    quiet.others + crowded.others === 0 ? '' : 'answers that are neither accepted nor refused',
    run.unwell === 0 ? '' : `/healthz said ${run.unwell} times that nothing is served`,
    run.platformCalls === 0 ? '' : `${run.platformCalls} forged returns reached the platform`,
    result.memoryGrowth < GROWTH_MAX ? '' : 'memory grows',
    idle.handles <= idleBefore + 10 ? '' : 'handles are left open',
    run.stillServes === 200 ? '' : 'it does not serve any more',
  ].filter(Boolean)
  if (complaints.length > 0) {
    console.error(complaints.join('\n'))
    process.exitCode = 1
  }
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
