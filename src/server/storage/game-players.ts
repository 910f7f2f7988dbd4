/** How many can play a game together, as members of a group have corrected it for the group (API-53, API-54). */
import type { Player, SteamId } from '#shared/entities.ts'
import { column, countOf } from '../database/chunks.ts'
import { prepared } from '../database/prepared.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { changed } from '../database/cache-tags.ts'
import { readPlayers } from './players.ts'

/** The corrections of a group, by appid. */
export type Corrections = ReadonlyMap<number, number>

/** How many can play, by appid, for the games that a group has corrected. */
export async function readCorrections(db: Queries | Tx, groupId: number): Promise<Corrections> {
  return new Map((await correctionsOf(db, { groupId })).map((row) => [row.appid, row.players_max]))
}
const correctionsOf = prepared<{ groupId: number }, { appid: number; players_max: number }>((db, value) =>
  db
    .selectFrom('group_game_players')
    .select(['appid', 'players_max'])
    .where('group_id', '=', value('groupId')),
)

/** A correction; `by` is null for a player who has left the group, or whose account was deleted. */
export type Correction = { players_max: number; by: Player | null; at: number }

/** A group's correction of a game, if there is one. */
export async function findCorrection(
  db: Queries | Tx,
  groupId: number,
  appid: number,
): Promise<Correction | undefined> {
  const row = await db
    .selectFrom('group_game_players as corrections')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.group_id', '=', 'corrections.group_id')
        .onRef('group_members.steam_id', '=', 'corrections.corrected_by'),
    )
    .select(['players_max', 'at', 'group_members.steam_id as member'])
    .where('corrections.group_id', '=', groupId)
    .where('appid', '=', appid)
    .executeTakeFirst()
  if (!row) return undefined
  const { players_max, member, at } = row
  const player = member === null ? undefined : (await readPlayers(db, [member])).get(member)
  if (!player) return { players_max, by: null, at }
  const { steam_id, display_name, avatar_url } = player
  return { players_max, by: { steam_id, display_name, avatar_url }, at }
}

/** Sets a correction, or another one for it. The group must be locked. */
export async function correctPlayers(
  tx: Tx,
  groupId: number,
  appid: number,
  { playersMax, by, at }: { playersMax: number; by: SteamId; at: number },
): Promise<void> {
  changed(tx, 'group', [groupId])
  const fields = { players_max: playersMax, corrected_by: by, at }
  await tx
    .insertInto('group_game_players')
    .values({ group_id: groupId, appid, ...fields })
    .onConflict((conflict) => conflict.columns(['group_id', 'appid']).doUpdateSet(fields))
    .execute()
}

/** Takes a correction back. */
export async function takeCorrectionBack(tx: Tx, groupId: number, appid: number): Promise<void> {
  changed(tx, 'group', [groupId])
  await tx
    .deleteFrom('group_game_players')
    .where('group_id', '=', groupId)
    .where('appid', '=', appid)
    .execute()
}

/** The number of games that a group has corrected, apart from one. */
export async function countOtherCorrections(tx: Tx, groupId: number, appid: number): Promise<number> {
  return countOf(
    tx.selectFrom('group_game_players').where('group_id', '=', groupId).where('appid', '!=', appid),
  )
}

/** The corrections of a player whose account is deleted stay, without saying whose they are. */
export async function forgetCorrector(tx: Tx, steamId: SteamId): Promise<void> {
  const rows = await tx
    .updateTable('group_game_players')
    .set({ corrected_by: null })
    .where('corrected_by', '=', steamId)
    .returning('group_id')
    .execute()
  changed(tx, 'group', column(rows, 'group_id'))
}
