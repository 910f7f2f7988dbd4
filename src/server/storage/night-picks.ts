/** What game nights picked: the games of their last draws. */
import { inChunks } from '../database/chunks.ts'
import type { Queries, Tx } from '../database/schema.ts'

/** The picks of some nights, by night. */
export async function picksOf(db: Queries | Tx, nightIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await inChunks(nightIds, (ids) =>
    db
      .selectFrom('night_draws')
      .select(['night_id', 'appid'])
      .where('night_id', 'in', ids)
      .orderBy('number')
      .execute(),
  )
  // The last draw of a night counts.
  return new Map(rows.map((row) => [row.night_id, row.appid]))
}

/** The pick of a night; null when it has none. */
export async function pickOf(db: Queries | Tx, nightId: number): Promise<number | null> {
  return (await picksOf(db, [nightId])).get(nightId) ?? null
}
