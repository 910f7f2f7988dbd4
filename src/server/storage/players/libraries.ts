/** Packed libraries, one row per player, the changes in them, and minutes played by month (SYNC-22). */
import type { SteamId } from '#shared/entities.ts'
import type { Insertable, Selectable } from 'kysely'
import { inChunks, upsert } from '../../database/chunks.ts'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { changed } from '../../database/cache-tags.ts'

export type LibraryRow = Selectable<Schema['libraries']>
export type LibraryChange = Selectable<Schema['library_changes']>

/** A player's library; undefined when it was never read. */
export function readLibrary(db: Queries | Tx, steamId: SteamId): Promise<LibraryRow | undefined> {
  return db.selectFrom('libraries').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
}

/** The states of libraries, without the games; for deciding which libraries to read. */
export async function readLibraryVersions(db: Queries | Tx, steamIds: readonly SteamId[]) {
  const rows = await db
    .selectFrom('libraries')
    .select(['steam_id', 'version', 'status', 'synced_at', 'checked_at'])
    .where('steam_id', 'in', steamIds)
    .execute()
  return new Map(rows.map((row) => [row.steam_id, row]))
}

/** Replaces a whole library in one statement; the player must have a row. */
export async function writeLibrary(
  tx: Tx,
  steamId: SteamId,
  {
    packed,
    gameCount,
    totalMinutes,
    at,
  }: { packed: Uint8Array; gameCount: number; totalMinutes: number; at: number },
): Promise<void> {
  const games = { packed, game_count: gameCount, total_minutes: totalMinutes, synced_at: at }
  await storeState(tx, steamId, { status: 'ok', checked_at: at, ...games })
}

/** Marks a library as private; the stored games stay (DATA-1). */
export function markLibraryPrivate(tx: Tx, steamId: SteamId, at: number): Promise<void> {
  return storeState(tx, steamId, { status: 'private', checked_at: at })
}

async function storeState(
  tx: Tx,
  steamId: SteamId,
  state: Omit<Insertable<Schema['libraries']>, 'steam_id' | 'version'>,
): Promise<void> {
  changed(tx, ['person', 'library'], [steamId])
  await tx
    .insertInto('libraries')
    .values({ steam_id: steamId, version: 1, ...state })
    .onConflict((conflict) =>
      conflict
        .column('steam_id')
        .doUpdateSet((eb) => ({ ...state, version: eb('libraries.version', '+', 1) })),
    )
    .execute()
}

export async function addLibraryChanges(
  db: Queries | Tx,
  steamId: SteamId,
  at: number,
  changes: readonly Pick<LibraryChange, 'appid' | 'minutes' | 'kind'>[],
): Promise<void> {
  await inChunks(changes, (chunk) =>
    db
      .insertInto('library_changes')
      .values(chunk.map((change) => ({ steam_id: steamId, at, ...change })))
      .onConflict((conflict) => conflict.columns(['steam_id', 'at', 'appid', 'kind']).doNothing())
      .execute(),
  )
}

/** Changes that are read; the latest. */
const CHANGES_MAX = 500
const KINDS = { started: ['started'], got: ['got', 'again'] } as const
export type ChangesAbout = keyof typeof KINDS

/** Changes in these players' libraries since a time, latest first, also of the games that they hide. */
export function recentLibraryChanges(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
  about: ChangesAbout,
  since: number,
): Promise<LibraryChange[]> {
  return db
    .selectFrom('library_changes')
    .selectAll()
    .where('steam_id', 'in', steamIds)
    .where('kind', 'in', KINDS[about])
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .orderBy('steam_id')
    .orderBy('appid')
    .limit(CHANGES_MAX)
    .execute()
}

export type PlaytimeMonth = Selectable<Schema['playtime_months']>

/** The months of a player from `since`, such as 202611, oldest first. */
export function readPlaytimeMonths(db: Queries | Tx, steamId: SteamId, since: number) {
  return db
    .selectFrom('playtime_months')
    .selectAll()
    .where('steam_id', '=', steamId)
    .where('month', '>=', since)
    .orderBy('month')
    .execute()
}

/** Replaces the minutes of a month; the transaction must have locked the player. */
export function writePlaytimeMonth(tx: Tx, { packed, ...month }: PlaytimeMonth): Promise<void> {
  return upsert(tx, 'playtime_months', month, { packed })
}

/** Records when minutes of a player began to be counted by month, unless that is known. */
export async function startTracking(tx: Tx, steamId: SteamId, since: number): Promise<void> {
  changed(tx, 'person', [steamId])
  await tx
    .updateTable('libraries')
    .set({ tracked_since: since })
    .where('steam_id', '=', steamId)
    .where('tracked_since', 'is', null)
    .execute()
}
