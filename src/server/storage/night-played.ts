/** Who played the pick of a game night together afterwards, according to later syncs (NIGHT-60, NIGHT-61). */
import type { SteamId } from '#shared/entities.ts'
import { column, countOf } from '../database/chunks.ts'
import type { Tx } from '../database/schema.ts'
import { picksOf } from './night-picks.ts'
import { changeNight, lockNight } from './nights.ts'

/** As many must have played a pick to have played it together. */
const TOGETHER_MIN = 2

/** The pick of a night that a player was in. */
export type RecentPick = { night_id: number; appid: number; decided_at: number }

/** The picks, since a time, of nights that a player was in and is not yet found to have played. */
export async function listRecentPicks(tx: Tx, steamId: SteamId, since: number): Promise<RecentPick[]> {
  const nights = await tx
    .selectFrom('night_people')
    .innerJoin('nights', 'nights.night_id', 'night_people.night_id')
    .select(['nights.night_id', 'nights.decided_at'])
    .where('night_people.steam_id', '=', steamId)
    .where('night_people.answer', '=', 'in')
    .where('night_people.played', '=', 0)
    .where('nights.status', '=', 'decided')
    .where('nights.decided_at', '>=', since)
    .orderBy('nights.night_id')
    .execute()
  const picks = await picksOf(tx, column(nights, 'night_id'))
  return nights.map(({ night_id, decided_at }) => ({
    night_id,
    appid: picks.get(night_id)!,
    decided_at: decided_at!,
  }))
}

/** Stores that a player played the pick of a night; the second who did makes it played together. */
export async function savePlayed(
  tx: Tx,
  { night_id, decided_at }: RecentPick,
  steamId: SteamId,
  at: number,
): Promise<void> {
  const night = await lockNight(tx, night_id)
  // It may have been drawn again before it was locked.
  if (night?.decided_at !== decided_at) return
  await setPlayed(tx, night_id, steamId, 1)
  const isTogether = (await countPlayed(tx, night_id)) >= TOGETHER_MIN
  await changeNight(tx, night_id, { played_at: isTogether ? (night.played_at ?? at) : null })
}

/**
 * Forgets that a player played picks: a game that they hide now, or all of them (VIS-8). One who is left has played
 * alone. The player must be locked.
 */
export async function forgetPlayed(tx: Tx, steamId: SteamId, appid?: number): Promise<void> {
  const nights = await tx
    .selectFrom('night_people')
    .select('night_id')
    .where('steam_id', '=', steamId)
    .where('played', '=', 1)
    .orderBy('night_id')
    .execute()
  const picks = await picksOf(tx, column(nights, 'night_id'))
  for (const [nightId, pick] of picks) {
    if (appid !== undefined && pick !== appid) continue
    await lockNight(tx, nightId)
    await setPlayed(tx, nightId, steamId, 0)
    const isTogether = (await countPlayed(tx, nightId)) >= TOGETHER_MIN
    await changeNight(tx, nightId, isTogether ? {} : { played_at: null })
  }
}

async function setPlayed(tx: Tx, nightId: number, steamId: SteamId, played: 0 | 1): Promise<void> {
  await tx
    .updateTable('night_people')
    .set({ played })
    .where('night_id', '=', nightId)
    .where('steam_id', '=', steamId)
    .execute()
}

async function countPlayed(tx: Tx, nightId: number): Promise<number> {
  return countOf(tx.selectFrom('night_people').where('night_id', '=', nightId).where('played', '=', 1))
}
