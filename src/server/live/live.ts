/**
 * Tells open pages what has changed (LIVE-1 to LIVE-7). While there is one, this server polls the database
 * (`cache/tag-cache.ts`), once for all pages, and looks up only whom the changes concern.
 */
import type { Topic } from '#shared/contract/live.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Polls } from '../cache/tag-cache.ts'
import { type Database, DatabaseUnavailableError } from '../database/database.ts'
import { EVERYTHING } from '../database/cache-tags.ts'
import { AppError } from '../errors.ts'
import { sessionEnds } from '../storage/accounts/sessions.ts'
import { withinMs } from '../time.ts'
import { createCircles, type Sees, type User } from './circles.ts'
import { type Condition, type Telling, tellingsOf } from './topics.ts'

/** An open response that sends events; `http/event-streams.ts` implements it. */
export type EventStream = {
  /** Says what has changed. A client that is not ready gets everything that it missed as one event. */
  send(topics: Iterable<Topic>): void
  end(): void
  /** Calls `listener` once, when the response has ended for any reason. */
  onClose(listener: () => void): void
}

/** A page that listens. */
export type Page = { user: SteamId; tokenHash: string; stream: EventStream; sees: Sees }

export type Live = {
  /**
   * Sends what changes for a user to a page until its stream closes. Resolves when the page would miss nothing any more.
   * @throws AppError not_signed_in; busy when the database does not respond
   */
  watch(page: Page): Promise<void>
  /** Stops polling. */
  stop(): void
}

export type LiveTiming = {
  /** Between two polls, in milliseconds. */
  pollMs: number
  /** Streams end when the database has not responded for this long: nobody knows then who may still listen. */
  unknownMs: number
  /** When it is not known what has changed, the pages are told one after another within this time. */
  spreadMs: number
  /** A page that opens its stream is told of what changed this long before: it may have read its data earlier. */
  missedMs: number
}
export const defaultLiveTiming: LiveTiming = {
  pollMs: 300,
  unknownMs: 5000,
  spreadMs: 10_000,
  missedMs: 3000,
}

/** Changes that are found within this time are looked up together. */
const GATHER_MS = 20
const RETRY_SECONDS = 2

type Options = {
  database: Pick<Database, 'queries'>
  polls: Pick<Polls, 'refresh' | 'onChange'>
  /** Milliseconds since 1970. */
  clock: () => number
  log: { warn(fields: object, text: string): void }
  timing: LiveTiming
}

/** An open page. */
type Watcher = {
  readonly user: User
  readonly tokenHash: string
  readonly stream: EventStream
  /** When its session ends if it is not used. */
  expiresAt: number
  /** While it waits to be let in. */
  opening: { letIn: () => void; refuse: (error: unknown) => void } | undefined
}

