/**
 * Which cached values are still valid. Every value knows the cache tags it is derived from (`database/cache-tags.ts`);
 * polls of the database return the cache tags that any server has changed since.
 */
import type { Changes, Database } from '../database/database.ts'
import { EVERYTHING, type Kind, Reading, reading, type CacheTag } from '../database/cache-tags.ts'
import { createLruCache } from './lru-cache.ts'

/** Memory of a cache tag with its name, in bytes. */
const SUBJECT_BYTES = 150
/** Even when caches are disabled, a response that is being made needs its cache tags. */
const SUBJECTS_MIN = 10_000
/** A cache tag that is not tracked any more counts as changed. */
const NOT_TRACKED = Infinity
/** What a value is derived from. `at`: number of the last poll before it was read, or when it was last found valid. */
export type Origin = { at: number; readonly tags: readonly (readonly CacheTag[])[] }

export type Validity = {
  /**
   * Polls the database; each request does so once, before it reads. Requests in the same turn of the event loop share
   * one poll: all of them were sent before it, so none can know of a later change.
   */
  refresh(): void | Promise<void>
  /** Like {@link refresh}, with its own poll; for a request that has written or waited since it started. */
  refreshNow(): void | Promise<void>
  /** Number of the last poll that found a change. */
  now(): number
  isValid(origin: Origin): boolean
  /** Like {@link isValid}, for a value derived from one cache tag. */
  isUnchanged(tag: CacheTag, at: number): boolean
  /** Runs `read` and collects what its result is derived from. */
  record<Value>(read: () => Promise<Value>): Promise<{ value: Value; origin: Origin }>
  /** The cache tag of this name, such as `person:7656…`. */
  tagOf(name: string): CacheTag
  /** Makes what is derived from a cache tag invalid. */
  touch(name: string): void
  /** Calls `listener` with the names that each poll finds changed. */
  onChange(listener: (changes: readonly string[]) => void): void
}

/**
 * The validity of what one server has cached. It tracks cache tags in about `bytes`; what is derived from those that
 * were evicted is invalid.
 */
export function createValidity(database: Pick<Database, 'changesSince'>, bytes: number): Validity {
  const tracked = createLruCache<string, CacheTag>(
    Math.max(SUBJECTS_MIN, bytes / SUBJECT_BYTES),
    () => 1,
    (evicted) => {
      for (const tag of evicted) tag.changedAt = NOT_TRACKED
    },
  )
  const listeners: ((changes: readonly string[]) => void)[] = []
  let now = 0
  /** What was read before this poll is invalid; at first everything is. */
  let validSince = Infinity
  let position: Changes['position'] | undefined
  let shared: Promise<void> | 'done' | undefined
  let lastPoll = 0
  let lastApplied = 0

  /** Polls may overlap; results older than the last one applied are ignored. */
  function apply(poll: number, found: Changes): void {
    if (poll < lastApplied) return
    lastApplied = poll
    position = found.position
    if (found.changes.length > 0) mark(found.changes)
  }

  function mark(changes: readonly string[]): void {
    now++
    for (const name of changes) {
      if (name === EVERYTHING) validSince = now
      markOne(name)
      // Whatever is derived from all cache tags of the kind.
      markOne(name.slice(0, name.indexOf(':')))
    }
    for (const listener of listeners) listener(changes)
  }

  function markOne(name: string): void {
    const tag = tracked.get(name)
    if (tag) tag.changedAt = now
  }

  function refreshNow(): void | Promise<void> {
    const poll = ++lastPoll
    const found = database.changesSince(position)
    if (found instanceof Promise) return found.then((later) => apply(poll, later))
    apply(poll, found)
  }

  function tagOf(name: string): CacheTag {
    let tag = tracked.get(name)
    if (!tag) {
      // It may have changed since the value that is being read was begun.
      tag = { changedAt: now }
      tracked.set(name, tag)
    }
    return tag
  }

  return {
    refresh: () => {
      if (shared === undefined) {
        shared = refreshNow() ?? 'done'
        setImmediate(() => (shared = undefined))
      }
      return shared === 'done' ? undefined : shared
    },
    refreshNow,
    now: () => now,
    tagOf,

    isValid(origin) {
      if (origin.at < validSince) return false
      if (origin.at === now) return true
      for (const list of origin.tags) for (const tag of list) if (tag.changedAt > origin.at) return false
      origin.at = now
      return true
    },

    isUnchanged: (tag, at) => at >= validSince && tag.changedAt <= at,

    async record(read) {
      const at = now
      const collected = new Reading(tagOf)
      const value = await reading.run(collected, read)
      return { value, origin: { at, tags: collected.finish() } }
    },

    touch: (name) => mark([name]),
    onChange: (listener) => listeners.push(listener),
  }
}

