/**
 * Whose sign-in the platform is asked about, and when (LIM-30, LIM-31). A check takes as long as the platform takes, so it has places of
 * its own: those for all other requests stay free (`overload.ts`), and no address takes more than its part of these.
 */
import PQueue from 'p-queue'
import { AppError } from '../errors.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { networkOf } from '../client-address.ts'

/** Checks that run at a time, of everybody and of one address. */
const AT_ONCE = 20
const AT_ONCE_PER_ADDRESS = 4
/** Checks that run or wait, of everybody and of one address: a school begins a lesson with 150 sign-ins. */
const TAKEN = 1000
const TAKEN_PER_ADDRESS = 200
/** Waiting and check together, in milliseconds; a browser's visitor does not wait longer either. */
const PATIENCE_MS = 20_000
/** Checks of one address that may fail in a minute: people seldom fail, and the platform blocks who asks too often. */
const FAILURES_PER_MINUTE = 30
const MINUTE_MS = 60_000
/** Addresses whose failures are counted at a time. */
const COUNTED = 50_000

export type ProviderTurns = {
  /**
   * Runs a check when it is this address's turn. `signal` ends with the visitor's connection or their patience.
   * @throws AppError busy, too_many_requests; the reason of the signal
   */
  take(
    address: string,
    visitorLeft: AbortSignal,
    check: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean>
}

/** The turns of one server. */
export function createProviderTurns(): ProviderTurns {
  const everybody = new PQueue({ concurrency: AT_ONCE })
  const networks = new Map<string, { queue: PQueue; taken: number }>()
  const failures = createLruCache<string, { count: number; endsAt: number }>(COUNTED)
  let taken = 0

  function failuresOf(network: string): { count: number; endsAt: number } {
    // Not the injected clock: tests that let days pass are not to have new windows.
    const now = performance.now()
    const known = failures.get(network)
    if (known && known.endsAt > now) return known
    const fresh = { count: 0, endsAt: now + MINUTE_MS }
    failures.set(network, fresh)
    return fresh
  }

  async function check(
    network: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    // Counted before it is known: those that run at once must not pass the limit together.
    const failed = failuresOf(network)
    if (failed.count >= FAILURES_PER_MINUTE) throw new AppError('too_many_requests')
    failed.count++
    const passed = await ask(signal)
    if (passed) failed.count--
    return passed
  }

  return {
    async take(address, visitorLeft, ask) {
      const network = networkOf(address)
      const own = networks.get(network) ?? {
        queue: new PQueue({ concurrency: AT_ONCE_PER_ADDRESS }),
        taken: 0,
      }
      if (taken >= TAKEN || own.taken >= TAKEN_PER_ADDRESS) throw new AppError('busy')
      networks.set(network, own)
      const signal = AbortSignal.any([visitorLeft, AbortSignal.timeout(PATIENCE_MS)])
      taken++
      own.taken++
      try {
        // Each address has a few in the line of everybody, so that whoever comes next is not behind all of another's.
        return await own.queue.add(() => everybody.add(() => check(network, signal, ask), { signal }), {
          signal,
        })
      } finally {
        taken--
        if (--own.taken === 0) networks.delete(network)
      }
    },
  }
}
