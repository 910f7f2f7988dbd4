/**
 * What writes change and what reads are derived from, in cache tags such as `person:7656…` (docs/develop/caching.md). A
 * transaction stores the cache tags it changed in the table `changes`, and every server drops what it has cached of
 * them.
 * Requirements: OPS-37.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin, OperationNode, RootOperationNode } from 'kysely'
import { inChunks } from './chunks.ts'
import type { Schema, Tx } from './schema.ts'

/**
 * `person`: profile, settings and library. `friends`: a player's friend list. `group`: a group, its members and former
 * members. `groups`: the groups that a player is in or has left. `sessions`: a player's sessions. `app`: a game's row.
 * `night`: a game night, its players and draws. `nights`: which nights a player has (`nights:7656…`), or a group
 * (`nights:g7`). `catalogue`: the games that this server has in memory; the only one that no transaction changes.
 */
export type Kind =
  'person' | 'friends' | 'group' | 'groups' | 'sessions' | 'app' | 'night' | 'nights' | 'catalogue'
type Id = string | number

/** Stored instead of cache tags: everything may have changed. */
export const EVERYTHING = '*'
/** A transaction that changes more cache tags than this stores {@link EVERYTHING}. */
const TAGS_MAX = 2000

/** The kinds that a table is about; nothing in a cache is derived from tables that are not here. */
const kindsOf: Partial<Record<keyof Schema, readonly Kind[]>> = {
  people: ['person'],
  libraries: ['person'],
  friend_lists: ['friends'],
  sessions: ['sessions'],
  groups: ['group'],
  group_members: ['group', 'groups'],
  group_departures: ['group', 'groups'],
  group_game_players: ['group'],
  apps: ['app'],
  nights: ['night', 'nights'],
  night_people: ['night', 'nights'],
  night_draws: ['night'],
  night_dates: ['night'],
  night_date_answers: ['night'],
  night_series: ['night'],
  night_series_nights: ['night'],
}

/** What a transaction has written and changed so far. */
type Written = { tables: Set<string>; kinds: Set<Kind>; tags: Set<string> }
const writtenIn = new WeakMap<Tx, Written>()

/**
 * Records that a transaction changes these cache tags. Call it in the function that writes; with no ids it says that
 * nothing which caches hold was changed.
 */
export function changed(tx: Tx, kind: Kind, ids: Iterable<Id>): void {
  const { kinds, tags } = writtenIn.get(tx)!
  kinds.add(kind)
  for (const id of ids) tags.add(`${kind}:${id}`)
}

/** Records that a transaction may have changed everything, for rare writes. */
export function changedEverything(tx: Tx): void {
  writtenIn.get(tx)!.tags.add(EVERYTHING)
}

/**
 * Runs `work` in a transaction and stores what it changed. A write of a table of whose kinds nothing was recorded
 * changes everything, which is correct but slow, so it warns; tests fail on the warning.
 */
export async function storingChanges<Result>(
  transaction: Tx,
  work: (tx: Tx) => Promise<Result>,
): Promise<{ result: Result; changes: readonly string[] }> {
  const written: Written = { tables: new Set(), kinds: new Set(), tags: new Set() }
  const tx = transaction.withPlugin(watch((node) => addWrittenTable(node, written.tables)))
  writtenIn.set(tx, written)
  const result = await work(tx)
  const changes = changesOf(written)
  await storeChanges(transaction, changes)
  return { result, changes }
}

/** Stores changed cache tags. */
export async function storeChanges(tx: Tx, changes: readonly string[]): Promise<void> {
  await inChunks(changes, (chunk) =>
    tx
      .insertInto('changes')
      .values(chunk.map((tag) => ({ subject: tag })))
      .execute(),
  )
}

function changesOf({ tables, kinds, tags }: Written): string[] {
  if (tags.has(EVERYTHING) || tags.size > TAGS_MAX) return [EVERYTHING]
  for (const table of tables) {
    const missing = kindsOfTable(table).find((kind) => !kinds.has(kind))
    if (missing === undefined) continue
    process.emitWarning(`A transaction wrote ${table} and recorded no ${missing}.`, 'UnrecordedChange')
    return [EVERYTHING]
  }
  return [...tags]
}

/**
 * For queries outside transactions: notes the tables that they read, and refuses writes of tables that caches are made
 * of.
 */
