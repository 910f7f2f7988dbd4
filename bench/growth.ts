/**
 * `npm run bench:growth`: the same requests with 1,000, 10,000 and 100,000 people stored. Everyone has a library of
 * realistic size, a session, a group of six, and 150 friends, evenly spread over all. Each request is from a user at
 * random, so that with many people nearly everything it needs is read from the database: the worst case.
 *
 * The servers run at the same time and get one request each in turn, without the response cache. No timing
 * makes it fail.
 *
 * GROWTH_PEOPLE: other sizes, separated by commas. A million users take 3 GB of disk and four minutes. GROWTH_CALLS:
 * requests of each kind and size (default 1,500). With MEMORY_MB=16, a variable of the server, little stays in its read
 * cache, as if nobody had asked about these users before.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../src/server/database/open.ts'
import { freePort } from '../tests/support/postgres.ts'
import { type Population, populate, randomFrom } from './population.ts'
import { child, median, report, type Server, usageOf } from './processes.ts'

const SIZES = (process.env.GROWTH_PEOPLE ?? '1000,10000,100000').split(',').map(Number)
const CALLS = Number(process.env.GROWTH_CALLS ?? 1500)
/** Before the requests of each kind that count. */
const WARM_UP_CALLS = 200

const calls: Record<string, (players: Population, n: number) => string> = {
  games: ({ ids }, n) => `/api/users/${ids[n]}/games`,
  total_playtime: ({ ids }, n) => `/api/users/${ids[n]}/total_playtime`,
  'games/{id}/playtime': ({ ids }, n) => `/api/users/${ids[n]}/games/240/playtime`,
  compare: ({ ids }, n) => `/api/compare/${ids[n]}/${ids[(n + 1) % ids.length]}`,
  shared_games: ({ groups }, n) => `/api/groups/${groups[n]}/shared_games`,
  'games/{id}/friends': ({ ids }, n) => `/api/users/${ids[n]}/games/240/friends`,
  friends_cached: ({ ids }, n) => `/api/users/${ids[n]}/friends_cached`,
  friends_top_games: ({ ids }, n) => `/api/users/${ids[n]}/friends_top_games`,
}

type Stored = {
  players: number
  population: Population
  folder: string
  bytesPerPlayer: Record<string, number>
}
type Running = Stored & { server: Server; startMs: number; p50: Record<string, number> }

const root = mkdtempSync(join(tmpdir(), 'shelfmates-growth-'))
try {
  const running: Running[] = []
  for (const players of SIZES) running.push(await start(await store(players, join(root, String(players)))))
  for (const [name, path] of Object.entries(calls)) await measure(running, name, path)
  const usage = await Promise.all(running.map(({ server }) => usageOf(server)))
  for (const { server } of running) server.process.disconnect()
  await report(
    'growth',
    'Each request comes from a random user, with 150 friends spread over all',
    tableOf(
      running,
      usage.map(({ rss }) => rss),
    ),
  )
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function store(players: number, folder: string): Promise<Stored> {
  const started = performance.now()
  const database = await openDatabase({ dataDir: folder })
  const population = await populate(database, { players, measured: players })
  const { rows } = await sql<{ name: string; bytes: number }>`
    SELECT tbl_name AS name, sum(pgsize) AS bytes
    FROM dbstat JOIN sqlite_schema USING (name)
    WHERE dbstat.aggregate = TRUE
    GROUP BY tbl_name HAVING sum(pgsize) > ${players} ORDER BY bytes DESC`.execute(database.queries)
  await database.close()
  console.log(`${players} people created in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const bytesPerPlayer = Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes / players]))
  return { players, population, folder, bytesPerPlayer }
}

async function start(stored: Stored): Promise<Running> {
  const port = await freePort()
  const started = performance.now()
  const server = await child('server.ts', { DATA_DIR: stored.folder, PORT: String(port) })
  return { ...stored, server, startMs: performance.now() - started, p50: {} }
}

async function measure(running: Running[], name: string, path: (players: Population, n: number) => string) {
  const times = running.map((): number[] => [])
  const agents = running.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const random = randomFrom(name.length)
  for (let call = -WARM_UP_CALLS; call < CALLS; call++) {
    const choice = random()
    for (const [index, { server, players, population }] of running.entries()) {
      const player = Math.floor(choice * players)
      const started = performance.now()
      await request(agents[index]!, server.url + path(population, player), population.tokens[player]!)
      if (call >= 0) times[index]!.push(performance.now() - started)
    }
  }
  for (const agent of agents) agent.destroy()
  for (const [index, one] of running.entries()) one.p50[name] = median(times[index]!)
  console.log(name, running.map((one) => `${one.players}: ${one.p50[name]!.toFixed(2)} ms`).join(', '))
}

function request(agent: Agent, url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}`))
      response.resume().on('end', resolve)
    }).on('error', reject)
  })
}

function tableOf(running: Running[], rss: number[]) {
  const row = (name: string, cells: (string | number)[], last = '') => ({
    'p50, ms': name,
    ...Object.fromEntries(running.map(({ players }, at) => [`${players} users`, cells[at]!])),
    'largest : smallest': last,
  })
  const [first] = running
  const largest = running.at(-1)!
  return [
    ...Object.keys(calls).map((name) =>
      row(
        name,
        running.map((one) => one.p50[name]!.toFixed(2)),
        (largest.p50[name]! / first!.p50[name]!).toFixed(2),
      ),
    ),
    row(
      'start, ms',
      running.map((one) => Math.round(one.startMs)),
    ),
    row(
      'memory after all calls, MB',
      rss.map((bytes) => Math.round(bytes / 2 ** 20)),
    ),
    row(
      'bytes on disk for a user',
      running.map(({ bytesPerPlayer }) =>
        Math.round(Object.values(bytesPerPlayer).reduce((sum, bytes) => sum + bytes, 0)),
      ),
    ),
  ]
}
