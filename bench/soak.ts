/**
 * `npm run soak`: a mixed load and attackers (soak-attackers.ts) at the same time, on SOAK_ENGINE (sqlite, or postgres
 * with a cluster of its own). First measures the server's capacity: requests per second of a few clients in a closed
 * loop. Then two phases, both in an open loop:
 *
 * - quiet: a fifth of the capacity, for half of SOAK_MINUTES (default 10). No normal request may be refused, and
 *   /healthz must respond.
 * - overload: SOAK_FACTOR (default 2) times the capacity, for SOAK_MINUTES. Accepted requests must be served in time,
 *   and refusals must have a Retry-After. New connections wait, since Node accepts one per turn of the event loop.
 *
 * Prints latency, refusals, memory and handles, and writes them to reports/soak.json. Fails when one of these rules is
 * broken, or when memory or handles grow.
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
import { type Result, CONNECTIONS, createLoad } from './soak-load.ts'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10)
const FACTOR = Number(process.env.SOAK_FACTOR ?? 2)
const ENGINE = process.env.SOAK_ENGINE === 'postgres' ? 'postgres' : 'sqlite'
const QUIET_PART = 0.2
const PLAYERS = 5000
/** Normal users with a session; the attackers' accounts come after them. */
const MEASURED = 1000
const ATTACKERS = 3
const GREEDY_MEMBERS = 100
const GREEDY_GAMES = 10_000
const WARM_UP_SECONDS = 5
const CAPACITY_SECONDS = 8
/** Clients that measure the capacity. */
const CLIENTS = 24
const SAMPLE_EVERY_MS = 5000
const P99_MAX_MS = 2000
/** A load balancer gives up on a server that takes longer. */
const HEALTH_WITHIN_MS = 5000
const GROWTH_MAX = 0.05
/** After this time the server has closed all idle and half-open connections. */
const CONNECTIONS_CLOSED_AFTER_MS = 40_000
/** Latency of the provider's check_authentication. */
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
  const population = await populate(database, { players: PLAYERS, measured: MEASURED + ATTACKERS })
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
  const health: Health[] = []
  const asking = setInterval(() => void healthOf(server.url).then((one) => health.push(one)), SAMPLE_EVERY_MS)
  const quiet = await load.openLoop(QUIET_PART * capacity, MINUTES * 30)
  clearInterval(asking)
  const watching = setInterval(() => {
    memory.push(memoryOf(server.pid))
    handles.push(handlesOf(server.pid))
  }, SAMPLE_EVERY_MS)
  const overload = await load.openLoop(FACTOR * capacity, MINUTES * 60)
  clearInterval(watching)

  await attackers.stop()
  load.stop()
  // Handles that are still open after this time are leaked.
  await pause(CONNECTIONS_CLOSED_AFTER_MS)
  const idle = { memory: memoryOf(server.pid), handles: handlesOf(server.pid) }
  // Measured again, because other load on the machine changes the capacity.
  const later = createLoad(server.url, population, MEASURED)
  const capacityAfter = await later.closedLoop(CLIENTS, CAPACITY_SECONDS)
  later.stop()
  const stillServes = (await fetch(`${server.url}/healthz`)).status
  server.stop()
  await provider.stop()
  report({
    capacity: { before: capacity, after: capacityAfter },
    quiet,
    overload,
    memory,
    handles,
    health,
    steamCalls: provider.calls(),
    idle,
    idleBefore: server.idleHandles,
    stillServes,
  })
}

/** Gives the group of the n-th user a hundred members who all own ten thousand games. */
async function growGroup(database: Database, { ids, groups }: Population, n: number): Promise<void> {
  const members = [ids[n]!, ...ids.slice(-(GREEDY_MEMBERS - 1))]
  const library = libraryFrom(
    Array.from({ length: GREEDY_GAMES }, (_, game) => ({
      appid: 10 + 10 * game,
      minutes: 3 * game,
      recentMinutes: 0,
      lastPlayed: 1_600_000_000,
    })),
  )
  await database.transaction(async (tx) => {
    await tx
      .updateTable('libraries')
      .set({ packed: packLibrary(library), game_count: GREEDY_GAMES })
      .where('steam_id', 'in', members)
      .execute()
    await tx.deleteFrom('group_members').where('group_id', '=', groups[n]!).execute()
    const now = Date.now()
    await tx
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
  })
}

/** A sign-in provider that responds slowly and confirms nothing. */
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
    child.once('exit', (code) => reject(new Error(`the server exited with ${code}`)))
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

