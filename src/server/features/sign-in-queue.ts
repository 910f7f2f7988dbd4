/**
 * A fair queue for checking sign-ins with Steam (LIM-30, LIM-31). The checks have their own capacity, so that
 * slow Steam does not use up the capacity for other requests (`http/overload.ts`). Each client address has two
 * queues: one for accounts that have signed in here before and one for all others, so that invented accounts delay only
 * new accounts from the same address. A queue whose checks keep failing is throttled.
 */
import PQueue from 'p-queue'
import type { SteamId } from '#shared/entities.ts'
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'
import { slotLimits, Slots, takeAll } from '../slots.ts'

/** Checks that run at a time: in total, and of one queue. */
const CONCURRENCY = 20
const CONCURRENCY_PER_QUEUE = 4
/** Checks that start in any `rateMs`, in total: enough for a school class of 150 that signs in together. */
const RATE = 150
/** Checks of one queue that run or wait. */
const PENDING_PER_QUEUE_MAX = 200
/** Checks that wait in a throttled queue; more would time out before their turn. */
const WAITING_WHILE_THROTTLED_MAX = 20
/** Time limit for waiting and check together, in milliseconds. */
const TIMEOUT_MS = 20_000
/**
 * Checks of a queue that may fail in a burst; after that, one starts every `failureEveryMs`. Real sign-ins seldom fail,
 * and Steam blocks servers that send too many requests.
 */
const FAILURE_BURST = 10
/** Weight of an account's pending checks in the priority; larger than any arrival number. */
const ACCOUNT_WEIGHT = 2 ** 40
/** Queues whose failures are remembered. */
const FAILURE_LIMITS_MAX = 50_000

/** In milliseconds. With these values at most thirty checks a minute of one queue fail. */
const defaultTiming = { rateMs: 10_000, failureEveryMs: 3_000 }

export type ClaimedSignIn = {
  /** IP address of the client. */
  address: string
  /** The account it claims to own; not proven yet. */
  account: SteamId
  /** Whether that account has signed in here before. */
  isKnown: boolean
}

export type SignInQueue = {
  /**
   * Runs a check when it is its turn. The signal passed to `check` aborts when the client disconnects or the time limit
   * is over.
   * @throws AppError busy when a queue is full; the reason of the signal
   */
  run(
    claimed: ClaimedSignIn,
    clientLeft: AbortSignal,
    check: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean>
}

/**
 * Rate limit for the failed checks of a queue (generic cell rate algorithm): each adds `failureEveryMs` to `fullAt`,
 * the time by `performance.now()` when the whole burst is available again.
 */
type FailureLimit = { fullAt: number }
/** A check that waits. The highest priority runs first; the lowest is evicted when a throttled queue is full. */
type Waiting = { priority: number; evicted: AbortController }
type AddressQueue = {
  checks: PQueue
  failures: FailureLimit
  waiting: Set<Waiting>
  pending: number
  resumeTimer?: NodeJS.Timeout
}

/** The queue of one server. */
export function createSignInQueue(timing: Partial<typeof defaultTiming> = {}): SignInQueue {
  const { rateMs, failureEveryMs } = { ...defaultTiming, ...timing }
  const allChecks = new PQueue({
    concurrency: CONCURRENCY,
    intervalCap: RATE,
    interval: rateMs,
    strict: true,
  })
  /** Only the queues that are not empty. */
  const queues = new Map<string, AddressQueue>()
  const failureLimits = createLruCache<string, FailureLimit>(FAILURE_LIMITS_MAX)
  const all = new Slots(slotLimits.signIns)
  const accounts = new Slots(slotLimits.signInsOfAccount)
  let arrivals = 0

  function newQueue(name: string): AddressQueue {
    return {
      checks: new PQueue({ concurrency: CONCURRENCY_PER_QUEUE }),
      failures: failureLimits.get(name) ?? { fullAt: 0 },
      waiting: new Set(),
      pending: 0,
    }
  }

  /** How long a queue is throttled, in milliseconds; 0 or less when it is not. */
  function throttledMs({ failures }: AddressQueue): number {
    return failures.fullAt - performance.now() - (FAILURE_BURST - 1) * failureEveryMs
  }

  function pauseWhileThrottled(queue: AddressQueue): void {
    clearTimeout(queue.resumeTimer)
    const ms = throttledMs(queue)
    if (ms <= 0) return void queue.checks.start()
    queue.checks.pause()
    queue.resumeTimer = setTimeout(() => queue.checks.start(), ms).unref()
  }

  /**
   * Evicts the checks with the lowest priority from a full throttled queue.
   * @throws AppError busy when none is lower
   */
  function evictLowerThan({ waiting }: AddressQueue, priority: number): void {
    while (waiting.size >= WAITING_WHILE_THROTTLED_MAX) {
      const [lowest] = [...waiting].sort((a, b) => a.priority - b.priority)
      if (!lowest || lowest.priority > priority) throw new AppError('busy')
      waiting.delete(lowest)
      lowest.evicted.abort(new AppError('busy'))
    }
  }

  async function runCheck(
    queue: AddressQueue,
    signal: AbortSignal,
    check: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    // Counted as a failure before the result is known, so that concurrent checks cannot exceed the limit together.
    const { failures } = queue
    failures.fullAt = Math.max(failures.fullAt, performance.now()) + failureEveryMs
    const countedUntil = failures.fullAt
    pauseWhileThrottled(queue)
    let wasSent = false
    let passed = false
    try {
      passed = await allChecks.add(
        () => {
          wasSent = true
          return check(signal)
        },
        { signal },
      )
      return passed
    } finally {
      // A client that disconnects after the request was sent to Steam counts as a failure.
      if (passed || !wasSent) {
        failures.fullAt -= Math.min(Math.max(countedUntil - performance.now(), 0), failureEveryMs)
        pauseWhileThrottled(queue)
      }
    }
  }

  return {
    async run({ address, account, isKnown }, clientLeft, check) {
      const name = `${isKnown ? 'known' : 'new'} ${networkOf(address)}`
      const queue = queues.get(name) ?? newQueue(name)
      const accountInQueue = `${name} ${account}`
      const isThrottled = throttledMs(queue) > 0
      // Accounts with fewer pending checks go first. A throttled queue runs the latest check first, so that forged
      // returns sent earlier delay nobody.
      const priority = -accounts.of(accountInQueue) * ACCOUNT_WEIGHT + (isThrottled ? ++arrivals : 0)
      if (isThrottled) evictLowerThan(queue, priority)
      if (queue.waiting.size + queue.checks.pending >= PENDING_PER_QUEUE_MAX) throw new AppError('busy')
      const giveBack = takeAll([all, ''], [accounts, accountInQueue])
      if (!queues.has(name)) {
        queues.set(name, queue)
        failureLimits.set(name, queue.failures)
        pauseWhileThrottled(queue)
      }
      const entry = { priority, evicted: new AbortController() }
      const signal = AbortSignal.any([clientLeft, entry.evicted.signal, AbortSignal.timeout(TIMEOUT_MS)])
      queue.pending++
      queue.waiting.add(entry)
      try {
        // Only a few checks of each queue enter the common queue, so that one address cannot fill it.
        return await queue.checks.add(
          () => {
            queue.waiting.delete(entry)
            return runCheck(queue, signal, check)
          },
          { signal, priority },
        )
      } finally {
        queue.waiting.delete(entry)
        giveBack()
        if (--queue.pending === 0) queues.delete(name)
      }
    },
  }
}
