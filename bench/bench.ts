/**
 * `npm run bench`: loads GET endpoints of the product, another user's with every request, alternating with a bare node:http
 * server that sends the same headers and bytes: the measure of this machine. No timing makes it fail. CPU time per request is measured too, since other load on the machine affects it least.
 *
 * BENCH_SECONDS (default 2): duration of one load. BENCH_ROUNDS (default 3): repetitions of each pair. BENCH_CALLS:
 * endpoints to measure, separated by commas (default: all). BENCH_PEOPLE (default 20,000). BENCH_GAMES: libraries of
 * 156 games each out of so many different ones, instead of real sizes.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { unpackLibrary, packLibrary } from '../src/server/library/packed.ts'
import { readLibrary, writeLibrary } from '../src/server/storage/players/libraries.ts'
import { openDatabase } from '../src/server/database/open.ts'
import { freePort } from '../tests/support/postgres.ts'
import { diverseLibraries, type Population, populate } from './population.ts'
import {
  child,
  copyResponses,
  cpuMsOf,
  median,
  report,
  type RecordedRequest,
  type Server,
} from './processes.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const PLAYERS = Number(process.env.BENCH_PEOPLE ?? 20_000)
/** Undefined: libraries of real sizes and games. */
const DIFFERENT_GAMES = process.env.BENCH_GAMES === undefined ? undefined : Number(process.env.BENCH_GAMES)
const MEASURED = 1000
const CONNECTIONS = 16

type Row = {
  call: string
  encoding: string
  bytes: number
  product: Load
  bare: Load
  ratio: number
  cpuRatio: number
}

const allCalls: { name: string; path: (players: Population, n: number) => string }[] = [
  { name: 'games', path: ({ ids }, n) => `/api/users/${ids[n]}/games` },
  { name: 'total_playtime', path: ({ ids }, n) => `/api/users/${ids[n]}/total_playtime` },
  { name: 'games/{id}/playtime', path: ({ ids }, n) => `/api/users/${ids[n]}/games/240/playtime` },
  { name: 'compare', path: ({ ids }, n) => `/api/compare/${ids[n]}/${ids[n + 1]}` },
  { name: 'shared_games', path: ({ groups }, n) => `/api/groups/${groups[n]}/shared_games` },
  { name: 'games/{id}/friends', path: ({ ids }, n) => `/api/users/${ids[n]}/games/240/friends` },
  { name: 'friends_cached', path: ({ ids }, n) => `/api/users/${ids[n]}/friends_cached` },
  { name: 'friends_top_games', path: ({ ids }, n) => `/api/users/${ids[n]}/friends_top_games` },
]

const wanted = process.env.BENCH_CALLS?.split(',')
const calls = allCalls.filter(({ name }) => wanted?.includes(name) ?? true)

