/**
 * Figures for operators (OPER-4, OPER-5). No query reads more than {@link COUNTED_MAX} rows: beyond that PostgreSQL
 * estimates, and SQLite says that there are at least as many.
 */
import { sql } from 'kysely'
import type { Tally } from '#shared/contract/operator.ts'
import type { Database } from '../database/database.ts'
import type { Queries } from '../database/schema.ts'

/** Rows that are counted: a few milliseconds on either engine. */
export const COUNTED_MAX = 20_000
/** How many pictures are measured to estimate the size of all. */
const SAMPLED_PICTURES = 200

type Source = Pick<Database, 'engine' | 'queries'>

/** The number of groups, game nights, pictures, or users who have signed in. */
export async function countRows(
  { engine, queries }: Source,
  what: 'groups' | 'nights' | 'pictures' | 'people_signed_in',
): Promise<Tally> {
  const table = what === 'people_signed_in' ? 'people' : what
  const filter = what === 'people_signed_in' ? sql`WHERE signed_in_at IS NOT NULL` : sql``
  const counted = tallyOf(
    await countOf(
      queries,
      sql`SELECT 1 FROM ${sql.table(table)} ${filter} LIMIT ${sql.lit(COUNTED_MAX + 1)}`,
    ),
  )
  if (counted.precision === 'exact' || engine === 'sqlite') return counted
  // A partial index has an estimate of its own.
  const estimated = await sql<{ rows: number }>`SELECT reltuples::bigint AS rows FROM pg_class
    WHERE oid = to_regclass(${what})`.execute(queries)
  const value = Number(estimated.rows[0]?.rows ?? -1)
  return value > COUNTED_MAX ? { value, precision: 'estimate' } : counted
}

/** Users with a lasting session that ends after a time; how long it lasts says when it was used. */
export async function countActive({ queries }: Source, endsAfter: number): Promise<Tally> {
  const { rows } = await sql<{ seen: number; users: number }>`SELECT count(*) AS seen,
    count(DISTINCT steam_id) AS users FROM (SELECT steam_id FROM sessions
    WHERE expires_at > ${endsAfter} AND kind = 'lasting' ORDER BY expires_at DESC LIMIT ${sql.lit(COUNTED_MAX + 1)}) AS used`.execute(
    queries,
  )
  const { seen, users } = rows[0]!
  return { value: Number(users), precision: Number(seen) > COUNTED_MAX ? 'at_least' : 'exact' }
}

/** The refresh list: rows, those that have failed and wait for another attempt, and when the oldest was requested. */
export async function countRefreshes({ queries }: Pick<Source, 'queries'>) {
  const { rows } = await sql<{ waiting: number; failing: number | null; oldest: number | null }>`SELECT
    count(*) AS waiting, sum(CASE WHEN attempts > 0 AND lease_owner IS NULL THEN 1 ELSE 0 END) AS failing,
    min(requested_at) AS oldest FROM (SELECT attempts, lease_owner, requested_at FROM refreshes
    LIMIT ${sql.lit(COUNTED_MAX + 1)}) AS due`.execute(queries)
  const { waiting, failing, oldest } = rows[0]!
  return {
    waiting: tallyOf(Number(waiting)),
    failing: Number(failing ?? 0),
    oldestAt: oldest === null ? null : Number(oldest),
  }
}

/** Messages that wait to be sent, to webhooks and to devices. */
export async function countOutbox({ queries }: Pick<Source, 'queries'>): Promise<Tally> {
  return tallyOf(
    await countOf(
      queries,
      sql`SELECT 1 FROM messages WHERE done_at IS NULL
        UNION ALL SELECT 1 FROM push_messages WHERE done_at IS NULL LIMIT ${sql.lit(COUNTED_MAX + 1)}`,
    ),
  )
}

/** Size of the database in bytes, as its files or pages say. */
export async function databaseBytes({ engine, queries }: Source): Promise<number> {
  const size =
    engine === 'sqlite'
      ? sql<{
          bytes: number
        }>`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`
  return Number((await size.execute(queries)).rows[0]!.bytes)
}

/** The average size of stored pictures in bytes, of some of them. */
export async function averagePictureBytes({ queries }: Source): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`SELECT avg(size) AS bytes
    FROM (SELECT length(bytes) AS size FROM pictures LIMIT ${sql.lit(SAMPLED_PICTURES)}) AS few`.execute(
    queries,
  )
  return Number(rows[0]?.bytes ?? 0)
}

async function countOf(queries: Queries, rows: ReturnType<typeof sql>): Promise<number> {
  const found = await sql<{ count: number }>`SELECT count(*) AS count FROM (${rows}) AS few`.execute(queries)
  return Number(found.rows[0]!.count)
}

function tallyOf(counted: number): Tally {
  return counted > COUNTED_MAX
    ? { value: COUNTED_MAX, precision: 'at_least' }
    : { value: counted, precision: 'exact' }
}