export const watchQueries: KyselyPlugin = watch((node) => {
  const tables = new Set<string>()
  addWrittenTable(node, tables)
  for (const table of tables)
    if (kindsOfTable(table).length > 0) throw new Error(`${table} must be written in a transaction`)
  noteRead(node)
})

/** One thing that a write may change. `changedAt`: the number of the poll that saw it change last. */
export type CacheTag = { changedAt: number }

/** Collects what a cached value is derived from while it is being read. */
export class Reading {
  readonly #tagOf: (name: string) => CacheTag
  /** Lists are shared between values, such as the friends of a player between all responses about them. */
  readonly #lists = new Set<readonly CacheTag[]>()
  readonly #own: CacheTag[] = []
  readonly #kinds = new Set<Kind>()
  readonly #tables = new Set<string>()

  constructor(tagOf: (name: string) => CacheTag) {
    this.#tagOf = tagOf
  }

  add(tag: CacheTag): void {
    this.#own.push(tag)
  }

  addLists(lists: readonly (readonly CacheTag[])[]): void {
    for (const list of lists) this.#lists.add(list)
  }

  addNamed(kind: Kind, ids: Iterable<Id>): void {
    this.#kinds.add(kind)
    for (const id of ids) this.#own.push(this.#tagOf(`${kind}:${id}`))
  }

  addTables(tables: Iterable<string>): void {
    for (const table of tables) this.#tables.add(table)
  }

  /**
   * Everything that was read. A table that was read without any cache tag of its kinds stands for all its rows.
   * @throws Error for a table whose changes are not stored
   */
  finish(): readonly (readonly CacheTag[])[] {
    for (const table of this.#tables) {
      const kinds = kindsOfTable(table)
      if (kinds.length === 0) throw new Error(`nothing that is cached may be made of ${table}`)
      if (kinds.some((kind) => this.#kinds.has(kind))) continue
      for (const kind of kinds) this.#own.push(this.#tagOf(kind))
    }
    return [...this.#lists, this.#own]
  }
}

/** The value that is being read, if it is going to be cached. */
export const reading = new AsyncLocalStorage<Reading>()

/**
 * Records that a query's result depends on these cache tags. Call it in the function that reads; with no ids it says
 * that the result depends on no other cache tags of this kind.
 */
export function dependsOn(kind: Kind, ids: Iterable<Id>): void {
  reading.getStore()?.addNamed(kind, ids)
}

/** Notes the tables of a query that is about to run. */
export function noteRead(node: RootOperationNode): void {
  reading.getStore()?.addTables(tablesIn(node))
}

/** Parts of a query that are most of it; a column names a table only by its alias. */
const namesNoTable = new Set<unknown>([
  'ReferenceNode',
  'ColumnNode',
  'IdentifierNode',
  'OperatorNode',
  'ValueNode',
  'PrimitiveValueListNode',
])
const knownTables = new WeakMap<OperationNode, ReadonlySet<string>>()

/** Every table that a query names; once per prepared statement. */
function tablesIn(root: RootOperationNode): ReadonlySet<string> {
  const known = knownTables.get(root)
  if (known) return known
  const tables = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === 'object' && value !== null) {
      if ('kind' in value && namesNoTable.has(value.kind)) return
      const name = tableName(value)
      if (name === undefined) for (const part of Object.values(value)) visit(part)
      else tables.add(name)
    }
  }
  visit(root)
  knownTables.set(root, tables)
  return tables
}

function watch(see: (node: RootOperationNode) => void): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      see(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
}

function addWrittenTable(node: RootOperationNode, tables: Set<string>): void {
  const target =
    node.kind === 'InsertQueryNode'
      ? node.into
      : node.kind === 'UpdateQueryNode'
        ? node.table
        : node.kind === 'DeleteQueryNode'
          ? node.from.froms[0]
          : undefined
  const name = target && tableName(target)
  if (name !== undefined) tables.add(name)
}

/** Name of the table if this is a node of one. */
function tableName(node: object): string | undefined {
  if (!('kind' in node) || node.kind !== 'TableNode') return undefined
  return (node as unknown as { table: { identifier: { name: string } } }).table.identifier.name
}

function kindsOfTable(table: string): readonly Kind[] {
  return kindsOf[table as keyof Schema] ?? []
}
