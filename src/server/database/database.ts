/** The interface to the database, the same for both engines. */
import type { Queries, Tx } from './schema.ts'

export type Database = {
  engine: 'sqlite' | 'postgres'
  /**
   * Whether rows are on several machines: then what a transaction commits becomes visible on one after another, and
   * only {@link lock} waits until all of it is.
   */
  isDistributed: boolean
  /** For single statements: reads, and writes of tables that no cache has values of (`cache-tags.ts`). */
  queries: Queries
  /**
   * Runs `work` in one transaction. On PostgreSQL `work` runs again after a deadlock, so it must be safe to repeat.
   * It must write through `tx` only and must not wait for Steam: on SQLite all other writes queue behind it.
   * What it changed (`cache-tags.ts#changed`) is stored with it.
   * @param options.takesLong without the time limits that statements of requests have, for migrations
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { takesLong: boolean }): Promise<T>
  /**
   * Takes the lock of this name until the transaction ends; waits while a transaction of any server holds it. Any
   * number of transactions may hold it 'shared' together. A no-op on SQLite, where transactions never overlap.
   */
  lock(tx: Tx, name: string, how?: 'shared'): Promise<void>
  /**
   * What was changed since a position, by any server: everything that was acknowledged before the call and not visible
   * at that position, and possibly more. Without a position: everything. Costs a fraction of a read.
   */
  changesSince(position: Changes['position'] | undefined): Changes | Promise<Changes>
  /**
   * Deletes changes that every server has seen, or that are so old that a server which has not seen them starts over.
   */
  deleteOldChanges(): Promise<void>
  /**
   * Removes deleted rows from the database files too, as far as that is cheap; 'thoroughly' rewrites the file and may
   * take seconds. A no-op on PostgreSQL, where autovacuum does it.
   */
  scrub(how?: 'thoroughly'): Promise<void>
  /** The time of the database server, in milliseconds since 1970; undefined on SQLite, which has none of its own. */
  time?(): Promise<number>
  /** Resolves when a query succeeds; rejects when it fails. */
  ready(): Promise<void>
  close(): Promise<void>
}

/** The lock of a migration, which every transaction of a server on PostgreSQL holds 'shared'. */
export const MIGRATIONS_LOCK = 'migrations'

/** Receives what happens outside any query: that the database cannot be reached, and that it can be again. */
export type DatabaseLog = { error(details: object, text: string): void; info(text: string): void }

/** Names of changed cache tags, in no order, and where the next poll continues. */
export type Changes = { readonly position: { readonly opaque: unknown }; readonly changes: readonly string[] }

/** A database problem that the operator has to fix; the message is one sentence for the operator. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** Every connection is in use and too many requests wait for one. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError'
  constructor(options?: ErrorOptions) {
    super('too many requests are waiting for a database connection', options)
  }
}

/**
 * The database cannot be reached, is starting or stopping, or the connection broke before a response came (OPS-31).
 * Nothing is known to be stored; after `isOutcomeUnknown` it may be, because the connection broke during COMMIT.
 */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError'
  readonly isOutcomeUnknown: boolean
  constructor({ cause, isOutcomeUnknown = false }: { cause: unknown; isOutcomeUnknown?: boolean }) {
    super('the database is unavailable', { cause })
    this.isOutcomeUnknown = isOutcomeUnknown
  }
}
