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
import { createCircles, type Page, type Sees, type User } from './circles.ts'
import { type Condition, type Telling, tellingsOf } from './topics.ts'

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

/** The open pages of one server. */
export function createLive({ database, polls, clock, log, timing }: Options) {
  const { queries } = database
  const circles = createCircles(queries, clock)
  /** Cache tags that have changed and were not looked up yet. */
  let changes = new Set<string>()
  /** Pages that wait to be let in. */
  let openings: [User, Page][] = []
  /** What changed lately, the latest last. */
  let recent: { at: number; tags: readonly string[] }[] = []
  const postponed = new Set<User>()
  let isRunning = false
  let isStopped = false
  /** Ends the pause between two lookups. */
  let wake = () => {}

  polls.onChange((tags) => {
    const now = performance.now()
    recent = recent.filter(({ at }) => now - at < timing.missedMs)
    recent.push({ at: now, tags })
    if (!isRunning) return
    for (const tag of tags) changes.add(tag)
    wake()
  })

  /** Polls and looks up what has changed while pages are open; one lookup at a time, so that what was read last is the latest. */
  async function run(): Promise<void> {
    isRunning = true
    let succeededAt = performance.now()
    while (circles.users.size > 0 && !isStopped) {
      const hasSucceeded = await lookUpOnce()
      if (hasSucceeded) succeededAt = performance.now()
      else if (performance.now() - succeededAt > timing.unknownMs)
        for (const user of circles.users.values()) for (const page of user.pages) end(user, page, 'database')
      await new Promise<void>((resolve) => {
        wake = () => setTimeout(resolve, GATHER_MS).unref()
        setTimeout(resolve, timing.pollMs).unref()
        // After a failure the next poll tries again.
        if (openings.length > 0 || (changes.size > 0 && hasSucceeded)) wake()
      })
    }
    isRunning = false
    changes = new Set()
  }

  /** Returns whether it has succeeded in time: what hangs must not stop the work for other pages. */
  async function lookUpOnce(): Promise<boolean> {
    const opened = openings
    openings = []
    let tags: ReadonlySet<string> = new Set()
    const work = async () => {
      await polls.refresh()
      tags = changes
      changes = new Set()
      await lookUp(tags, opened)
      return true
    }
    try {
      if (await withinMs(work(), timing.unknownMs)) return true
      throw new Error('the database does not respond')
    } catch (error) {
      // Outages are logged where they begin and end, and not at each poll.
      if (!(error instanceof DatabaseUnavailableError))
        log.warn({ err: error }, 'changes for open pages could not be read')
      for (const tag of tags) changes.add(tag)
      for (const [, { opening }] of opened) opening?.refuse(error)
      return false
    }
  }

  async function lookUp(tags: ReadonlySet<string>, opened: readonly [User, Page][]): Promise<void> {
    const isEverything = tags.has(EVERYTHING)
    await checkSessions(tags, opened)
    const added = new Set(opened.flatMap(([user, page]) => (page.opening ? [user] : [])))
    await circles.update(tags, isEverything, added)
    if (isEverything) for (const user of circles.users.values()) postpone(user)

    const tellings: Telling[] = []
    if (!isEverything) for (const tag of tags) tellings.push(...tellingsOf(circles, tag))
    if (added.size > 0)
      for (const { tags: earlier } of recent)
        for (const tag of earlier)
          if (tag !== EVERYTHING)
            for (const telling of tellingsOf(circles, tag))
              if (added.has(telling.user)) tellings.push(telling)
    for (const [user, about] of Map.groupBy(tellings, (telling) => telling.user)) {
      const holds = await conditionsOf(user, about)
      const told = about.filter((telling) => !telling.only || holds[telling.only](telling.about!))
      if (told.length > 0) tell(user, new Set(told.map((telling) => telling.topic)))
    }
    for (const [, page] of opened) {
      page.opening?.letIn()
      page.opening = undefined
    }
  }

  /** Ends the streams of sessions that have ended. */
  async function checkSessions(tags: ReadonlySet<string>, opened: readonly [User, Page][]): Promise<void> {
    const now = clock()
    const checked = [...opened]
    for (const user of circles.users.values()) {
      const isTold = tags.has(EVERYTHING) || tags.has(`sessions:${user.id}`)
      for (const page of user.pages) if (isTold || page.expiresAt <= now) checked.push([user, page])
    }
    if (checked.length === 0) return
    const hashes = new Set(checked.map(([, page]) => page.tokenHash))
    const ends = await sessionEnds(queries, [...hashes], now)
    for (const [user, page] of checked) {
      const endsAt = ends.get(page.tokenHash)
      if (endsAt === undefined) end(user, page, 'session')
      else page.expiresAt = endsAt
    }
  }

  function tell(user: User, topics: Iterable<Topic>): void {
    const all = [...topics]
    for (const { stream } of user.pages) stream.send(all)
  }

  /** Tells a user later that anything may have changed, so that not all pages read everything at once. */
  function postpone(user: User): void {
    if (postponed.has(user)) return
    postponed.add(user)
    setTimeout(() => {
      postponed.delete(user)
      const rooms = [...user.rooms.values()].map(({ topic }) => topic)
      tell(user, ['games', 'friends', 'groups', 'nights', 'sync', ...rooms])
    }, Math.random() * timing.spreadMs).unref()
  }

  function end(user: User, page: Page, reason: 'session' | 'database'): void {
    const { opening, stream } = page
    page.opening = undefined
    remove(user, page)
    if (opening) opening.refuse(refusals[reason]())
    else {
      if (reason === 'session') stream.send(['session'])
      stream.end()
    }
  }

  function remove(user: User, page: Page): void {
    if (user.pages.delete(page) && user.pages.size === 0) circles.remove(user)
  }

  return {
    /**
     * Sends what changes for a user to a page until its stream closes. Resolves when the page would miss nothing any more.
     * @throws AppError not_signed_in; busy when the database does not respond
     */
    async watch(
      { user: id, sees }: { user: SteamId; sees: Sees },
      { tokenHash, stream }: Pick<Page, 'tokenHash' | 'stream'>,
    ): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const user = circles.add(id, sees)
      const opening = { letIn: resolve, refuse: reject }
      const page: Page = { tokenHash, stream, expiresAt: Infinity, opening }
      user.pages.add(page)
      stream.onClose(() => {
        remove(user, page)
        // The client has gone while it waited.
        resolve()
      })
      openings.push([user, page])
      if (isRunning) wake()
      else void run()
      await promise
    },

    /** Stops polling. */
    stop() {
      isStopped = true
    },
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
    library: (player) => libraries.get(player)?.isShown === true,
    counts: (player) => libraries.get(player)?.isShown === true || libraries.get(player)?.counts === true,
  }
}

const refusals = {
  session: () => new AppError('not_signed_in'),
  database: () => new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }),
}
