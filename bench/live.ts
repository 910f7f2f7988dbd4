/**
 * `npm run bench:live`: what open pages cost a server while nothing happens, and how fast a change reaches them. 1,000
 * users have a page open at one server, each with 100 friends and in a night of ten; changes are made through another
 * server of the same database. On SQLite and on PostgreSQL. Prints a table and writes reports/live.json. No timing
 * makes it fail.
 *
 * LIVE_SECONDS (default 60): how long nothing happens. LIVE_CHANGES (200). LIVE_STREAMS (1000).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../src/server/database/open.ts'
import { addPlayers, changeNightPlayer, createNight } from '../src/server/storage/nights/nights.ts'
import { startSimulator } from '../src/simulator/simulator.ts'
import { freePort, startPostgres } from '../tests/support/postgres.ts'
import { newPlayer } from '../tests/support/product.ts'
import { idOf, type Population, populate } from './population.ts'
import { postgresCpu } from './postgres-usage.ts'
import { child, cpuMsOf, report, type Server, usageOf } from './processes.ts'

const SECONDS = Number(process.env.LIVE_SECONDS ?? 60)
const CHANGES = Number(process.env.LIVE_CHANGES ?? 200)
const STREAMS = Number(process.env.LIVE_STREAMS ?? 1000)
const PER_NIGHT = 10
const NIGHTS = Math.ceil(STREAMS / PER_NIGHT)
/** Between two changes, in milliseconds; not a multiple of the time between two polls. */
const CHANGE_EVERY_MS = 130
const OPENED_AT_ONCE = 50
/** Streams of one client address; a server allows 1,000 connections. */
const PER_ADDRESS = 500

type Row = {
  engine: string
  streams: number
  /** Per cent of a core while nothing happens: of the server without and with the streams, and of PostgreSQL. */
  emptyCpu: number
  idleCpu: number
  databaseCpu: number
  /** Memory per stream, in bytes. */
  bytes: number
  /** From the response to a change at another server until the event arrives, in milliseconds. */
  p50: number
  p99: number
  slowest: number
}

