/** A database of either engine, as the rest of the server sees it. */
import type { Queries, Tx } from './schema.ts'

export type Database = {
  engine: 'sqlite' | 'postgres'
  /** For single statements; each is durable when its promise resolves. */
  queries: Queries
  /**
   * Runs `work` in one transaction that writes everything or nothing. On PostgreSQL it is run again after a
   * deadlock, so `work` must do nothing that cannot be done twice. It must write through `tx` alone and not wait
   * for the platform: on SQLite all other writes stand behind it.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Within a transaction: waits until no other transaction, of any server, holds the lock of this name; any number
   * may hold it 'shared' together. On SQLite a transaction that writes is alone already.
   */
  lock(tx: Tx, name: string, how?: 'shared'): Promise<void>
  /**
   * Where the database stands. Two equal states of one process: nothing that a read could see has changed in
   * between, through whatever server. Costs a fraction of a read; the contrary need not hold.
   */
  state(): SnapshotToken | Promise<SnapshotToken>
  /**
   * Clears what was deleted out of the files as well, as far as that costs little; 'thoroughly' writes the file anew
   * and may take seconds. On PostgreSQL it is the work of its own vacuum.
   */
  scrub(how?: 'thoroughly'): Promise<void>
  /** Resolves when the database answers; rejects when it does not. */
  ready(): Promise<void>
  close(): Promise<void>
}

/** Where an engine says what went wrong beside the calls it answers. */
export type DatabaseLog = { error(details: object, text: string): void }

/** Opaque; only for comparing with `===`. */
export type SnapshotToken = number | string

/** Something about the database that the operator has to put right, in one plain sentence. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
  }
}
