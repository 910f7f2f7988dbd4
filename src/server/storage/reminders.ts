/** When the players of planned nights are reminded of the start, and the starts themselves. */
import { notAmong } from '../database/chunks.ts'
import { lockRows } from '../database/row-locks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { NightRow } from './nights.ts'
import type { Some } from './row-by-row.ts'

/** A night that servers did not announce for so long, because they were off, is no longer news. */
const LATE_START_MS = 60 * 60_000

/** Sets when a night's players are next reminded of its start, in place of an earlier time; never, where that has passed. */
export async function setReminder(tx: Tx, nightId: number, due_at: number, now: number): Promise<void> {
  if (due_at <= now) await tx.deleteFrom('night_reminders').where('night_id', '=', nightId).execute()
  else
    await tx
      .insertInto('night_reminders')
      .values({ night_id: nightId, due_at })
      .onConflict((conflict) => conflict.column('night_id').doUpdateSet({ due_at }))
      .execute()
}

/** Takes the due reminder of a night, which it locks; undefined where another server has, or the night was moved. */
export async function takeReminder(
  tx: Tx,
  nightId: number,
  now: number,
): Promise<Pick<NightRow, 'starts_at' | 'status'> | undefined> {
  const [night] = await lockRows(tx, 'night', [nightId], (ids) =>
    tx.selectFrom('nights').select(['starts_at', 'status']).where('night_id', 'in', ids),
  )
  const taken = await tx
    .deleteFrom('night_reminders')
    .where('night_id', '=', nightId)
    .where('due_at', '<=', now)
    .returning('due_at')
    .executeTakeFirst()
  return taken && night
}

/** Planned nights whose time has come and that nobody has been told of. */
export async function listDueStarts(db: Queries, now: number, { limit, without }: Some): Promise<number[]> {
  const found = startsDue(db, now).where(notAmong('night_id', without)).orderBy('night_id')
  return (await found.limit(limit).execute()).map((night) => night.night_id)
}

/** Notes that a night's start is announced; false where another server has, or its host has moved or cancelled it. */
export async function takeStart(tx: Tx, nightId: number, now: number): Promise<boolean> {
  const [night] = await lockRows(tx, 'night', [nightId], (ids) =>
    startsDue(tx, now).where('night_id', 'in', ids),
  )
  // Nothing that is shown of the night changes.
  if (night)
    await tx.updateTable('nights').set({ start_announced: 1 }).where('night_id', '=', nightId).execute()
  return night !== undefined
}

function startsDue(db: Queries | Tx, now: number) {
  return db
    .selectFrom('nights')
    .select('night_id')
    .where('status', 'in', ['open', 'tied', 'decided'])
    .where('starts_at', '<=', now)
    .where('starts_at', '>', now - LATE_START_MS)
    .where('planned', '=', 1)
    .where('start_announced', '=', 0)
}