/** Values by key, each with what it is derived from. */
export type TrackedCache<Key, Value> = {
  get(key: Key): Value | undefined
  /**
   * The cached value, or the result of `read`, which is then cached unless it is undefined. `read` gets the value that
   * was cached before and is invalid now.
   */
  load<Found extends Value | undefined>(
    key: Key,
    read: (before: Value | undefined) => Promise<Found>,
  ): Promise<Value | Found>
  clear(): void
}

/** A cache of at most `bytes`; `weigh` estimates the memory of a value. */
export function createTrackedCache<Key, Value>(
  validity: Pick<Validity, 'isValid' | 'record'>,
  bytes: number,
  weigh: (value: Value) => number,
): TrackedCache<Key, Value> {
  type Entry = { value: Value; origin: Origin }
  const entries = createLruCache<Key, Entry>(bytes, ({ value }) => weigh(value))

  function valueOf(entry: Entry | undefined): Value | undefined {
    if (!entry || !validity.isValid(entry.origin)) return undefined
    reading.getStore()?.addLists(entry.origin.tags)
    return entry.value
  }

  return {
    get: (key) => valueOf(entries.get(key)),
    async load(key, read) {
      const entry = entries.get(key)
      const cached = valueOf(entry)
      if (cached !== undefined) return cached
      const { value, origin } = await validity.record(() => read(entry?.value))
      reading.getStore()?.addLists(origin.tags)
      if (value !== undefined) entries.set(key, { value, origin })
      return value
    },
    clear: () => entries.clear(),
  }
}

/** A value derived from one cache tag, and the last poll before it was read. */
type OfTag = { readonly tag: CacheTag; readonly at: number }

/**
 * The valid entries of `ids`, in their order, and those that `read` returns for the others; what they are derived from
 * is recorded, by `read` for those that it reads. `before`: the previous entries of the same ids; those still valid are
 * reused without a lookup.
 */
export async function loadOfTags<Entry extends OfTag>(
  validity: Pick<Validity, 'isUnchanged'>,
  entries: { get(id: string): Entry | undefined },
  ids: readonly string[],
  read: (missing: readonly string[]) => Promise<ReadonlyMap<string, Entry>>,
  before: readonly Entry[] = [],
): Promise<(Entry | undefined)[]> {
  const recorder = reading.getStore()
  const found: (Entry | undefined)[] = []
  const missing: number[] = []
  const current = (entry: Entry | undefined) =>
    entry && validity.isUnchanged(entry.tag, entry.at) ? entry : undefined
  for (let index = 0; index < ids.length; index++) {
    const entry = current(before[index]) ?? current(entries.get(ids[index]!))
    found.push(entry)
    if (entry) recorder?.add(entry.tag)
    else missing.push(index)
  }
  if (missing.length === 0) return found
  const added = await read(missing.map((index) => ids[index]!))
  for (const index of missing) found[index] = added.get(ids[index]!)
  return found
}

/**
 * Values that are each derived from one cache tag, such as what a player's row says; read together when they are
 * missing.
 */
export type TagCache<Value> = {
  /** In the order of `ids`. */
  load(ids: readonly string[]): Promise<Value[]>
}

/**
 * A cache of at most `bytes` of values by id, each derived from the cache tag `kind:id`.
 * @param read reads several values; an id that is missing from its result has the value `none`
 * @param weigh estimates the memory of a value
 */
export function createTagCache<Value>(
  validity: Pick<Validity, 'now' | 'isUnchanged' | 'tagOf'>,
  {
    kind,
    bytes,
    weigh,
    read,
    none,
  }: {
    kind: Kind
    bytes: number
    weigh: (value: Value) => number
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>
    none: Value
  },
): TagCache<Value> {
  type Entry = OfTag & { value: Value }
  const entries = createLruCache<string, Entry>(bytes, ({ value }) => weigh(value))

  async function readEntries(ids: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    const at = validity.now()
    const values = await read(ids)
    const added = new Map<string, Entry>()
    for (const id of ids) {
      const entry = { value: values.get(id) ?? none, tag: validity.tagOf(`${kind}:${id}`), at }
      entries.set(id, entry)
      added.set(id, entry)
    }
    return added
  }

  return {
    async load(ids) {
      const found = await loadOfTags(validity, entries, ids, readEntries)
      return found.map((entry) => entry!.value)
    },
  }
}
