/**
 * Values in memory, each under its cache tag (docs/develop/caching.md). Polls of the database return the tags that any
 * server has changed since, and their values are dropped.
 */
import { LRUCache } from 'lru-cache'
import { EVERYTHING, type Kind } from '../database/cache-tags.ts'
import type { Changes, Database } from '../database/database.ts'

export type Polls = ReturnType<typeof createPolls>

/** The polls of one server. */
export function createPolls(database: Pick<Database, 'changesSince'>) {
  const listeners: ((tags: readonly string[]) => void)[] = []
  let position: Changes['position'] | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function apply(found: Changes): void {
    position = found.position
    if (found.changes.length > 0) for (const listener of listeners) listener(found.changes)
  }

  function poll(): void | Promise<void> {
    next = undefined
    const found = database.changesSince(position)
    if (!(found instanceof Promise)) return apply(found)
    running = found.then(apply).finally(() => (running = undefined))
    return running
  }

  /** Fails those who wait for the next poll too: a database that hangs must not hang for each of them in turn. */
  function fail(error: unknown): never {
    next = undefined
    throw error
  }

  return {
    /**
     * Polls the database. Each request does so once before it reads, and again after it has written or waited. Whoever comes
     * during a poll waits for the next one, which all of them share: a poll under way may miss what they know of.
     */
    refresh: () => (running ? (next ??= running.then(poll, fail)) : poll()),
    /** Calls `listener` with the tags that each poll finds changed, such as `person:7656…`; `*` is everything. */
    onChange: (listener: (tags: readonly string[]) => void) => void listeners.push(listener),
  }
}

type Read<Key, Value> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>

type Options<Key, Value> = {
  kind: Kind
  bytes: number
  /** Estimates the memory of a value. */
  weigh: (value: Value) => number
  read: Read<Key, Value>
  /** The key of the id in a tag. */
  keyOf: (id: string) => Key
  /** The id in a value's tag, where several values share one; their keys differ from it. */
  ownerOf?: (value: Value) => string
}

/** A cache of about `bytes` of what the database has under the tags `kind:id`; least recently used values go first. */
export function createTagCache<Key extends string | number, Value extends object>(
  polls: Pick<Polls, 'onChange'>,
  { kind, bytes, weigh, read: readMissing, keyOf, ownerOf }: Options<Key, Value>,
) {
  const values = new LRUCache<Key, Value>({ maxSize: Math.max(1, bytes), sizeCalculation: weigh })
  /** The ids that changed during each running read, which may have found the old values. */
  const changedDuring = new Set<Set<string>>()

  polls.onChange((tags) => {
    const everything = tags.includes(EVERYTHING)
    const ids = tags.filter((tag) => tag.startsWith(`${kind}:`)).map((tag) => tag.slice(kind.length + 1))
    for (const changed of changedDuring) for (const id of everything ? [EVERYTHING] : ids) changed.add(id)
    if (everything) values.clear()
    else if (!ownerOf) for (const id of ids) values.delete(keyOf(id))
    else if (ids.length > 0) {
      const owners = new Set(ids)
      for (const [key, value] of [...values.entries()]) if (owners.has(ownerOf(value))) values.delete(key)
    }
  })

  return {
    /**
     * Values in the order of `keys`, undefined where the database has none; those that are not cached are read together.
     * `read`: another way to read them, such as in a transaction.
     */
    async load(keys: ArrayLike<Key>, read = readMissing): Promise<(Value | undefined)[]> {
      const found: (Value | undefined)[] = []
      const missing: number[] = []
      for (let index = 0; index < keys.length; index++) {
        const value = values.get(keys[index]!)
        if (value === undefined) missing.push(index)
        found.push(value)
      }
      if (missing.length === 0) return found
      const changed = new Set<string>()
      changedDuring.add(changed)
      try {
        const added = await read([...new Set(missing.map((index) => keys[index]!))])
        for (const index of missing) found[index] = added.get(keys[index]!)
        if (changed.has(EVERYTHING)) return found
        for (const [key, value] of added)
          if (!changed.has(ownerOf?.(value) ?? String(key))) values.set(key, value)
      } finally {
        changedDuring.delete(changed)
      }
      return found
    },
  }
}
