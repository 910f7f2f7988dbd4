/** Games that are not on Steam, which members add to their group (API-56). */
import { sql, type SqlBool } from 'kysely'
import type { AddedGame, SteamId } from '#shared/entities.ts'
import { ADDED_APPIDS_FROM } from '#shared/playable.ts'
import { column } from '../../database/chunks.ts'
import { changed } from '../../database/cache-tags.ts'
import type { Database } from '../../database/database.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { readValue, writeValue } from '../installation.ts'
import { forgetWishes } from './wishes.ts'

/** The games of a group, by appid. */
export function listAddedGames(db: Queries | Tx, groupId: number): Promise<AddedGame[]> {
  return db
    .selectFrom('group_games')
    .select(['appid', 'name', 'link', 'added_by'])
    .where('group_id', '=', groupId)
    .where('link', 'is not', null)
    .orderBy('appid')
    .$narrowType<{ link: string }>()
    .execute()
}

/** Adds a game under a new appid, which is returned. Takes the lock of all appids until the transaction ends. */
export async function addGame(
  database: Pick<Database, 'lock'>,
  tx: Tx,
  groupId: number,
  game: { name: string; link: string; added_by: SteamId; added_at: number },
): Promise<number> {
  await database.lock(tx, 'added games')
  const appid = Number((await readValue(tx, 'added_appid')) ?? ADDED_APPIDS_FROM) + 1
  await writeValue(tx, 'added_appid', String(appid))
  changed(tx, 'group', [groupId])
  changed(tx, 'app', [appid])
  await tx
    .insertInto('group_games')
    .values({ group_id: groupId, appid, ...game })
    .execute()
  return appid
}

/** Takes a game away from a locked group. Votes that had it keep its name, and so do those that may be ending now. */
export async function takeGameAway(tx: Tx, groupId: number, appid: number): Promise<void> {
  changed(tx, 'group', [groupId])
  changed(tx, 'app', [appid])
  await forgetWishes(tx, groupId, appid)
  const keeping = await tx
    .selectFrom('nights')
    .select('night_id')
    .where('group_id', '=', groupId)
    .where((eb) => eb.or([eb('result', 'is', null), eb('result', 'like', `%${appid}%`)]))
    .limit(1)
    .execute()
  const where = sql<SqlBool>`group_id = ${groupId} AND appid = ${appid}`
  await tx.deleteFrom('group_game_players').where(where).execute()
  await (
    keeping.length > 0
      ? tx.updateTable('group_games').set({ link: null, added_by: null }).where(where)
      : tx.deleteFrom('group_games').where(where)
  ).execute()
}

/** Who has left a group, or all of them, added none of its games. */
export async function forgetAdder(tx: Tx, steamId: SteamId, groupId?: number): Promise<void> {
  const added = tx.updateTable('group_games').set({ added_by: null }).where('added_by', '=', steamId)
  await (groupId === undefined ? added : added.where('group_id', '=', groupId)).execute()
}

/** The appids of a group's games. */
export async function readAddedAppids(db: Queries | Tx, groupId: number): Promise<readonly number[]> {
  return column(await listAddedGames(db, groupId), 'appid')
}
