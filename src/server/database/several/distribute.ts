/** Spreads the tables over the machines of a distributed PostgreSQL (Citus), as `placements.ts` says (OPS-52). */
import { sql } from 'kysely'
import { type Database, MIGRATIONS_LOCK, StorageError } from '../database.ts'
import { type Placement, placements } from './placements.ts'
import type { Tx } from '../schema.ts'
import { changedEverything } from '../cache-tags.ts'

const CITUS_MIN = 12

/** A table, and whether it had been placed before. */
export type Placed = { table: string; placement: Placement; wasPlaced: boolean }

/** Whether the tables of this database have been distributed. */
export async function isDistributed(db: Tx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found`.execute(db)
  return rows[0]!.found && (await storedPlacements(db)).has('people')
}

/**
 * Distributes the tables that are not yet distributed, in one transaction. The database must have been migrated.
 * @throws StorageError for a database that is not prepared, or whose tables are distributed in another way
 */
export function distribute(database: Database): Promise<Placed[]> {
  if (database.engine !== 'postgres')
    throw new StorageError('Only PostgreSQL with the extension citus can be distributed.')
  return database.transaction(
    async (tx) => {
      await database.lock(tx, MIGRATIONS_LOCK)
      await requireCluster(tx)
      changedEverything(tx)
      return placeTables(tx)
    },
    { takesLong: true },
  )
}

/** After migrations, which create tables on the coordinator: places these, if the database has been distributed. */
export async function placeNewTables(tx: Tx): Promise<void> {
  if (await isDistributed(tx)) await placeTables(tx)
}

/** Places the tables that are not yet placed. */
async function placeTables(tx: Tx): Promise<Placed[]> {
  const stored = await storedPlacements(tx)
  const all = Object.entries(placements)
  for (const [table, placement] of all) refuseOther(table, placement, stored.get(table))
  const isNew = ([table, placement]: [string, Placement]) =>
    (placement.by !== undefined || placement.isReference) && !stored.has(table)
  // Copying takes as long as there is data.
  await sql`SET LOCAL statement_timeout = 0`.execute(tx)
  // A transaction that has locked rows on a worker may use one connection to it only.
  await sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
  await dropReferences(tx, new Map(all.filter(isNew)))
  const done: Placed[] = []
  for (const entry of all) {
    const [table, placement] = entry
    const wasPlaced = !isNew(entry)
    if (!wasPlaced) await place(tx, table, placement)
    done.push({ table, placement, wasPlaced })
  }
  // What was copied to the shards must not stay on the coordinator, where a deletion would not find it.
  for (const entry of all)
    if (isNew(entry))
      await sql`SELECT truncate_local_data_after_distributing_table(${entry[0]}::regclass)`.execute(tx)
  return done
}

async function place(tx: Tx, table: string, { by, beside, keys = [] }: Placement): Promise<void> {
  if (by === undefined) {
    await sql`SELECT create_reference_table(${table}::regclass)`.execute(tx)
    return
  }
  for (const statement of keys) await sql.raw(statement).execute(tx)
  await sql`SELECT create_distributed_table(${table}::regclass, ${by}, colocate_with => ${beside ?? 'none'})`.execute(
    tx,
  )
  if (beside === undefined) return
  await sql`ALTER TABLE ${sql.table(table)} ADD FOREIGN KEY (${sql.ref(by)}) REFERENCES ${sql.table(beside)}`.execute(
    tx,
  )
}

/**
 * Drops the foreign keys of and to these tables. Keys to the table that a table is stored beside are created again;
 * others would cross shards. What keeps these rows together instead: whoever writes a row has locked the player, group
 * or night that it refers to, and a deletion locks them too.
 */
async function dropReferences(tx: Tx, tables: ReadonlyMap<string, Placement>): Promise<void> {
  const { rows } = await sql<{ name: string; table: string; target: string }>`
    SELECT c.conname AS name, f.relname AS table, t.relname AS target
    FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
    WHERE c.contype = 'f' AND pg_table_is_visible(f.oid)`.execute(tx)
  for (const { name, table, target } of rows)
    if (tables.has(table) || tables.has(target))
      await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT ${sql.ref(name)}`.execute(tx)
}

/** Tables that Citus knows of, by name, with the column they are sharded by; null for reference tables. */
async function storedPlacements(db: Tx): Promise<Map<string, { by: string | null }>> {
  const { rows } = await sql<{ table: string; by: string | null }>`
    SELECT c.relname AS table, CASE p.partmethod WHEN 'h' THEN column_to_column_name(c.oid, p.partkey) END AS by
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE pg_table_is_visible(c.oid)`.execute(
    db,
  )
  return new Map(rows.map(({ table, by }) => [table, { by }]))
}

function refuseOther(table: string, placement: Placement, stored: { by: string | null } | undefined): void {
  if (stored === undefined) return
  const wanted = placement.by ?? null
  if (stored.by === wanted && (wanted !== null || placement.isReference)) return
  throw new StorageError(
    `The table ${table} is distributed ${stored.by === null ? 'as a reference table' : `by ${stored.by}`}, but ` +
      `Shelfmates needs ${wanted === null ? 'another placement' : `it by ${wanted}`}; undistribute it first.`,
  )
}

async function requireCluster(tx: Tx): Promise<void> {
  const version = sql<{ major: number }>`
    SELECT split_part(extversion, '.', 1)::int AS major FROM pg_extension WHERE extname = 'citus'`
  const { rows } = await version.execute(tx)
  if (!rows[0] || rows[0].major < CITUS_MIN)
    throw new StorageError(
      `This PostgreSQL has no extension citus of version ${CITUS_MIN} or newer; create it first, on every machine.`,
    )
  const { rows: workers } = await sql`
    SELECT FROM pg_dist_node WHERE isactive AND shouldhaveshards LIMIT 1`.execute(tx)
  if (workers.length === 0)
    throw new StorageError('The coordinator knows no workers; add them with citus_add_node first.')
}
