/**
 * `npm run bench:mixed`: what a small share of writes costs. The reads of the pages (load-requests.ts) with 0, 0.1, 1
 * and 10 % of writes: settings, memberships, names of groups, hidden games, and syncs from the simulator. Everyone has
 * 150 friends, a library and a group.
 *
 * The product runs with one server on SQLite, and with one to three on PostgreSQL; a bare node:http server, which sends
 * the same bytes and flushes the same writes to disk, takes its turn beside them. All take short turns, in several
 * rounds, so that other load on the machine affects all of them. Prints a table of requests per second and CPU time per
 * request, with the medians of the ratios within a round, and writes reports/mixed.json. No timing makes it fail.
 *
 * Takes under five minutes by default. MIXED_SECONDS (default 1.5): duration of a turn. MIXED_ROUNDS (3): turns of
 * each. MIXED_WRITES ('0,0.1,1,10'): per cent of writes; the first is what the others are compared with. MIXED_SERVERS
 * (3): most servers on PostgreSQL; 0 leaves it out. MIXED_PEOPLE (3000): users in the database. MIXED_ACTIVE (240):
 * users who send requests.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { openDatabase } from '../src/server/database/open.ts'
import { gamesIn } from '../src/server/library/library.ts'
import { startSimulator } from '../src/simulator/simulator.ts'
import { freePort, startPostgres } from '../tests/support/postgres.ts'
import { type LoadRequest, readOf, readsOf, writesOf } from './load-requests.ts'
import { idOf, type Population, populate, randomFrom, sampleLibraries } from './population.ts'
import { postgresCpu } from './postgres-usage.ts'
import { child, copyResponses, cpuMsOf, median, report, type Server } from './processes.ts'

const SECONDS = Number(process.env.MIXED_SECONDS ?? 1.5)
const ROUNDS = Number(process.env.MIXED_ROUNDS ?? 3)
const SHARES = (process.env.MIXED_WRITES ?? '0,0.1,1,10').split(',').map((percent) => Number(percent) / 100)
const SERVERS_MAX = Number(process.env.MIXED_SERVERS ?? 3)
const PLAYERS = Number(process.env.MIXED_PEOPLE ?? 3000)
const ACTIVE = Number(process.env.MIXED_ACTIVE ?? 240)
/** Divisible by the numbers of servers. */
const CONNECTIONS = 24
/**
 * Reads before all turns, for the compiler; and before each, so that what the last turn has changed is cached again.
 */
const START_SECONDS = 2
const WARM_UP_SECONDS = 1

/** A part that takes turns: one or more servers of one database, with the writes that its clients continue. */
type Part = {
  name: 'sqlite' | 'postgres' | 'bare'
  servers: Server[]
  writes: Generator<LoadRequest, never>[]
  databaseCpuMs: () => number
}
type Turn = { rps: number; cpuUs: number; p99: number; refused: number }
type Row = { part: Part; share: number; turns: Turn[] }

