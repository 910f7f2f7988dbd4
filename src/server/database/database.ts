/** The interface to the database, the same for both engines. */
import type { Queries, Tx } from './schema.ts'

export type Database = {
  engine: 'sqlite' | 'postgres'
  /** For single statements; each write is durable when its promise resolves. */
  queries: Queries
  /**
   * Runs `work` in one transaction. On PostgreSQL `work` runs again after a deadlock, so it must be safe to repeat.
   * It must write through `tx` only and must not wait for the platform: on SQLite all other writes queue behind it.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Takes the lock of this name until the transaction ends; waits while a transaction of any server holds it. Any
   * number of transactions may hold it 'shared' together. A no-op on SQLite, where transactions never overlap.
   */
  lock(tx: Tx, name: string, how?: 'shared'): Promise<void>
  /**
   * Token of the current snapshot. If one process gets the same token twice, no server has committed a change in
   * between; different tokens do not prove a change. Costs a fraction of a read.
   */
  state(): SnapshotToken | Promise<SnapshotToken>
  /**
   * Removes deleted rows from the database files too, as far as that is cheap; 'thoroughly' rewrites the file and may
   * take seconds. A no-op on PostgreSQL, where autovacuum does it.
   */
  scrub(how?: 'thoroughly'): Promise<void>
  /** Resolves when a query succeeds; rejects when it fails. */
  ready(): Promise<void>
  close(): Promise<void>
}

/** Receives errors that happen outside any query, such as a broken connection. */
export type DatabaseLog = { error(details: object, text: string): void }

/** Opaque; compare with `===` only. */
export type SnapshotToken = number | string

/** A database problem that the operator has to fix; the message is one sentence for the operator. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
  }
}
