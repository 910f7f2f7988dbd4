/** Games by appid: what libraries and the store have taught us of them. */
import type { Selectable } from 'kysely'
import { inChunks } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import { preparedList } from '../database/prepared.ts'
import type { AppsTable, Queries, Tx } from '../database/schema.ts'

export type AppRow = Selectable<AppsTable>
/** What a library says of a game; null where it says nothing. */
export type AppName = Pick<AppRow, 'appid' | 'name' | 'icon_hash'>

/** Apps that are known, by appid. */
export async function readApps(db: Queries | Tx, appids: readonly number[]): Promise<Map<number, AppRow>> {
  return new Map((await appRows(db, appids)).map((row) => [row.appid, row]))
}
const appRows = preparedList<number, AppRow>((db, appids) =>
  db.selectFrom('apps').selectAll().where('appid', 'in', appids),
)

/** Keeps names and icons; one that is known is never replaced by nothing. Each appid may be there once. */
export async function saveAppNames(db: Queries | Tx, apps: readonly AppName[]): Promise<void> {
  // One order for everybody: overlapping libraries read by two servers would deadlock.
  await inChunks(
    [...apps].sort((a, b) => a.appid - b.appid),
    (chunk) =>
      db
        .insertInto('apps')
        .values(
          chunk.map((app) => ({
            ...app,
            kind: null,
            header_url: null,
            categories: null,
            is_free: null,
            store_due_at: 0,
          })),
        )
        .onConflict((conflict) =>
          conflict.column('appid').doUpdateSet((eb) => ({
            name: eb.fn.coalesce('excluded.name', 'apps.name'),
            icon_hash: eb.fn.coalesce('excluded.icon_hash', 'apps.icon_hash'),
          })),
        )
        .execute(),
  )
}

/** What the store says of an app; its name is used only where no library gave one. */
export type StoreDetails = Pick<AppRow, 'appid' | 'name' | 'kind' | 'header_url' | 'categories' | 'is_free'>

/** Keeps what the store said, until `dueAt`; details that are known are never replaced by nothing. */
export async function saveStoreDetails(
  db: Queries | Tx,
  details: readonly StoreDetails[],
  dueAt: number,
): Promise<void> {
  await inChunks(
    [...details].sort((a, b) => a.appid - b.appid),
    (chunk) =>
      db
        .insertInto('apps')
        .values(chunk.map((app) => ({ ...app, icon_hash: null, store_due_at: dueAt })))
        .onConflict((conflict) =>
          conflict.column('appid').doUpdateSet((eb) => ({
            name: eb.fn.coalesce('apps.name', 'excluded.name'),
            kind: eb.fn.coalesce('excluded.kind', 'apps.kind'),
            header_url: eb.fn.coalesce('excluded.header_url', 'apps.header_url'),
            categories: eb.fn.coalesce('excluded.categories', 'apps.categories'),
            is_free: eb.fn.coalesce('excluded.is_free', 'apps.is_free'),
            store_due_at: eb.ref('excluded.store_due_at'),
          })),
        )
        .execute(),
  )
}

/**
 * Takes up to `limit` apps whose store details are due, those never asked for first, and puts them off to
 * `until`, so that no other server asks for the same ones meanwhile.
 */
export function claimStoreDetails(
  database: Database,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<number[]> {
  return database.transaction(async (tx) => {
    await database.lock(tx, 'store details')
    const due = await tx
      .selectFrom('apps')
      .select('appid')
      .where('store_due_at', '<=', now)
      .orderBy('store_due_at')
      .limit(limit)
      .execute()
    const appids = due.map((row) => row.appid)
    await putOffStoreDetails(tx, appids, until)
    return appids
  })
}

/** Leaves these apps alone until a time. */
export async function putOffStoreDetails(
  db: Queries | Tx,
  appids: readonly number[],
  until: number,
): Promise<void> {
  await inChunks(appids, (chunk) =>
    db.updateTable('apps').set({ store_due_at: until }).where('appid', 'in', chunk).execute(),
  )
}