const folder = mkdtempSync(join(tmpdir(), 'shelfmates-live-'))
const postgres = await startPostgres({ durable: true })
const simulator = await startSimulator({
  world: {
    apps: [],
    players: Array.from({ length: NIGHTS * PER_NIGHT }, (_, n) => newPlayer(idOf(n))),
  },
  apiKey: 'bench',
})
try {
  const rows = [await measure(undefined), await measure(postgres.url)]
  await report(
    'live',
    `${SECONDS} seconds without a change, then ${CHANGES} changes`,
    rows.map((row) => ({
      engine: row.engine,
      streams: row.streams,
      'CPU of a core without streams': `${row.emptyCpu} %`,
      'with them': `${row.idleCpu} %`,
      'of the database': `${row.databaseCpu} %`,
      'memory of one, kB': Math.round(row.bytes / 1000),
      'delay, p50, ms': Math.round(row.p50),
      'p99, ms': Math.round(row.p99),
      'slowest, ms': Math.round(row.slowest),
    })),
  )
} finally {
  await simulator.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(databaseUrl: string | undefined): Promise<Row> {
  const { population, nights } = await prepare(databaseUrl)
  const [watched, other] = [await start(databaseUrl), await start(databaseUrl)]
  const databaseCpuMs = databaseUrl === undefined ? () => 0 : await postgresCpu(databaseUrl)
  // The compiler has done its work on the code for streams when some have been opened and closed.
  for (const { response } of await openStreams(watched, population, nights)) response.destroy()
  await pause(2000)

  const empty = await cpuWhileIdle(watched, databaseCpuMs, SECONDS / 4)
  const memory = (await usageOf(watched)).rss
  const streams = await openStreams(watched, population, nights)
  await pause(2000)
  const bytes = ((await usageOf(watched)).rss - memory) / streams.length
  const idle = await cpuWhileIdle(watched, databaseCpuMs, SECONDS)
  const delays = await changeThrough(other, population, nights, streams)
  for (const { response } of streams) response.destroy()
  for (const server of [watched, other]) server.process.disconnect()

  const at = (share: number) => Math.round(delays[Math.ceil(share * delays.length) - 1] ?? NaN)
  return {
    engine: databaseUrl === undefined ? 'SQLite' : 'PostgreSQL',
    streams: streams.length,
    emptyCpu: percent(empty.server),
    idleCpu: percent(idle.server),
    databaseCpu: percent(idle.database),
    bytes: Math.round(bytes),
    p50: at(0.5),
    p99: at(0.99),
    slowest: at(1),
  }
}

function start(databaseUrl: string | undefined): Promise<Server> {
  return freePort().then((port) =>
    child('server.ts', {
      DATA_DIR: folder,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      PORT: String(port),
      STEAM_API_URL: simulator.apiUrl,
    }),
  )
}

/** Ten users in each night, all of whom have a session. */
async function prepare(databaseUrl: string | undefined) {
  const database = await openDatabase({ dataDir: folder, databaseUrl })
  const players = NIGHTS * PER_NIGHT
  const population = await populate(database, { players, measured: players, friends: 100 })
  const now = Date.now()
  const nights: number[] = []
  for (let n = 0; n < NIGHTS; n++) {
    const ids = population.ids.slice(n * PER_NIGHT, (n + 1) * PER_NIGHT)
    await database.transaction(async (tx) => {
      const id = await createNight(tx, {
        group_id: null,
        title: null,
        host_steam_id: ids[0]!,
        starts_at: now,
        created_at: now,
        planned: 0,
        forbids: 0,
      })
      await addPlayers(tx, id, ids, { by: ids[0]!, at: now })
      await changeNightPlayer(tx, id, ids[0]!, { answer: 'in', answered_at: now })
      nights.push(id)
    })
  }
  await database.close()
  return { population, nights }
}

type OpenStream = { night: number; response: IncomingMessage; arrivedAt: number }

/** Opens all streams, some at a time. */
async function openStreams(
  { url }: Server,
  { ids, tokens }: Population,
  nights: readonly number[],
): Promise<OpenStream[]> {
  const streams: OpenStream[] = []
  const open = async (n: number) => {
    const night = nights[Math.floor(n / PER_NIGHT)]!
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(
        `${url}/api/users/${ids[n]}/events`,
        {
          agent: false,
          localAddress: `127.0.0.${2 + Math.floor(n / PER_ADDRESS)}`,
          headers: { authorization: `Bearer ${tokens[n]}` },
        },
        resolve,
      ).on('error', reject),
    )
    if (response.statusCode !== 200) throw new Error(`a stream was refused with ${response.statusCode}`)
    const stream = { night, response, arrivedAt: 0 }
    response.on('error', () => {})
    response.on('data', (chunk: Buffer) => {
      if (chunk.includes(`"night:${night}"`)) stream.arrivedAt = performance.now()
    })
    streams.push(stream)
  }
  for (let from = 0; from < STREAMS; from += OPENED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(OPENED_AT_ONCE, STREAMS - from) }, (_, n) => open(from + n)),
    )
  return streams
}

/** CPU time as a share of the time that has passed. */
async function cpuWhileIdle(server: Server, databaseCpuMs: () => number, seconds: number) {
  const before = { server: await cpuMsOf(server), database: databaseCpuMs(), at: performance.now() }
  await pause(seconds * 1000)
  const passed = performance.now() - before.at
  return {
    server: ((await cpuMsOf(server)) - before.server) / passed,
    database: (databaseCpuMs() - before.database) / passed,
  }
}

/** Delays until the events of changes arrive, shortest first. */
async function changeThrough(
  { url }: Server,
  { tokens }: Population,
  nights: readonly number[],
  streams: readonly OpenStream[],
): Promise<number[]> {
  const delays: number[] = []
  for (let n = 0; n < CHANGES; n++) {
    const index = n % nights.length
    const concerned = streams.filter((stream) => stream.night === nights[index])
    for (const stream of concerned) stream.arrivedAt = 0
    const response = await fetch(`${url}/api/nights/${nights[index]}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${tokens[index * PER_NIGHT]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ title: `Night ${n}` }),
    })
    const changedAt = performance.now()
    if (!response.ok) throw new Error(`a change was refused with ${response.status}`)
    await response.arrayBuffer()
    while (concerned.some((stream) => stream.arrivedAt === 0)) await pause(1)
    delays.push(...concerned.map((stream) => stream.arrivedAt - changedAt))
    await pause(CHANGE_EVERY_MS)
  }
  return delays.sort((a, b) => a - b)
}

function percent(share: number): number {
  return Math.round(share * 1000) / 10
}