/** The open pages of one server. */
export function createLive({ database, polls, clock, log, timing }: Options): Live {
  const { queries } = database
  const circles = createCircles(queries, clock)
  const watchers = new Map<User, Set<Watcher>>()
  /** Cache tags that have changed and were not looked up yet. */
  let changes = new Set<string>()
  let openings: Watcher[] = []
  /** What changed lately, the latest last. */
  let recent: { at: number; tags: readonly string[] }[] = []
  const postponed = new Set<User>()
  let isScheduled = false
  let isRunning = false
  let isPolling = false
  /** Since when polls, and lookups, have not succeeded, by `performance.now()`. */
  const failing: { poll?: number | undefined; lookup?: number | undefined } = {}
  let timer: NodeJS.Timeout | undefined

  polls.onChange((tags) => {
    const now = performance.now()
    recent = recent.filter(({ at }) => now - at < timing.missedMs)
    recent.push({ at: now, tags })
    if (watchers.size === 0) return
    for (const tag of tags) changes.add(tag)
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
    const [tags, opened] = [changes, openings]
    changes = new Set()
    openings = []
    let hasFailed = false
    try {
      await inTime(lookUp(tags, opened))
      failing.lookup = undefined
    } catch (error) {
      warnOf(error, 'changes for open pages could not be read')
      hasFailed = true
      for (const tag of tags) changes.add(tag)
      for (const { opening } of opened) opening?.refuse(error)
    }
    isRunning = false
    // After a failure the next poll tries again.
    if (openings.length > 0 || (changes.size > 0 && !hasFailed)) schedule()
  }

  async function lookUp(tags: ReadonlySet<string>, opened: readonly Watcher[]): Promise<void> {
    const isEverything = tags.has(EVERYTHING)
    await checkSessions(tags, opened)
    const added = new Set(opened.filter((watcher) => watcher.opening).map((watcher) => watcher.user))
    await circles.update(tags, isEverything, added)
    if (isEverything) for (const user of circles.users()) postpone(user)

    const tellings: Telling[] = []
    if (!isEverything) for (const tag of tags) tellings.push(...tellingsOf(circles, tag))
    if (added.size > 0)
      for (const { tags: earlier } of recent)
        for (const tag of earlier)
          if (tag !== EVERYTHING)
            for (const telling of tellingsOf(circles, tag))
              if (added.has(telling.user)) tellings.push(telling)
    for (const [user, topics] of await topicsOf(tellings)) tell(user, topics)
    for (const watcher of opened) {
      watcher.opening?.letIn()
      watcher.opening = undefined
    }
  }

  /** Ends the streams of sessions that have ended. */
  async function checkSessions(tags: ReadonlySet<string>, opened: readonly Watcher[]): Promise<void> {
    const checked = new Set(opened)
    for (const [user, all] of watchers)
      if (tags.has(EVERYTHING) || tags.has(`sessions:${user.id}`)) for (const one of all) checked.add(one)
    if (checked.size === 0) return
    const hashes = new Set([...checked].map((one) => one.tokenHash))
    const ends = await sessionEnds(queries, [...hashes], clock())
    for (const watcher of checked) {
      const endsAt = ends.get(watcher.tokenHash)
      if (endsAt === undefined) end(watcher, 'session')
      else watcher.expiresAt = endsAt
    }
  }

  /** The topics of each user for whom the conditions hold. */
  async function topicsOf(tellings: readonly Telling[]): Promise<Map<User, Set<Topic>>> {
    const topics = new Map<User, Set<Topic>>()
    for (const [user, about] of Map.groupBy(tellings, (telling) => telling.user)) {
      const holds = await conditionsOf(user, about)
      const told = about.filter((telling) => !telling.only || holds[telling.only](telling.about!))
      if (told.length > 0) topics.set(user, new Set(told.map((telling) => telling.topic)))
    }
    return topics
  }

  function tell(user: User, topics: Iterable<Topic>): void {
    const all = [...topics]
    for (const { stream } of watchers.get(user) ?? []) stream.send(all)
  }

  /** Tells a user later that anything may have changed, so that not all pages read everything at once. */
  function postpone(user: User): void {
    if (postponed.has(user)) return
    postponed.add(user)
    setTimeout(() => {
      postponed.delete(user)
      const rooms = [...user.groups.keys()].map((id): Topic => `group:${id}`)
      const nights = [...user.nights.keys()].map((id): Topic => `night:${id}`)
      tell(user, ['games', 'friends', 'groups', ...rooms, 'nights', ...nights, 'sync'])
    }, Math.random() * timing.spreadMs).unref()
  }

  function end(watcher: Watcher, reason: 'session' | 'database'): void {
    const { opening, stream } = watcher
    watcher.opening = undefined
    remove(watcher)
    if (opening) opening.refuse(refusals[reason]())
    else {
      if (reason === 'session') stream.send(['session'])
      stream.end()
    }
  }

  function remove(watcher: Watcher): void {
    const { user } = watcher
    const all = watchers.get(user)
    if (!all?.delete(watcher) || all.size > 0) return
    watchers.delete(user)
    circles.remove(user)
  }

  function tick(): void {
    if (watchers.size === 0) {
      clearInterval(timer)
      timer = undefined
      changes = new Set()
      failing.poll = failing.lookup = undefined
      return
    }
    const now = performance.now()
    const since = Math.min(failing.poll ?? now, failing.lookup ?? now)
    if (now - since > timing.unknownMs) {
      for (const all of [...watchers.values()]) for (const watcher of [...all]) end(watcher, 'database')
      failing.poll = failing.lookup = undefined
      return
    }
    const time = clock()
    for (const [user, all] of watchers)
      for (const { expiresAt } of all) if (expiresAt <= time) changes.add(`sessions:${user.id}`)
    if (changes.size > 0) schedule()
    if (!isPolling) void poll()
  }

  /** Outages are logged where they begin and end (`database/postgres.ts`), and not at each poll. */
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
      warnOf(error, 'the database could not be polled for open pages')
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

  return {
    async watch({ user: id, tokenHash, stream, sees }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const user = circles.add(id, sees)
      const opening = { letIn: resolve, refuse: reject }
      const watcher: Watcher = { user, tokenHash, stream, expiresAt: Infinity, opening }
      watchers.set(user, (watchers.get(user) ?? new Set()).add(watcher))
      stream.onClose(() => {
        remove(watcher)
        // The client has gone while it waited.
        resolve()
      })
      timer ??= setInterval(tick, timing.pollMs).unref()
      openings.push(watcher)
      schedule()
      await promise
    },

    stop: () => clearInterval(timer),
  }
}

/** Whether the conditions of these tellings hold, each asked once for all players. */
async function conditionsOf(
  user: User,
  tellings: readonly Telling[],
): Promise<Record<Condition, (player: SteamId) => boolean>> {
  const asked = (...conditions: Condition[]) =>
    tellings.filter(({ only }) => only && conditions.includes(only)).map(({ about }) => about!)
  const { sees, former } = user
  const ofFriends = await sees.friends(asked('friend', 'friends_games', 'friendship'))
  const friends = new Map(ofFriends.map((friend) => [friend.steam_id, friend]))
  const libraries = await sees.libraries(asked('library', 'counts'))
  const counting = await sees.counting(asked('counts'))
  return {
    friend: (player) => friends.get(player)?.isConnected === true,
    friends_games: (player) => friends.get(player)?.isLibraryShown === true,
    friendship(player) {
      const isFormer = friends.get(player)?.isConnected === false
      if (isFormer === former.has(player)) return false
      if (isFormer) former.add(player)
      else former.delete(player)
      return true
    },
    library: (player) => libraries.has(player),
    counts: (player) => libraries.has(player) || counting.has(player),
  }
}

const refusals = {
  session: () => new AppError('not_signed_in'),
  database: () => new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }),
}