const folder = mkdtempSync(join(tmpdir(), 'shelfmates-mixed-'))
const postgres = SERVERS_MAX > 0 ? await startPostgres({ durable: true }) : undefined
const simulator = await startSimulator({ world: worldOf(PLAYERS), apiKey: 'bench' })
try {
  const { parts, population } = await startParts()
  const rows = await measure(parts, population)
  for (const server of new Set(parts.flatMap((part) => part.servers))) server.process.disconnect()
  await report(
    'mixed',
    `${ACTIVE} of ${PLAYERS} users, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, medians; in brackets by CPU time`,
    tableOf(rows),
  )
} finally {
  await simulator.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Everyone's library on Steam: the one that is stored (population.ts). */
function worldOf(players: number) {
  const samples = sampleLibraries().map((library) => [...gamesIn(library)])
  const appids = new Set(samples.flatMap((games) => games.map(({ appid }) => appid)))
  return {
    apps: Array.from(appids, (appid) => ({
      appid,
      name: `Game number ${appid}`,
      iconHash: '',
      kind: 0,
      categories: [],
    })),
    players: Array.from({ length: players }, (_, n) => ({
      steamid: idOf(n),
      personaname: `Player ${n}`,
      personastate: 0,
      gamesPrivate: false,
      friendsPrivate: false,
      profilePrivate: false,
      playtimePrivate: false,
      games: samples[n % samples.length]!,
      friends: [],
    })),
  }
}

async function startParts() {
  const population = await fill(undefined)
  const sqlite = await productOn(undefined)
  const bare = await child('bare.ts', { BARE_FILE: join(folder, 'bare-writes') })
  const writes = () => writesOfClients(population)
  const parts: Part[] = [
    { name: 'bare', servers: [bare], writes: writes(), databaseCpuMs: () => 0 },
    { name: 'sqlite', servers: [sqlite], writes: writes(), databaseCpuMs: () => 0 },
  ]
  if (postgres) {
    await fill(postgres.url)
    const servers: Server[] = []
    const databaseCpuMs = await postgresCpu(postgres.url)
    const shared = writes()
    while (servers.length < SERVERS_MAX) {
      servers.push(await productOn(postgres.url))
      parts.push({ name: 'postgres', servers: [...servers], writes: shared, databaseCpuMs })
    }
  }
  const bytes = await copyResponses(bare, sqlite, recordedRequests(population))
  console.log(`${parts.length} parts, ${bytes} bytes per response`)
  return { parts, population }
}

async function fill(databaseUrl: string | undefined): Promise<Population> {
  const started = performance.now()
  const database = await openDatabase({ dataDir: folder, databaseUrl })
  const population = await populate(database, { players: PLAYERS, measured: PLAYERS })
  await database.close()
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${PLAYERS} people created on ${databaseUrl ? 'PostgreSQL' : 'SQLite'} in ${seconds} s`)
  return population
}

async function productOn(databaseUrl: string | undefined): Promise<Server> {
  return child('server.ts', {
    DATA_DIR: folder,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    PORT: String(await freePort()),
    STEAM_API_URL: simulator.apiUrl,
  })
}

function writesOfClients(population: Population) {
  return Array.from({ length: CONNECTIONS }, (_, nth) =>
    writesOf(population, { nth, clients: CONNECTIONS, active: ACTIVE }),
  )
}

/** Every read of the active users, and enough writes to have one of each kind. */
function recordedRequests(population: Population) {
  const reads = Array.from({ length: ACTIVE }, (_, player) => player).flatMap((player) =>
    [...new Set(readsOf(population, player))].map((path) =>
      outgoing({ method: 'GET', path, token: population.tokens[player]! }),
    ),
  )
  const [client] = writesOfClients(population)
  return [...reads, ...client!.take(12).map(outgoing)]
}

function outgoing({ method, path, token, body }: LoadRequest) {
  return {
    method,
    path,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  }
}

async function measure(parts: readonly Part[], population: Population): Promise<Row[]> {
  const rows: Row[] = SHARES.flatMap((share) => parts.map((part) => ({ part, share, turns: [] })))
  for (const part of parts) await takeTurn(part, population, { share: 0, seconds: START_SECONDS, seed: 0 })
  for (let round = 0; round < ROUNDS; round++)
    for (const row of rows) {
      await takeTurn(row.part, population, { share: 0, seconds: WARM_UP_SECONDS, seed: round })
      row.turns.push(
        await takeTurn(row.part, population, { share: row.share, seconds: SECONDS, seed: round }),
      )
      const { rps, cpuUs, refused } = row.turns.at(-1)!
      console.log(
        `${nameOf(row.part)}, ${percent(row.share)} writes: ${rps.toFixed(0)} req/s, ${cpuUs.toFixed(0)} µs` +
          (refused > 0 ? `, ${refused} refused` : ''),
      )
    }
  return rows
}

async function takeTurn(
  { servers, writes, databaseCpuMs }: Part,
  population: Population,
  { share, seconds, seed }: { share: number; seconds: number; seed: number },
): Promise<Turn> {
  const random = randomFrom(seed)
  let writesDue = 0
  const next = (client: number) => {
    writesDue += share
    if (writesDue < 1) return outgoing(readOf(population, Math.floor(random() * ACTIVE), random()))
    writesDue--
    return outgoing(writes[client]!.next().value)
  }
  const cpuMs = async () => {
    const used = await Promise.all(servers.map(cpuMsOf))
    return used.reduce((sum, ms) => sum + ms, databaseCpuMs())
  }
  const before = await cpuMs()
  let client = 0
  const results = await Promise.all(
    servers.map(({ url }) =>
      autocannon({
        url,
        connections: CONNECTIONS / servers.length,
        duration: seconds,
        setupClient: (one) => {
          const nth = client++
          // Anew for each request: a list that is sent again and again would write the same again.
          one.setRequests([{ setupRequest: (request) => ({ ...request, ...next(nth) }) }])
        },
      }),
    ),
  )
  const used = (await cpuMs()) - before
  const of = (count: (result: autocannon.Result) => number) =>
    results.reduce((sum, result) => sum + count(result), 0)
  const answered = of((result) => result['2xx'] + result.non2xx)
  const refused = of((result) => result.non2xx)
  if (of((result) => result.errors) > 0 || refused > answered / 100)
    throw new Error(`${refused} of ${answered} requests were refused: ${JSON.stringify(results[0])}`)
  return {
    rps: of((result) => (result['2xx'] + result.non2xx) / result.duration),
    cpuUs: (used * 1000) / answered,
    p99: Math.max(...results.map((result) => result.latency.p99)),
    refused,
  }
}

function nameOf({ name, servers }: Part): string {
  if (name === 'bare') return 'bare'
  const engine = name === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return `${engine}, ${servers.length} server${servers.length === 1 ? '' : 's'}`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}

/** Medians; in brackets by CPU time of servers and database. */
function tableOf(rows: Row[]) {
  const rowOf = (name: Part['name'], servers: number, share: number) =>
    rows.find(
      ({ part, ...row }) => part.name === name && part.servers.length === servers && row.share === share,
    )
  /** The median over the rounds of how many times as much as `other` a row does: by time, and by CPU time. */
  const against = ({ turns }: Row, other: Row | undefined) => {
    if (!other) return ''
    const pairs = turns.map((turn, round) => [turn, other.turns[round]!] as const)
    const byTime = median(pairs.map(([turn, beside]) => turn.rps / beside.rps))
    const byCpu = median(pairs.map(([turn, beside]) => beside.cpuUs / turn.cpuUs))
    return `${byTime.toFixed(2)} (${byCpu.toFixed(2)})`
  }
  return rows.map((row) => {
    const { part, share, turns } = row
    const of = (value: (turn: Turn) => number) => Math.round(median(turns.map(value)))
    return {
      part: nameOf(part),
      writes: percent(share),
      'req/s': of(({ rps }) => rps),
      'p99 ms': of(({ p99 }) => p99),
      'CPU µs': of(({ cpuUs }) => cpuUs),
      [`: ${percent(SHARES[0]!)}`]:
        share === SHARES[0] ? '' : against(row, rowOf(part.name, part.servers.length, SHARES[0]!)),
      ': bare': part.name === 'bare' ? '' : against(row, rowOf('bare', 1, share)),
      ': SQLite': part.name === 'postgres' ? against(row, rowOf('sqlite', 1, share)) : '',
      ': 1 server': part.servers.length > 1 ? against(row, rowOf('postgres', 1, share)) : '',
    }
  })
}
