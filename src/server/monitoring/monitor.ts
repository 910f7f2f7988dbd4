/** What a server knows of itself and of the work that waits: its heartbeat (OPER-4), and the figures of metrics. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import {
  countOutbox,
  countRefreshes,
  type ErrorCount,
  listServers,
  noteStop,
  type SeenServer,
  type ServerRow,
  writeServer,
} from '../storage/operator.ts'
import { dayOf, readCalls, readHost } from '../storage/steam-hosts.ts'
import { type Log, type Loop, startLoop } from '../sync/loop.ts'

const SIGN_OF_LIFE_MS = 60_000
/** How long a server is listed after its last heartbeat; its errors of the last hour count as long as that. */
const LISTED_MS = 60 * 60_000
/** How long figures for metrics are used again, so that frequent scrapes cost no queries. */
const BACKLOG_MS = 10_000

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}

/** Work that waits, and what is left for it. */
export type Backlog = { callsLeft: number; refreshList: number; outbox: number }

export type Monitor = {
  readonly serverId: string
  /** All servers seen in the last hour; of this one the present state. */
  servers(): Promise<SeenServer[]>
  /** Calls to Steam on this day (UTC), by all servers, and until when it wants none; null for no such time. */
  steamCalls(): Promise<{ used: number; left: number; blockedUntil: number | null }>
  /** For metrics; at most ten seconds old. */
  backlog(): Promise<Backlog>
  /**
   * Writes a heartbeat, and from then on each minute.
   */
  start(): Promise<void>
  /** Notes that the server was stopped. */
  stop(): Promise<void>
}

type Options = {
  database: Database
  errors: ErrorCounts
  /** Steam's host, and the calls it allows per day. */
  steam: { host: string; callsPerDay: number }
  clock: () => number
  log: Log
}

/** The monitor of one server. */
export function createMonitor({ database, errors, steam, clock, log }: Options): Monitor {
  const { queries } = database
  const startedAt = clock()
  // The name of the machine tells servers apart for people, the rest for the database.
  const serverId = `${hostname().slice(0, 40)} ${process.pid} ${randomUUID().slice(0, 8)}`
  let loop: Loop | undefined
  let known: { at: number; backlog: Promise<Backlog> } | undefined

  const self = (): ServerRow => ({
    server_id: serverId,
    version,
    started_at: startedAt,
    seen_at: clock(),
    errors: errors.lastHour(),
    memory_bytes: process.memoryUsage.rss(),
  })

  async function steamCalls() {
    const now = clock()
    const [used, { blocked_until }] = await Promise.all([
      readCalls(queries, steam.host, dayOf(now)),
      readHost(queries, steam.host),
    ])
    const left = Math.max(0, steam.callsPerDay - used)
    return { used, left, blockedUntil: blocked_until > now ? blocked_until : null }
  }

  async function readBacklog(): Promise<Backlog> {
    const [{ left }, { waiting }, outbox] = await Promise.all([
      steamCalls(),
      countRefreshes(queries),
      countOutbox(queries),
    ])
    return { callsLeft: left, refreshList: waiting, outbox }
  }

  return {
    serverId,

    async servers() {
      const rows = await listServers(queries, clock() - LISTED_MS)
      return [{ ...self(), stopped_at: null }, ...rows.filter((row) => row.server_id !== serverId)]
    },

    steamCalls,

    backlog() {
      const at = performance.now()
      if (known && at - known.at < BACKLOG_MS) return known.backlog
      const backlog = readBacklog()
      known = { at, backlog }
      backlog.catch(() => (known = undefined))
      return backlog
    },

    async start() {
      if (loop) return
      await writeServer(queries, self())
      loop = startLoop(
        'heartbeat',
        async () => {
          await writeServer(queries, self())
          return SIGN_OF_LIFE_MS
        },
        log,
      )
    },

    async stop() {
      if (!loop) return
      await loop.stop()
      loop = undefined
      await noteStop(queries, serverId, clock()).catch((error: unknown) =>
        log.warn({ err: error }, 'the end of this server could not be noted'),
      )
    },
  }
}

const MINUTE_MS = 60_000
const MINUTES = 60
/** Kinds of failures that are reported; the rarest are left out. */
const REPORTED_MAX = 50

export type ErrorCounts = {
  note(failure: Pick<ErrorCount, 'status' | 'code' | 'route'>): void
  /** Unexpected failures first, then the most frequent. */
  lastHour(): ErrorCount[]
}

/** The failed responses of one server in the last hour, by status, code and route (OPER-4). */
export function createErrorCounts(clock: () => number): ErrorCounts {
  /** Counts of a minute by what failed, by the number of the minute. */
  const minutes = new Map<number, Map<string, ErrorCount>>()

  function forget(now: number): void {
    for (const minute of minutes.keys()) if (minute <= now - MINUTES) minutes.delete(minute)
  }

  return {
    note({ status, code, route }) {
      const last_at = clock()
      const now = Math.floor(last_at / MINUTE_MS)
      let counts = minutes.get(now)
      if (!counts) {
        forget(now)
        minutes.set(now, (counts = new Map<string, ErrorCount>()))
      }
      const key = `${status} ${code} ${route}`
      const counted = counts.get(key)
      if (counted) Object.assign(counted, { count: counted.count + 1, last_at })
      else counts.set(key, { status, code, route, count: 1, last_at })
    },

    lastHour() {
      forget(Math.floor(clock() / MINUTE_MS))
      return sumErrors([...minutes.values()].map((counts) => [...counts.values()]))
    },
  }
}

/** Adds up counts of several minutes or servers, in the order of {@link ErrorCounts.lastHour}. */
export function sumErrors(lists: readonly (readonly ErrorCount[])[]): ErrorCount[] {
  const sums = new Map<string, ErrorCount>()
  for (const one of lists.flat()) {
    const key = `${one.status} ${one.code} ${one.route}`
    const sum = sums.get(key)
    if (sum) {
      sum.count += one.count
      sum.last_at = Math.max(sum.last_at, one.last_at)
    } else sums.set(key, { ...one })
  }
  const isServerError = ({ status }: ErrorCount) => Number(status >= 500)
  return [...sums.values()]
    .sort((a, b) => isServerError(b) - isServerError(a) || b.count - a.count)
    .slice(0, REPORTED_MAX)
}
