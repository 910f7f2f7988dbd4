/** Games by appid: names and icons from libraries, details from the store, and what they cost there, by country. */
import type { Insertable, Selectable } from 'kysely'
import { isAddedGame } from '#shared/playable.ts'
import { column, inChunks } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { changed } from '../../database/cache-tags.ts'

export type AppRow = Selectable<Schema['apps']> & {
  /** Of a game that a group has added. */
  link?: string | null
}
/** A game's name and icon as a library gives them; null where it gives none. */
export type AppName = Pick<AppRow, 'appid' | 'name' | 'icon_hash'>

/** The stored apps among `appids`, and games that groups have added, by appid. */
export async function readApps(db: Queries | Tx, appids: readonly number[]): Promise<Map<number, AppRow>> {
  const [added, ofSteam] = [appids.filter(isAddedGame), appids.filter((appid) => !isAddedGame(appid))]
  const rows: AppRow[] = await inChunks(ofSteam, (chunk) =>
    db.selectFrom('apps').selectAll().where('appid', 'in', chunk).execute(),
  )
  const rowsOfAdded = db
    .selectFrom('group_games')
    .select(['appid', 'name', 'link'])
    .where('appid', 'in', added)
  if (added.length > 0) for (const row of await rowsOfAdded.execute()) rows.push({ ...ADDED, ...row })
  return new Map(rows.map((row) => [row.appid, row]))
}
/** What is said of games that groups have added: they are for several, and cost nobody anything. */
const ADDED = {
  kind: 0,
  icon_hash: null,
  header_url: null,
  categories: '49',
  is_free: 1,
  store_due_at: Infinity,
} as const

/** When store details of new apps are due; apps of players who have signed in come first. */
const NEW_DUE_AT = { owned: -1, ofFriends: 0 } as const

/**
 * Stores names and icons; null never replaces a stored value. `apps` must not contain an appid twice.
 * @param isOwned whether they are of the library of somebody who has signed in, whose store details are read first
 */
export function saveAppNames(tx: Tx, apps: readonly AppName[], isOwned: boolean): Promise<void> {
  const store_due_at = isOwned ? NEW_DUE_AT.owned : NEW_DUE_AT.ofFriends
  const rows = apps.map((app) => ({ ...app, store_due_at }))
  return saveApps(tx, rows, ['name', 'icon_hash'])
}

/** Details of an app from the store. */
export type StoreDetails = Pick<AppRow, 'appid' | 'name' | 'kind' | 'header_url' | 'categories' | 'is_free'>

/**
 * Stores details from the store, to be read again at `dueAt`; null never replaces a stored value. The name is used only when
 * no library gave one.
 */
export function saveStoreDetails(tx: Tx, details: readonly StoreDetails[], dueAt: number): Promise<void> {
  const rows = details.map((app) => ({ ...app, store_due_at: dueAt }))
  return saveApps(tx, rows, ['kind', 'header_url', 'categories', 'is_free', 'store_due_at'], ['name'])
}

type AppColumn = Exclude<keyof Schema['apps'], 'appid'>

/** Inserts apps; of those that are stored, sets `replaced` where the new value is not null, and `filled` where theirs is. */
async function saveApps(
  tx: Tx,
  apps: readonly Insertable<Schema['apps']>[],
  replaced: readonly AppColumn[],
  filled: readonly AppColumn[] = [],
): Promise<void> {
  changed(tx, 'app', column(apps, 'appid'))
  // Sorted, because two servers that write overlapping lists in different orders would deadlock.
  const sorted = apps.toSorted((a, b) => a.appid - b.appid)
  await inChunks(sorted, (chunk) =>
    tx
      .insertInto('apps')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .column('appid')
          .doUpdateSet(
            (eb) =>
              Object.fromEntries([
                ...replaced.map((name) => [name, eb.fn.coalesce(`excluded.${name}`, `apps.${name}`)]),
                ...filled.map((name) => [name, eb.fn.coalesce(`apps.${name}`, `excluded.${name}`)]),
              ]) as never,
          ),
      )
      .execute(),
  )
}

/**
 * Claims up to `limit` apps whose store details are due, those that were never read first, until `until`, so that no
 * other server requests the same ones.
 */
export async function claimStoreDetails(
  database: Database,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<number[]> {
  // Mostly none is due: without a transaction, which would take the lock of all servers.
  const first = await database.queries
    .selectFrom('apps')
    .select('appid')
    .where('store_due_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  if (!first) return []
  return database.transaction(async (tx) => {
    await database.lock(tx, 'store details')
    const due = await tx
      .selectFrom('apps')
      .select('appid')
      .where('store_due_at', '<=', now)
      .orderBy('store_due_at')
      .limit(limit)
      .execute()
    const appids = column(due, 'appid')
    await putOffStoreDetails(tx, appids, until)
    return appids
  })
}

/** Sets the time when the store details of these apps are due. */
export async function putOffStoreDetails(tx: Tx, appids: readonly number[], until: number): Promise<void> {
  await tx.updateTable('apps').set({ store_due_at: until }).where('appid', 'in', appids).execute()
}

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
