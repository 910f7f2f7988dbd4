/**
 * Notifies the pages that look at a game night of its changes (NIGHT-40 to NIGHT-46). While there is one, this server
 * polls the database (`cache/tag-cache.ts`), once for all pages, and looks up only what has changed.
 */
import type { NightChange } from '#shared/contract/live.ts'
import type { Polls } from '../cache/tag-cache.ts'
import { type Database, DatabaseUnavailableError } from '../database/database.ts'
import { EVERYTHING } from '../database/cache-tags.ts'
import { AppError } from '../errors.ts'
import { sessionEnds } from '../storage/sessions.ts'
import { withinMs } from '../time.ts'
import { readWatchedNights } from '../storage/watched-nights.ts'
import { createWatchers, type LiveNight, type Page, type Watcher } from './watchers.ts'

export type Live = {
  /**
   * Sends the changes of a night to a page until its stream closes. Resolves when the user may look at the night; a
   * page that has not seen its version is sent a change then.
   * @throws AppError not_signed_in, night_not_found; busy when the database does not respond
   */
  watch(page: Page): Promise<void>
  /** Stops polling and reading presence. */
  stop(): Promise<void>
}

export type LiveTiming = {
  /** Between two polls, in milliseconds. */
  pollMs: number
  /** Streams end when the database has not responded for this long: nobody knows then who may still look. */
  unknownMs: number
  /** When it is not known what has changed, the pages are notified one after another within this time. */
  spreadMs: number
}
export const defaultLiveTiming: LiveTiming = { pollMs: 300, unknownMs: 5000, spreadMs: 10_000 }

/** Changes that are found within this time are looked up together. */
const GATHER_MS = 20
/** How often this server tries to read the presence of a night; the database decides which server does. */
const PRESENCE_MS = 60_000
const RETRY_SECONDS = 2
/** The beginning of cache tags of players. */
const PERSON = 'person:'

type Options = {
  database: Pick<Database, 'queries'>
  polls: Pick<Polls, 'refresh' | 'onChange'>
  /** Reads the presence of the players of nights in the background; `refresh` is false when it is busy. */
  presence: { refresh(nightIds: readonly number[]): boolean; stop(): Promise<void> }
  /** Milliseconds since 1970. */
  clock: () => number
  log: { warn(fields: object, text: string): void }
  timing: LiveTiming
}

/** What is to be looked up, and which nights have changed in any case. */
type Lookup = { nights: Set<LiveNight>; watchers: Set<Watcher>; changed: Set<LiveNight> }

