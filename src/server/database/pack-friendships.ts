/** The migration from two rows per friendship to one packed row per person (docs/decisions/013-pack-friend-lists.md). */
import { sql } from 'kysely'
import { packFriends } from '../library/packed-friends.ts'
import type { Tx } from './schema.ts'

/** People whose lists are in memory at once; the longest lists have 2,000 friends. */
const PEOPLE_PER_SLICE = 250

/** Tables in which nothing is stored about a deleted account (DEL-1). */
const ABOUT_PEOPLE = [
  'sessions',
  'libraries',
  'library_changes',
  'playtime_months',
  'syncs',
  'refreshes',
  'picture_changes',
  'group_departures',
  'calendar_feeds',
] as const

/**
 * Carries all friend lists over, and drops `friendships`. Deleted accounts lose their rows in `people`, which only that
 * table needed, and with them the column `deleted_at`.
 */
export async function packFriendships(tx: Tx, { blob }: { blob: string }): Promise<void> {
  await sql`CREATE TABLE friend_lists (
    steam_id text PRIMARY KEY REFERENCES people,
    packed ${sql.raw(blob)} NOT NULL)`.execute(tx)
  let after = ''
  for (;;) {
    const last = await lastOfNextPeople(tx, after)
    if (last === null) break
    await packListsOf(tx, { after, last })
    after = last
  }
  await sql`DROP TABLE friendships`.execute(tx)

  const deleted = sql`SELECT steam_id FROM people WHERE deleted_at IS NOT NULL`
  for (const table of ABOUT_PEOPLE)
    await sql`DELETE FROM ${sql.table(table)} WHERE steam_id IN (${deleted})`.execute(tx)
  await sql`DELETE FROM people WHERE deleted_at IS NOT NULL`.execute(tx)
  await sql`ALTER TABLE people DROP COLUMN deleted_at`.execute(tx)
}

async function lastOfNextPeople(tx: Tx, after: string): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`SELECT max(steam_id) AS last FROM (
    SELECT steam_id FROM people WHERE steam_id > ${after} ORDER BY steam_id LIMIT ${sql.lit(PEOPLE_PER_SLICE)}
  ) AS slice`.execute(tx)
  return rows[0]!.last
}

/** Packs the lists of the people after one id, up to another. */
async function packListsOf(tx: Tx, { after, last }: { after: string; last: string }): Promise<void> {
  // One row per person, because one per friend takes several times as long.
  const { rows } = await sql<{ steam_id: string; friends: string }>`
    SELECT steam_id, string_agg(friend_steam_id || ' ' || coalesce(CAST(since AS text), ''), ',') AS friends
    FROM friendships WHERE steam_id > ${after} AND steam_id <= ${last} GROUP BY steam_id`.execute(tx)
  if (rows.length === 0) return
  const lists = rows.map(({ steam_id, friends }) => ({
    steam_id,
    packed: packFriends(
      friends.split(',').map((friend) => {
        const [steamId, since] = friend.split(' ') as [string, string]
        return { steamId, since: since === '' ? null : Number(since) }
      }),
    ),
  }))
  await tx.insertInto('friend_lists').values(lists).execute()
}
