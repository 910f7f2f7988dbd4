/** Figures for operators (OPER-4). */
import { sql } from 'kysely'
import { countOf } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import type { Queries } from '../database/schema.ts'

/** How many pictures are measured to estimate the size of all. */
const SAMPLED_PICTURES = 200

/** Users with a lasting session that ends after a time; how long it lasts says when it was used. */
export async function countActive(db: Queries, endsAfter: number): Promise<number> {
  const { users } = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.count<number>('steam_id').distinct().as('users'))
    .where('expires_at', '>', endsAfter)
    .where('kind', '=', 'lasting')
    .executeTakeFirstOrThrow()
  return Number(users)
}

/** The refresh list: rows, those that have failed and wait for another attempt, and when the oldest was requested. */
export async function countRefreshes(db: Queries) {
  const { oldest } = await db
    .selectFrom('refreshes')
    .select((eb) => eb.fn.min('requested_at').as('oldest'))
    .executeTakeFirstOrThrow()
  return {
    waiting: await countOf(db.selectFrom('refreshes')),
    failing: await countOf(
      db.selectFrom('refreshes').where('attempts', '>', 0).where('lease_owner', 'is', null),
    ),
    oldestAt: oldest === null ? null : Number(oldest),
  }
}

/** Messages that wait to be sent, to webhooks and to devices. */
export async function countOutbox(db: Queries): Promise<number> {
  return (
    (await countOf(db.selectFrom('messages').where('done_at', 'is', null))) +
    (await countOf(db.selectFrom('push_messages').where('done_at', 'is', null)))
  )
}

/** Size of the database in bytes, as its files or pages say. */
export async function databaseBytes({ engine, queries }: Database): Promise<number> {
  const size =
    engine === 'sqlite'
      ? sql<{
          bytes: number
        }>`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`
  return Number((await size.execute(queries)).rows[0]!.bytes)
}

/** The average size of stored pictures in bytes, of some of them. */
export async function averagePictureBytes(db: Queries): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`SELECT avg(size) AS bytes
    FROM (SELECT length(bytes) AS size FROM pictures LIMIT ${sql.lit(SAMPLED_PICTURES)}) AS few`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
