/**
 * `npm run soak`: mixed load at twice of what one server can do, for SOAK_MINUTES (10). First the server's capacity is
 * found: as many requests as it answers when a few clients ask one after another. Then twice as many are sent, on time
 * and whatever comes back. Prints and writes to reports/soak.json: latency of what was accepted, how the rest was
 * refused, memory and handles over time. Fails when an answer is neither, when a refusal does not say when to come
 * back, and when memory or handles grow.
 */
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../src/server/storage/open.ts'
import { type Population, populate, randomFrom } from './population.ts'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10)
const FACTOR = Number(process.env.SOAK_FACTOR ?? 2)
const PEOPLE = 5000
const MEASURED = 1000
const WARM_UP_SECONDS = 5
const CAPACITY_SECONDS = 8
/** Clients that find the capacity. */
const CLIENTS = 24
/** Connections of the load, opened beforehand and kept, as browsers and proxies do. */
const CONNECTIONS = 300
const SENDING_EVERY_MS = 5
const LOOK_EVERY_MS = 5000
const P99_MAX_MS = 2000
const GROWTH_MAX = 0.05

type Ask = { method: string; path: string; token: string; body?: string }
type Answer = { status: number; ms: number; retryAfter: boolean }

const random = randomFrom(7)
const folder = mkdtempSync(join(tmpdir(), 'shelfmates-soak-'))
try {
  await soak()
} finally {
  rmSync(folder, { recursive: true })
}

async function soak(): Promise<void> {
  const database = await openDatabase({ dataDir: folder })
  const population = await populate(database, { people: PEOPLE, measured: MEASURED })
  await database.close()
  const server = await startServer()
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    maxFreeSockets: CONNECTIONS,
    scheduling: 'fifo',
  })
  const send = (ask: Ask) => answerOf(server.url, agent, ask)

  await closedLoop(send, population, CLIENTS, WARM_UP_SECONDS)
  const capacity = await closedLoop(send, population, CLIENTS, CAPACITY_SECONDS)
  await closedLoop(send, population, CONNECTIONS, WARM_UP_SECONDS)
  console.log(
    `capacity: ${capacity.toFixed(0)} requests a second; sending ${(FACTOR * capacity).toFixed(0)} for ${MINUTES} min`,
  )

  const answers: Answer[] = []
  const memory: number[] = []
  const handles: number[] = []
  const watching = setInterval(() => {
    memory.push(memoryOf(server.pid))
    handles.push(handlesOf(server.pid))
  }, LOOK_EVERY_MS)
  const unsent = await openLoop(send, population, FACTOR * capacity, MINUTES * 60, answers)
  clearInterval(watching)

  agent.destroy()
  // Connections of the load end; what remains open afterwards was forgotten.
  await pause(3000)
  const idle = { memory: memoryOf(server.pid), handles: handlesOf(server.pid) }
  // Once more, because others use the machine too: what could be done meanwhile lies somewhere between.
  const later = new Agent({ keepAlive: true })
  const capacityAfter = await closedLoop(
    (ask) => answerOf(server.url, later, ask),
    population,
    CLIENTS,
    CAPACITY_SECONDS,
  )
  later.destroy()
  const stillServes = (await answerOf(server.url, new Agent(), askFor(population, 0))).status
  server.stop()
  report({
    capacity,
    capacityAfter,
    answers,
    unsent,
    memory,
    handles,
    idle,
    idleBefore: server.idleHandles,
    stillServes,
  })
}

/** What people do: mostly looking, one in ten writes. */
function askFor({ ids, tokens, groups }: Population, n: number): Ask {
  const who = Math.floor(random() * MEASURED)
  const id = ids[who]!
  const token = tokens[who]!
  const get = (path: string): Ask => ({ method: 'GET', path, token })
  const write = (method: string, path: string, body: object): Ask => ({
    method,
    path,
    token,
    body: JSON.stringify(body),
  })
  const choice = random()
  if (choice < 0.2) return get(`/api/users/${id}/games`)
  if (choice < 0.35) return get(`/api/users/${id}/friends_cached`)
  if (choice < 0.45) return get(`/api/groups/${groups[who]}/shared_games`)
  if (choice < 0.55) return get(`/api/users/${id}/groups`)
  if (choice < 0.65) return get(`/api/users/${id}/friends_top_games`)
  if (choice < 0.75) return get(`/api/users/${id}/games/440/friends`)
  if (choice < 0.85) return get(`/api/users/${id}/total_playtime`)
  if (choice < 0.9) return get(`/api/users/${id}/sync_status`)
  if (choice < 0.97)
    return write('PUT', `/api/users/${id}/settings`, { library_visibility: n % 2 ? 'connected' : 'groups' })
  return write('POST', `/api/groups/${groups[who]}/members`, { steam_ids: [id] })
}