function startAttackers({ url, port }: { url: string; port: number }, provider: string, players: Population) {
  const child = fork(join(import.meta.dirname, 'soak-attackers.ts'), {
    env: { ...process.env, STEAM_OPENID_URL: provider, PUBLIC_URL: url.replace('127.0.0.1', 'localhost') },
  })
  const attacker = (n: number) => ({ token: players.tokens[n]!, groupId: players.groups[n]! })
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
      if (child.exitCode !== null) throw new Error(`the attackers exited with ${child.exitCode}`)
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/**
 * Asks for /healthz as a load balancer does, on a connection of its own; status 0 when there was no response in time.
 */
async function healthOf(url: string): Promise<Health> {
  const since = performance.now()
  const status = await fetch(`${url}/healthz`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(HEALTH_WITHIN_MS),
  }).then(
    (response) => response.status,
    () => 0,
  )
  return { status, ms: Math.round(performance.now() - since) }
}

/** Resident memory of a process in bytes (Linux only). */
function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

type Health = { status: number; ms: number }
type Phase = { results: Result[]; unsent: number }
type Run = {
  capacity: { before: number; after: number }
  quiet: Phase
  overload: Phase
  memory: number[]
  handles: number[]
  health: Health[]
  /** Requests to the provider that forged sign-ins caused. */
  steamCalls: number
  idle: { memory: number; handles: number }
  idleBefore: number
  stillServes: number
}

/** Summary of the results of a phase. */
function summaryOf({ results, unsent }: Phase, seconds: number) {
  const accepted = results.filter(({ status }) => status >= 200 && status < 300).map(({ ms }) => ms)
  const refused = results.filter(({ status }) => status === 503 || status === 429)
  accepted.sort((a, b) => a - b)
  const percentile = (part: number) => Math.round(accepted[Math.floor(accepted.length * part)] ?? NaN)
  const statuses = new Map<number, number>()
  for (const { status } of results) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return {
    offeredPerSecond: Math.round((results.length + unsent) / seconds),
    acceptedPerSecond: Math.round(accepted.length / seconds),
    acceptedMs: {
      p50: percentile(0.5),
      p95: percentile(0.95),
      p99: percentile(0.99),
      max: percentile(0.999999),
    },
    refused: refused.length,
    refusedWithoutRetryAfter: refused.filter(({ retryAfter }) => !retryAfter).length,
    others: results.length - accepted.length - refused.length,
    statuses: Object.fromEntries(statuses),
    foundNoConnection: unsent,
  }
}

function report({ memory, handles, idle, idleBefore, ...run }: Run): void {
  const quiet = summaryOf(run.quiet, MINUTES * 30)
  const overload = summaryOf(run.overload, MINUTES * 60)
  // In the first third caches fill and code is compiled; after that memory must not grow.
  const middle = average(memory.slice(Math.floor(memory.length / 3), Math.ceil((memory.length * 2) / 3)))
  const end = average(memory.slice(Math.floor((memory.length * 2) / 3)))
  const { before, after } = run.capacity
  const unhealthy = run.health.filter(({ status }) => status !== 200).length
  const result = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    engine: ENGINE,
    minutes: MINUTES,
    capacityPerSecond: { before: Math.round(before), after: Math.round(after) },
    quiet,
    overload,
    /** Accepted requests per second, as a share of the capacity without attackers. */
    goodput: Number((overload.acceptedPerSecond / ((before + after) / 2)).toFixed(2)),
    health: {
      requests: run.health.length,
      unhealthy,
      slowestMs: Math.max(...run.health.map(({ ms }) => ms)),
    },
    steamCalls: run.steamCalls,
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
    quiet.refused === 0 ? '' : `quiet: ${quiet.refused} normal requests were refused`,
    quiet.foundNoConnection === 0 ? '' : 'quiet: responses were so slow that no connection was free',
    overload.acceptedMs.p99 < P99_MAX_MS ? '' : `overload: p99 is not under ${P99_MAX_MS} ms`,
    overload.refusedWithoutRetryAfter === 0 ? '' : 'refusals without Retry-After',
    quiet.others + overload.others === 0 ? '' : 'responses that are neither 2xx nor 429 nor 503',
    unhealthy === 0 ? '' : `/healthz failed ${unhealthy} times`,
    run.steamCalls === 0 ? '' : `${run.steamCalls} forged sign-ins caused a request to Steam`,
    result.memoryGrowth < GROWTH_MAX ? '' : 'memory grows',
    idle.handles <= idleBefore + 10 ? '' : 'handles are left open',
    run.stillServes === 200 ? '' : 'the server no longer serves requests',
  ].filter(Boolean)
  if (complaints.length > 0) {
    console.error(complaints.join('\n'))
    process.exitCode = 1
  }
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
