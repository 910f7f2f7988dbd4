/**
 * Slots: how much runs at a time, in total and of one key, such as a user or a network, and how much of a key waits.
 * Every limit of this kind is here, and a slot is given back in one place (docs/security.md).
 */
import type { ServerResponse } from 'node:http'
import { PICTURE_UPLOADS_AT_ONCE } from '#shared/limits.ts'
import type { PlainReason } from '#shared/errors.ts'
import { AppError } from './errors.ts'

export type SlotLimits = {
  /** Slots in use at a time, of all keys together; no limit when left out. */
  total?: number
  /** Slots in use at a time of one key; no limit when left out. */
  perKey?: number
  /** How many of one key may wait for a slot (`enter`). */
  waiting?: number
  /** How long one may wait, in milliseconds; no limit when left out. */
  waitMs?: number
  /** What is thrown when no slot is free. */
  refusal: () => AppError
}

const busy = (retryAfterSeconds?: number) => () =>
  new AppError('busy', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
const tooMany = (reason: PlainReason, retryAfterSeconds: number) => () =>
  new AppError('too_many_requests', { reason, retryAfterSeconds })
const tooManyAtOnce = tooMany('requests_at_once', 2)

/**
 * What has slots. Those of requests were measured with `npm run soak`: accepted ones are served within two seconds. A
 * network is an IPv4 address or the /64 of an IPv6 address; it may be a school where 150 people sync at once, and a
 * page sends about twenty requests at once.
 */
export const slotLimits = {
  /** Requests in progress, including those that wait for the database or Steam (LIM-18, LIM-20). */
  requests: { total: 500, refusal: busy(2) },
  requestsOfNetwork: { perKey: 200, waiting: 400, waitMs: 5_000, refusal: tooManyAtOnce },
  /** In all sessions together. */
  requestsOfUser: { perKey: 50, refusal: tooManyAtOnce },
  /** By user (LIM-22). Two at a time, so that one long list does not delay the others on the same page. */
  heavyRequests: {
    perKey: 2,
    waiting: 40,
    waitMs: 5_000,
    refusal: tooMany('large_requests_at_once', 2),
  },
  /** Streams of events, by user (LIM-47). */
  streams: { total: 5000, refusal: busy(10) },
  streamsOfUser: { perKey: 10, refusal: tooMany('pages_open', 10) },
  /**
   * Uploads of pictures (LIM-27): each takes up to 5 MB of memory, and twice that while its parts are joined.
   */
  uploads: { total: 16, refusal: busy(5) },
  uploadsOfNetwork: {
    perKey: 4,
    refusal: tooMany('uploads_of_network', 5),
  },
  uploadsOfUser: {
    perKey: PICTURE_UPLOADS_AT_ONCE,
    refusal: tooMany('own_uploads_at_once', 5),
  },
  /** Calls to Steam, by user (LIM-29): of the client's four, so that one is left for other people. */
  syncs: { perKey: 3, waiting: Infinity, refusal: tooManyAtOnce },
  /** Checks of sign-ins with Steam (LIM-30), which have nothing to do with the requests above: Steam may be slow. */
  signInChecks: { perKey: 20, waiting: 1000, waitMs: 20_000, refusal: busy() },
  signInChecksOfNetwork: { perKey: 10, waiting: 200, waitMs: 20_000, refusal: busy() },
} as const satisfies Record<string, SlotLimits>

/** Other limits than these, for tests. */
export type SlotLimitsGiven = { readonly [Name in keyof typeof slotLimits]?: Partial<SlotLimits> }

/** Gives a slot back; calling it again does nothing. */
export type GiveBack = () => void

/** A response, which emits 'close' when its client leaves; then the wait ends. */
type Client = Pick<ServerResponse, 'destroyed' | 'once' | 'off'>

export class Slots {
  readonly #limits: SlotLimits
  readonly #byKey = new Map<string, number>()
  readonly #waiting = new Map<string, Set<() => void>>()
  #inUse = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** @throws AppError when no slot is free for a key */
  require(key: string): void {
    if (this.isFull(key)) throw this.#limits.refusal()
  }

  /** Takes a slot. @throws AppError when none is free */
  take(key: string): GiveBack {
    this.require(key)
    this.#count(key, 1)
    return this.#giveBackOnce(key)
  }

  /**
   * Takes a slot; a promise when it has to wait for one, in the order of arrival.
   * @throws AppError when too many wait, it has waited too long, or the client has left
   */
  enter(key: string, client?: Client): GiveBack | Promise<GiveBack> {
    if (!this.isFull(key)) return this.take(key)
    const queue = this.#waiting.get(key) ?? new Set()
    const { waiting = 0, waitMs, refusal } = this.#limits
    if (queue.size >= waiting || client?.destroyed) throw refusal()
    this.#waiting.set(key, queue)
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.delete(go)
        if (queue.size === 0) this.#waiting.delete(key)
        client?.off('close', giveUp)
        clearTimeout(timer)
      }
      const go = () => {
        leave()
        resolve(this.#giveBackOnce(key))
      }
      const giveUp = () => {
        leave()
        reject(refusal())
      }
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs)
      client?.once('close', giveUp)
      queue.add(go)
    })
  }

  isFull(key: string): boolean {
    const { total = Infinity, perKey = Infinity } = this.#limits
    return this.#inUse >= total || this.#of(key) >= perKey
  }

  #of(key: string): number {
    return this.#byKey.get(key) ?? 0
  }

  #giveBackOnce(key: string): GiveBack {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      // First come, first served; other work runs in between.
      if (this.#waiting.has(key)) setImmediate(() => this.#passOn(key))
      else this.#count(key, -1)
    }
  }

  #passOn(key: string): void {
    const [next] = this.#waiting.get(key) ?? []
    if (next) next()
    else this.#count(key, -1)
  }

  /** A key without slots takes no memory. */
  #count(key: string, difference: 1 | -1): void {
    this.#inUse += difference
    const count = this.#of(key) + difference
    if (count === 0) this.#byKey.delete(key)
    else this.#byKey.set(key, count)
  }
}

/** Takes a slot of each, or of none. @throws AppError of the first that has none free */
export function takeAll(...claims: readonly (readonly [slots: Slots, key: string])[]): GiveBack {
  for (const [slots, key] of claims) slots.require(key)
  const taken = claims.map(([slots, key]) => slots.take(key))
  return () => {
    for (const giveBack of taken) giveBack()
  }
}

/** After long work a slot rests for this many times as long: one user gets at most a quarter of the process. */
const REST_FACTOR = 3
const REST_MAX_MS = 2000
/** Work below this takes no rest. */
const LONG_WORK_MS = 10

/**
 * Gives the slot of a heavy request back, whose work is done or has failed (LIM-22), when the client has received the
 * response, which takes memory for as long.
 * @param startedAt when it got the slot, by `performance.now()`
 */
export function giveBackAfter(response: ServerResponse, startedAt: number, giveBack: GiveBack): void {
  const rest = () => giveBackRested(startedAt, giveBack)
  if (response.destroyed) rest()
  else response.once('close', rest)
}

/** Gives a slot back whose work is done, after its rest. */
export function giveBackRested(startedAt: number, giveBack: GiveBack): void {
  const worked = performance.now() - startedAt
  if (worked < LONG_WORK_MS) return giveBack()
  setTimeout(giveBack, Math.min(REST_MAX_MS, worked * REST_FACTOR)).unref()
}