function answerOf(url: string, agent: Agent, { method, path, token, body }: Ask): Promise<Answer> {
  const started = performance.now()
  return new Promise((resolve) => {
    const done = (status: number, retryAfter = false) =>
      resolve({ status, ms: performance.now() - started, retryAfter })
    const outgoing = request(
      url + path,
      {
        agent,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () =>
          done(response.statusCode ?? 0, response.headers['retry-after'] !== undefined),
        )
        response.on('error', () => done(0))
      },
    )
    outgoing.on('error', () => done(0))
    outgoing.end(body)
  })
}

type Send = (ask: Ask) => Promise<Answer>

/** Answers a second when a few clients ask one after another. */
async function closedLoop(
  send: Send,
  population: Population,
  clients: number,
  seconds: number,
): Promise<number> {
  const until = performance.now() + seconds * 1000
  let answered = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const { status } = await send(askFor(population, answered))
        if (status < 400) answered++
      }
    }),
  )
  return answered / seconds
}

/** Sends at a fixed rate, whatever comes back; returns how many found no connection free. */
async function openLoop(
  send: Send,
  population: Population,
  perSecond: number,
  seconds: number,
  answers: Answer[],
) {
  const started = performance.now()
  let sent = 0
  let open = 0
  let unsent = 0
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) / 1000) * perSecond
    for (; sent < due; sent++) {
      if (open >= CONNECTIONS) {
        unsent++
        continue
      }
      open++
      void send(askFor(population, sent)).then((answer) => {
        open--
        answers.push(answer)
      })
    }
    await pause(SENDING_EVERY_MS)
  }
  while (open > 0) await pause(SENDING_EVERY_MS)
  return unsent
}

async function startServer() {
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: process.env.SOAK_PORT ?? '3490',
      STEAM_API_URL: 'http://127.0.0.1:1',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  const pid = child.pid!
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    idleHandles: handlesOf(pid),
    stop: () => child.disconnect(),
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

type Run = {
  capacity: number
  capacityAfter: number
  answers: Answer[]
  unsent: number
  memory: number[]
  handles: number[]
  idle: { memory: number; handles: number }
  idleBefore: number
  stillServes: number
}

function report({
  capacity,
  capacityAfter,
  answers,
  unsent,
  memory,
  handles,
  idle,
  idleBefore,
  stillServes,
}: Run): void {
  const accepted = answers.filter(({ status }) => status >= 200 && status < 300).map(({ ms }) => ms)
  const refused = answers.filter(({ status }) => status === 503 || status === 429)
  const others = answers.length - accepted.length - refused.length
  accepted.sort((a, b) => a - b)
  const percentile = (part: number) => Math.round(accepted[Math.floor(accepted.length * part)] ?? NaN)
  // The first third fills caches and compiles; after that nothing may grow any more.
  const middle = average(memory.slice(Math.floor(memory.length / 3), Math.ceil((memory.length * 2) / 3)))
  const end = average(memory.slice(Math.floor((memory.length * 2) / 3)))
  const result = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    minutes: MINUTES,
    capacityPerSecond: { before: Math.round(capacity), after: Math.round(capacityAfter) },
    offeredPerSecond: Math.round((answers.length + unsent) / (MINUTES * 60)),
    acceptedPerSecond: Math.round(accepted.length / (MINUTES * 60)),
    /** Accepted, of what could be done. */
    goodput: Number((accepted.length / (MINUTES * 60) / ((capacity + capacityAfter) / 2)).toFixed(2)),
    acceptedMs: {
      p50: percentile(0.5),
      p95: percentile(0.95),
      p99: percentile(0.99),
      max: percentile(0.999999),
    },
    refused: refused.length,
    refusedWithoutRetryAfter: refused.filter(({ retryAfter }) => !retryAfter).length,
    others,
    otherStatuses: [...new Set(answers.map(({ status }) => status))].filter(
      (status) => status >= 300 || status === 0,
    ),
    foundNoConnection: unsent,
    memoryMb: {
      middle: Math.round(middle / 2 ** 20),
      end: Math.round(end / 2 ** 20),
      idle: Math.round(idle.memory / 2 ** 20),
    },
    memoryGrowth: Number(((end - middle) / middle).toFixed(3)),
    handles: { most: Math.max(...handles), before: idleBefore, after: idle.handles },
    stillServes,
  }
  console.log(JSON.stringify(result, null, 2))
  mkdirSync('reports', { recursive: true })
  writeFileSync('reports/soak.json', JSON.stringify(result, null, 2))
  const complaints = [
    result.acceptedMs.p99 < P99_MAX_MS ? '' : `p99 is not under ${P99_MAX_MS} ms`,
    result.refusedWithoutRetryAfter === 0 ? '' : 'refusals without Retry-After',
    others === 0 ? '' : `${others} answers that are neither accepted nor refused`,
    result.memoryGrowth < GROWTH_MAX ? '' : 'memory grows',
    idle.handles <= idleBefore + 10 ? '' : 'handles are left open',
    stillServes === 200 ? '' : 'it does not serve any more',
  ].filter(Boolean)
  if (complaints.length > 0) {
    console.error(complaints.join('\n'))
    process.exitCode = 1
  }
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