/** The pages that look at game nights, on one server. */
export function createLive({ database, polls, presence, clock, log, timing }: Options): Live {
  const { queries } = database
  const watchers = createWatchers()
  /** Cache tags that have changed and were not looked up yet. */
  let changes = new Set<string>()
  let openings: Watcher[] = []
  let isScheduled = false
  let isRunning = false
  let isPolling = false
  /** Since when polls, and lookups, have not succeeded, by `performance.now()`. */
  const failing: { poll?: number | undefined; lookup?: number | undefined } = {}
  let timer: NodeJS.Timeout | undefined

  polls.onChange((names) => {
    if (watchers.all.size === 0) return
    for (const name of names) changes.add(name)
    schedule()
  })

  function schedule(): void {
    if (isScheduled || isRunning) return
    isScheduled = true
    setTimeout(() => void run(), GATHER_MS).unref()
  }

  /** Looks up what has changed; one lookup at a time, so that what was read last is the latest. */
  async function run(): Promise<void> {
    isScheduled = false
    isRunning = true
    failing.lookup ??= performance.now()
    const [names, opened] = [changes, openings]
    changes = new Set()
    openings = []
    let hasFailed = false
    try {
      await inTime(lookUp(names, opened))
      failing.lookup = undefined
    } catch (error) {
      warnOf(error, 'changes of game nights could not be read')
      hasFailed = true
      for (const name of names) changes.add(name)
      for (const { opening } of opened) opening?.refuse(error)
    }
    isRunning = false
    // After a failure the next poll tries again.
    if (openings.length > 0 || (changes.size > 0 && !hasFailed)) schedule()
  }

  async function lookUp(names: ReadonlySet<string>, opened: readonly Watcher[]): Promise<void> {
    const isEverything = names.has(EVERYTHING)
    const lookup = concerned(names, opened)
    const before = new Map([...lookup.nights].map((night) => [night, night.version]))
    const [sessions, nights] = await Promise.all([
      sessionEnds(queries, [...new Set([...lookup.watchers].map((one) => one.tokenHash))], clock()),
      readWatchedNights(
        queries,
        [...before.keys()].map((night) => night.id),
      ),
    ])
    for (const watcher of lookup.watchers) {
      const endsAt = sessions.get(watcher.tokenHash)
      if (endsAt === undefined) end(watcher, 'session')
      else watcher.expiresAt = endsAt
    }
    for (const [night, version] of before) {
      Object.assign(night, nights.get(night.id) ?? { players: new Set() })
      for (const watcher of [...night.watchers]) if (!night.players.has(watcher.user)) end(watcher, 'removed')
      if (version === 0) readPresence([night])
      else if (night.version !== version) lookup.changed.add(night)
      else if (isEverything && !lookup.changed.has(night)) postpone(night)
    }
    for (const night of lookup.changed) announce(night)
    for (const watcher of opened) letIn(watcher)
  }

  /** What these cache tags and new pages concern. */
  function concerned(names: ReadonlySet<string>, opened: readonly Watcher[]): Lookup {
    const isEverything = names.has(EVERYTHING)
    const people = new Set(
      [...names].filter((name) => name.startsWith(PERSON)).map((name) => name.slice(PERSON.length)),
    )
    const lookup: Lookup = {
      nights: new Set(opened.map(({ night }) => night)),
      watchers: new Set(opened),
      changed: new Set(),
    }
    for (const night of watchers.nights.values()) {
      const isNamed = names.has(`night:${night.id}`)
      if (isEverything || isNamed) lookup.nights.add(night)
      if (isNamed || !night.players.isDisjointFrom(people)) lookup.changed.add(night)
    }
    for (const watcher of watchers.all)
      if (isEverything || names.has(`sessions:${watcher.user}`)) lookup.watchers.add(watcher)
    return lookup
  }

  function letIn(watcher: Watcher): void {
    const { opening, night, stream } = watcher
    if (!opening) return
    watcher.opening = undefined
    if (stream.lastEventId !== String(night.version)) tell(watcher)
    opening.letIn()
  }

  /** Notifies all pages of a night of a change. Pages that are being let in will read it afterwards. */
  function announce({ watchers }: LiveNight): void {
    for (const watcher of watchers) if (!watcher.opening) tell(watcher)
  }

  function tell({ stream, night: { version } }: Watcher): void {
    stream.send({ name: 'change', id: version, data: { version } satisfies NightChange })
  }

  function postpone(night: LiveNight): void {
    if (night.isPostponed) return
    night.isPostponed = true
    setTimeout(() => {
      night.isPostponed = false
      announce(night)
    }, Math.random() * timing.spreadMs).unref()
  }

  function end(watcher: Watcher, reason: 'session' | 'removed' | 'database'): void {
    const { opening, stream } = watcher
    watcher.opening = undefined
    watchers.remove(watcher)
    if (opening) opening.refuse(refusals[reason]())
    else stream.end(reason)
  }

  function tick(): void {
    if (watchers.all.size === 0) {
      clearInterval(timer)
      timer = undefined
      changes = new Set()
      failing.poll = failing.lookup = undefined
      return
    }
    const now = performance.now()
    const since = Math.min(failing.poll ?? now, failing.lookup ?? now)
    if (now - since > timing.unknownMs) {
      for (const watcher of [...watchers.all]) end(watcher, 'database')
      failing.poll = failing.lookup = undefined
      return
    }
    const time = clock()
    for (const { expiresAt, user } of watchers.all) if (expiresAt <= time) changes.add(`sessions:${user}`)
    if (changes.size > 0) schedule()
    readPresence([...watchers.nights.values()])
    if (!isPolling) void poll()
  }

  /** Outages are logged where they begin and end (`database/outages.ts`), and not at each poll. */
  function warnOf(error: unknown, text: string): void {
    if (!(error instanceof DatabaseUnavailableError)) log.warn({ err: error }, text)
  }

  async function poll(): Promise<void> {
    isPolling = true
    failing.poll ??= performance.now()
    try {
      await inTime(Promise.resolve(polls.refresh()))
      failing.poll = undefined
    } catch (error) {
      warnOf(error, 'the database could not be polled for pages that look at game nights')
    }
    isPolling = false
  }

  /** What hangs must not stop the work for other pages. @throws Error when it takes too long */
  async function inTime(work: Promise<void>): Promise<void> {
    const done = await withinMs(
      work.then(() => true),
      timing.unknownMs,
    )
    if (!done) throw new Error('the database does not respond')
  }

  function readPresence(nights: readonly LiveNight[]): void {
    const now = clock()
    const due = nights.filter((night) => now - night.presenceAt >= PRESENCE_MS)
    if (due.length === 0 || !presence.refresh(due.map((night) => night.id))) return
    for (const night of due) night.presenceAt = now
  }

  return {
    async watch(page) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const watcher = watchers.add(page, { letIn: resolve, refuse: reject })
      page.stream.onClose(() => {
        watchers.remove(watcher)
        // The client has gone while it waited.
        resolve()
      })
      timer ??= setInterval(tick, timing.pollMs).unref()
      openings.push(watcher)
      schedule()
      await promise
    },

    async stop() {
      clearInterval(timer)
      await presence.stop()
    },
  }
}

const refusals = {
  session: () => new AppError('not_signed_in'),
  removed: () => new AppError('night_not_found'),
  database: () => new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }),
}