const folder = mkdtempSync(join(tmpdir(), 'shelfmates-bench-'))
try {
  const { rows, write } = await measureAll()
  await report(
    'bench',
    `${PLAYERS} users, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, medians`,
    tableOf(rows, write),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measureAll() {
  console.log(`creating ${PLAYERS} people …`)
  const database = await openDatabase({ dataDir: folder })
  const population = await populate(database, {
    players: PLAYERS,
    measured: MEASURED,
    ...(DIFFERENT_GAMES !== undefined && { libraries: diverseLibraries(PLAYERS, DIFFERENT_GAMES) }),
  })
  const write = await measureDurableWrites(database, population)
  await database.close()

  const product = await child('server.ts', { DATA_DIR: folder, PORT: String(await freePort()) })
  const bare = await child('bare.ts', {})
  const rows: Row[] = []
  for (const encoding of ['', 'br, gzip'])
    for (const call of calls) {
      const requests = Array.from({ length: MEASURED - 2 }, (_, n) => ({
        path: call.path(population, n),
        headers: {
          authorization: `Bearer ${population.tokens[n]}`,
          ...(encoding && { 'accept-encoding': encoding }),
        },
      }))
      const bytes = await copyResponses(bare, product, requests)
      rows.push({
        call: call.name,
        encoding: encoding || 'none',
        bytes,
        ...(await alternate(product, bare, requests)),
      })
      const { ratio, cpuRatio, product: mine } = rows.at(-1)!
      console.log(
        `${call.name} ${encoding || 'plain'}: ${mine.rps.toFixed(0)} req/s, ratio ${ratio.toFixed(2)}, by CPU ${cpuRatio.toFixed(2)}`,
      )
    }
  product.process.disconnect()
  bare.process.disconnect()
  return { rows, write }
}

async function alternate(product: Server, bare: Server, requests: RecordedRequest[]) {
  const mine: Load[] = []
  const bares: Load[] = []
  await load(product, requests, 1)
  for (let round = 0; round < ROUNDS; round++) {
    bares.push(await load(bare, requests, SECONDS))
    mine.push(await load(product, requests, SECONDS))
  }
  const rounds = mine.map((load, round) => ({ load, beside: bares[round]! }))
  return {
    product: medianLoad(mine),
    bare: medianLoad(bares),
    ratio: median(rounds.map(({ load, beside }) => load.rps / beside.rps)),
    cpuRatio: median(rounds.map(({ load, beside }) => beside.cpuUs / load.cpuUs)),
  }
}

type Load = { rps: number; p50: number; p99: number; cpuUs: number }

async function load(server: Server, requests: RecordedRequest[], seconds: number): Promise<Load> {
  const before = await cpuMsOf(server)
  let clients = 0
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: seconds,
    // Each connection starts at another request, so that they do not all request the same user's data at a time.
    setupClient: (client) => {
      const start = Math.floor((requests.length * clients++) / CONNECTIONS)
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)])
    },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.url}: ${result.non2xx} responses other than 2xx, ${result.errors} errors`)
  const cpuMs = (await cpuMsOf(server)) - before
  return {
    rps: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuUs: (cpuMs * 1000) / result.requests.total,
  }
}

/** Times the durable write of a 150-game library, and a bare loop that writes and flushes the same bytes. */
async function measureDurableWrites(database: Awaited<ReturnType<typeof openDatabase>>, { ids }: Population) {
  const games = await database.queries
    .selectFrom('libraries')
    .select('steam_id')
    .where('game_count', '>=', 150)
    .orderBy('game_count')
    .limit(1)
    .execute()
  const row = (await readLibrary(database.queries, games[0]!.steam_id))!
  const library = unpackLibrary(row.packed!)
  const rounds = 300
  const file = openSync(join(folder, 'bare-writes'), 'w')
  const product: number[] = []
  const bare: number[] = []
  for (let n = 0; n < rounds; n++) {
    let started = performance.now()
    const packed = packLibrary(library)
    await database.transaction((tx) =>
      writeLibrary(tx, ids[n]!, { packed, gameCount: library.length, totalMinutes: 1, at: Date.now() }),
    )
    product.push(performance.now() - started)
    started = performance.now()
    writeSync(file, packed)
    fsyncSync(file)
    bare.push(performance.now() - started)
  }
  closeSync(file)
  return {
    productMs: median(product),
    bareMs: median(bare),
    ratio: median(bare) / median(product),
    games: library.length,
  }
}

function medianLoad(loads: Load[]): Load {
  return {
    rps: median(loads.map((l) => l.rps)),
    p50: median(loads.map((l) => l.p50)),
    p99: median(loads.map((l) => l.p99)),
    cpuUs: median(loads.map((l) => l.cpuUs)),
  }
}

function tableOf(rows: Row[], write: Awaited<ReturnType<typeof measureDurableWrites>>) {
  return [
    ...rows.map(({ call, encoding, bytes, product, bare, ratio, cpuRatio }) => ({
      call,
      encoding,
      bytes,
      'requests a second': Math.round(product.rps),
      'p99, ms': product.p99,
      'CPU, µs': Math.round(product.cpuUs),
      'bare server, a second': Math.round(bare.rps),
      ratio: ratio.toFixed(2),
      'ratio by CPU': cpuRatio.toFixed(2),
    })),
    {
      call: `durable sync write, ${write.games} games`,
      encoding: '',
      bytes: '',
      'requests a second': Math.round(1000 / write.productMs),
      'p99, ms': '',
      'CPU, µs': '',
      'bare server, a second': Math.round(1000 / write.bareMs),
      ratio: write.ratio.toFixed(2),
      'ratio by CPU': '',
    },
  ]
}
