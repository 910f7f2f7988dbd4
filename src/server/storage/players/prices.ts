/** What games cost in the store, by country. */
import type { Selectable } from 'kysely'
import type { Queries, Schema, Tx } from '../../database/schema.ts'

export type PriceRow = Selectable<Schema['prices']>

/** What is stored of these games in a country. */
export function readPrices(db: Queries | Tx, country: string, appids: readonly number[]) {
  return db
    .selectFrom('prices')
    .selectAll()
    .where('country', '=', country)
    .where('appid', 'in', appids)
    .execute()
}

/** Claims those of these games that no server has asked about since `before`; at most a few hundred. */
export async function claimPrices(
  tx: Tx,
  {
    country,
    appids,
    now,
    before,
  }: { country: string; appids: readonly number[]; now: number; before: number },
): Promise<number[]> {
  const claimed = await tx
    .insertInto('prices')
    // Sorted, so that two servers do not wait for each other.
    .values(appids.toSorted((a, b) => a - b).map((appid) => ({ country, appid, asked_at: now })))
    .onConflict((conflict) =>
      conflict
        .columns(['country', 'appid'])
        .doUpdateSet({ asked_at: now })
        .where('prices.asked_at', '<=', before),
    )
    .returning('appid')
    .execute()
  return claimed.map(({ appid }) => appid)
}

/** Stores what the store said, of games that were claimed. */
export async function savePrices(tx: Tx, rows: readonly PriceRow[]): Promise<void> {
  for (const { country, appid, ...price } of rows)
    await tx
      .updateTable('prices')
      .set(price)
      .where('country', '=', country)
      .where('appid', '=', appid)
      .execute()
}
