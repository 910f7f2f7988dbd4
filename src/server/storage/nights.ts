/**
 * Game nights (NIGHT-1 to NIGHT-19). A transaction that changes a night, its people or its draws locks the night first
 * (`lockNight`), after the people and the group it locks (`groups.ts`), so that changes of a night are one after another.
 */
import type { SteamId } from '#shared/entities.ts'
import { prepared } from '../database/prepared.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { madeOf } from '../database/subjects.ts'

/** Whether a person may see a night. */
export async function isInNight(db: Queries | Tx, nightId: number, steamId: SteamId): Promise<boolean> {
  madeOf('night', [nightId])
  madeOf('nights', [])
  return (await personOfNight(db, { nightId, steamId })).length > 0
}
const personOfNight = prepared<{ nightId: number; steamId: SteamId }, { steam_id: SteamId }>((db, value) =>
  db
    .selectFrom('night_people')
    .select('steam_id')
    .where('night_id', '=', value('nightId'))
    .where('steam_id', '=', value('steamId'))
    .where('gone', '=', 0),
)

/** The host of a night; null when it has none. */
export async function findHost(db: Queries | Tx, nightId: number): Promise<SteamId | null> {
  madeOf('night', [nightId])
  madeOf('nights', [])
  const row = await db
    .selectFrom('nights')
    .select('host_steam_id')
    .where('night_id', '=', nightId)
    .executeTakeFirst()
  return row?.host_steam_id ?? null
}
