/**
 * Whose sign-in the platform is asked about, and when (LIM-30, LIM-31). A check takes as long as the platform takes, so
 * it has places of its own: those for all other requests stay free (`overload.ts`). Returns wait in lines: each address
 * has one for accounts that have signed in here before and one for all others, so that invented accounts stand only
 * before newcomers of their own address.
 */
import PQueue from 'p-queue'
import type { SteamId } from '#shared/entities.ts'
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

/** Checks that run at a time, of everybody and of one line. */
const AT_ONCE = 20
const AT_ONCE_PER_LINE = 4
/** Checks that begin in any `rateMs`, of everybody: a school begins a lesson with 150 sign-ins. */
const RATE = 150
/** Checks that run or wait, of everybody, of one line, and of one account in a line. */
const TAKEN = 1000
const TAKEN_PER_LINE = 200
const TAKEN_PER_ACCOUNT = 50
/** Checks that wait in a line that its failures hold up: it would not get round to more within anybody's patience. */
const HELD_UP = 20
/** Waiting and check together, in milliseconds; a browser's visitor does not wait longer either. */
const PATIENCE_MS = 20_000
/**
 * Checks of a line that may fail one right after the other; then one begins every `failureEveryMs`. People seldom fail,
 * and the platform blocks who asks too often.
 */
const FAILURES_AT_ONCE = 10
/** More than any server takes in: what the number of an arrival never outweighs. */
const MORE_THAN_ARRIVE = 2 ** 40
/** Lines whose failures are remembered at a time. */
const REMEMBERED = 50_000

/** In milliseconds. With these a line has at most thirty checks a minute that fail. */
const defaultTiming = { rateMs: 10_000, failureEveryMs: 3_000 }

export type ClaimedSignIn = {
  /** Where the return came from. */
  address: string
  /** Whose account it claims to be; not proven yet. */
  account: SteamId
  /** Whether that account has signed in here before. */
  isKnown: boolean
}

export type ProviderTurns = {
  /**
   * Runs a check when it is its turn. `signal` ends with the visitor's connection or their patience.
   * @throws AppError busy; the reason of the signal
   */
  take(
    claimed: ClaimedSignIn,
    visitorLeft: AbortSignal,
    check: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean>
}

/** When the failures of a line are made up for, by `performance.now()`; each takes `failureEveryMs`. */
type Debt = { until: number }
/** One who waits; the highest `priority` is served first, the lowest gives way where there is no room. */
type Waiting = { priority: number; turn: AbortController }
type Line = {
  queue: PQueue
  debt: Debt
  waiting: Set<Waiting>
  taken: number
  takenBy: Map<SteamId, number>
  timer?: NodeJS.Timeout
}

/** The turns of one server. */
export function createProviderTurns(timing: Partial<typeof defaultTiming> = {}): ProviderTurns {
  const { rateMs, failureEveryMs } = { ...defaultTiming, ...timing }
  const everybody = new PQueue({ concurrency: AT_ONCE, intervalCap: RATE, interval: rateMs, strict: true })
  /** Those in which somebody is. */
  const lines = new Map<string, Line>()
  const debts = createLruCache<string, Debt>(REMEMBERED)
  let taken = 0
  let arrivals = 0

  function newLine(name: string): Line {
    return {
      queue: new PQueue({ concurrency: AT_ONCE_PER_LINE }),
      debt: debts.get(name) ?? { until: 0 },
      waiting: new Set(),
      taken: 0,
      takenBy: new Map(),
    }
  }

  /** How long a line has to wait because of its failures; 0 or less when it need not. */
  function waitMs({ debt }: Line): number {
    return debt.until - performance.now() - (FAILURES_AT_ONCE - 1) * failureEveryMs
  }

  function pauseWhileOwing(line: Line): void {
    clearTimeout(line.timer)
    const ms = waitMs(line)
    if (ms <= 0) return void line.queue.start()
    line.queue.pause()
    line.timer = setTimeout(() => line.queue.start(), ms).unref()
  }

  /** Has those who would be served last in a line that is held up give way to one who would be served before them. */
  function makeRoom({ waiting }: Line, priority: number): void {
    while (waiting.size >= HELD_UP) {
      const [last] = [...waiting].sort((a, b) => a.priority - b.priority)
      if (!last || last.priority > priority) throw new AppError('busy')
      waiting.delete(last)
      last.turn.abort(new AppError('busy'))
    }
  }

  async function check(
    line: Line,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    // Before it is known how it ends: those that run at once must not pass the limit together.
    const { debt } = line
    debt.until = Math.max(debt.until, performance.now()) + failureEveryMs
    const madeUpAt = debt.until
    pauseWhileOwing(line)
    let wasAsked = false
    let passed = false
    try {
      passed = await everybody.add(
        () => {
          wasAsked = true
          return ask(signal)
        },
        { signal },
      )
      return passed
    } finally {
      // A visitor who hangs up once the platform was asked has failed like any other.
      if (passed || !wasAsked) {
        debt.until -= Math.min(Math.max(madeUpAt - performance.now(), 0), failureEveryMs)
        pauseWhileOwing(line)
      }
    }
  }

  return {
    async take({ address, account, isKnown }, visitorLeft, ask) {
      const name = `${isKnown ? 'known' : 'new'} ${networkOf(address)}`
      const line = lines.get(name) ?? newLine(name)
      const own = line.takenBy.get(account) ?? 0
      const isHeldUp = waitMs(line) > 0
      // Accounts take turns, so that one who claims the same account again and again stands behind those with one claim.
      // In a line that is held up the last come is served first: returns that were forged before delay nobody.
      const priority = -own * MORE_THAN_ARRIVE + (isHeldUp ? ++arrivals : 0)
      if (isHeldUp) makeRoom(line, priority)
      if (
        taken >= TAKEN ||
        own >= TAKEN_PER_ACCOUNT ||
        line.waiting.size + line.queue.pending >= TAKEN_PER_LINE
      )
        throw new AppError('busy')
      if (!lines.has(name)) {
        lines.set(name, line)
        debts.set(name, line.debt)
        pauseWhileOwing(line)
      }
      const mine = { priority, turn: new AbortController() }
      const signal = AbortSignal.any([visitorLeft, mine.turn.signal, AbortSignal.timeout(PATIENCE_MS)])
      taken++
      line.taken++
      line.takenBy.set(account, own + 1)
      line.waiting.add(mine)
      try {
        // Each line has a few in the line of everybody, so that who comes next is not behind all of another's.
        return await line.queue.add(
          () => {
            line.waiting.delete(mine)
            return check(line, signal, ask)
          },
          { signal, priority },
        )
      } finally {
        line.waiting.delete(mine)
        taken--
        const left = line.takenBy.get(account)! - 1
        if (left === 0) line.takenBy.delete(account)
        else line.takenBy.set(account, left)
        if (--line.taken === 0) lines.delete(name)
      }
    },
  }
}
