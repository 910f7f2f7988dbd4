/**
 * `npm run bench:growth`: the same requests with 1,000, 30,000 and 1,000,000 people stored. Everyone has a library of
 * realistic size. The requests come from the same thousand people, evenly spread over all, who have 150 friends among
 * each other and groups of six; only the rest of the database grows. With GROWTH_SPREAD=1 their friends are spread over
 * all people, the worst case, in which no cache holds them.
 *
 * The servers run at the same time and get one request each in turn, each about another person, without the response
 * cache. Prints a table and writes reports/growth.json. No timing makes it fail.
 *
 * GROWTH_PEOPLE: other sizes, separated by commas. A million people take 1.5 GB of disk and a few minutes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQLITE_FILE, openDatabase } from '../src/server/database/open.ts'
import { type Population, populate } from './population.ts'

const SIZES = (process.env.GROWTH_PEOPLE ?? '1000,30000,1000000').split(',').map(Number)
const CIRCLE = 1000
const MEASURED = 900
const ROUNDS = 3
const FIRST_PORT = 3971

const calls: Record<string, (people: Population, n: number) => string> = {
  games: ({ ids }, n) => `/api/users/${ids[n]}/games`,
  total_playtime: ({ ids }, n) => `/api/users/${ids[n]}/total_playtime`,
  'games/{id}/playtime': ({ ids }, n) => `/api/users/${ids[n]}/games/240/playtime`,
  compare: ({ ids }, n) => `/api/compare/${ids[n]}/${ids[n + 1]}`,
  shared_games: ({ groups }, n) => `/api/groups/${groups[n]}/shared_games`,
  'games/{id}/friends': ({ ids }, n) => `/api/users/${ids[n]}/games/240/friends`,
  friends_cached: ({ ids }, n) => `/api/users/${ids[n]}/friends_cached`,
  friends_top_games: ({ ids }, n) => `/api/users/${ids[n]}/friends_top_games`,
}

type Stored = {
  people: number
  population: Population
  folder: string
  createdMs: number
  bytesPerGame: number
}
type Running = Stored & { server: ChildProcess; url: string; startMs: number; p50: Record<string, number> }

const root = mkdtempSync(join(tmpdir(), 'shelfmates-growth-'))
try {
  const running: Running[] = []
  for (const [index, people] of SIZES.entries())
    running.push(await start(await store(people, join(root, String(people))), FIRST_PORT + index))
  for (const [name, path] of Object.entries(calls)) await measure(running, name, path)
  const rss = await Promise.all(running.map(memoryOf))
  for (const { server } of running) server.disconnect()
  report(running, rss)
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function store(people: number, folder: string): Promise<Stored> {
  const started = performance.now()
  const database = await openDatabase({ dataDir: folder })
  const population = await populate(database, {
    people,
    measured: MEASURED + 2,
    circle: process.env.GROWTH_SPREAD ? people : CIRCLE,
  })
  const { games } = await database.queries
    .selectFrom('libraries')
    .select((eb) => eb.fn.sum<number>('game_count').as('games'))
    .executeTakeFirstOrThrow()
  await database.close()
  const createdMs = performance.now() - started
  console.log(`${people} people, ${games} owned games, created in ${(createdMs / 1000).toFixed(0)} s`)
  return {
    people,
    population,
    folder,
    createdMs,
    bytesPerGame: statSync(join(folder, SQLITE_FILE)).size / games,
  }
}

async function start(stored: Stored, port: number): Promise<Running> {
  const started = performance.now()
  const server = fork(join(import.meta.dirname, 'server.ts'), {
    env: { ...process.env, DATA_DIR: stored.folder, PORT: String(port), BENCH_COLD: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await new Promise((resolve, reject) => {
    server.once('message', resolve)
    server.once('exit', (code) => reject(new Error(`the server exited with ${code}`)))
  })
  const startMs = performance.now() - started
  return { ...stored, server, url: `http://127.0.0.1:${port}`, startMs, p50: {} }
}

async function measure(running: Running[], name: string, path: (people: Population, n: number) => string) {
  const times = running.map((): number[] => [])
  const agents = running.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  for (let round = 0; round <= ROUNDS; round++)
    for (let n = 0; n < MEASURED; n++)
      for (const [index, { url, population }] of running.entries()) {
        const started = performance.now()
        await request(agents[index]!, url + path(population, n), population.tokens[n]!)
        // The first round is a warm-up.
        if (round > 0) times[index]!.push(performance.now() - started)
      }
  for (const agent of agents) agent.destroy()
  for (const [index, one] of running.entries()) one.p50[name] = median(times[index]!)
  console.log(name, running.map((one) => `${one.people}: ${one.p50[name]!.toFixed(2)} ms`).join(', '))
}

function request(agent: Agent, url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}`))
      response.resume().on('end', resolve)
    }).on('error', reject)
  })
}

async function memoryOf({ server }: Running): Promise<number> {
  const usage = new Promise<{ rss: number }>((resolve) => server.once('message', resolve))
  server.send('usage')
  return (await usage).rss
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function report(running: Running[], rss: number[]): void {
  const row = (name: string, cells: string[], last: string) => `| ${name} | ${cells.join(' | ')} | ${last} |`
  const [first] = running
  const largest = running.at(-1)!
  const lines = [
    '',
    row(
      'p50, ms',
      running.map((one) => `${one.people} people`),
      'largest : smallest',
    ),
    row(
      '---',
      running.map(() => '---'),
      '---',
    ),
    ...Object.keys(calls).map((name) =>
      row(
        name,
        running.map((one) => one.p50[name]!.toFixed(2)),
        (largest.p50[name]! / first!.p50[name]!).toFixed(2),
      ),
    ),
    row(
      'start, ms',
      running.map((one) => one.startMs.toFixed(0)),
      '',
    ),
    row(
      'memory after all calls, MB',
      rss.map((bytes) => (bytes / 2 ** 20).toFixed(0)),
      '',
    ),
    row(
      'bytes on disk per owned game',
      running.map((one) => one.bytesPerGame.toFixed(1)),
      '',
    ),
  ]
  console.log(lines.join('\n'))
  mkdirSync('reports', { recursive: true })
  const results = running.map(({ people, p50, startMs, createdMs, bytesPerGame }, index) => ({
    people,
    p50,
    startMs,
    createdMs,
    bytesPerGame,
    rss: rss[index],
  }))
  writeFileSync('reports/growth.json', JSON.stringify(results, null, 2))
}
