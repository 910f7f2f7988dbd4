/**
 * Messages that wait to be sent (decision 012): to the webhooks of groups, and to the devices of users. Each is written in
 * the transaction of what it says, so none is lost or made up, and sent later by any server (`messages/sender.ts`).
 */
import { type Selectable, sql } from 'kysely'
import { MESSAGES_PER_HOUR } from '#shared/limits.ts'
import { column, inChunks } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import type { Schema, Tx } from '../../database/schema.ts'

/** The tables of messages, each with the column that says where a message goes. */
const targets = { messages: 'webhook_id', push_messages: 'subscription_id' } as const
export type Outbox = keyof typeof targets

type Rows = { messages: Selectable<Schema['messages']>; push_messages: Selectable<Schema['push_messages']> }
type Common = Pick<Rows[Outbox], keyof Rows['messages'] & keyof Rows['push_messages']>
export type Claimed<Name extends Outbox> = Rows[Name] & Common

/** A target has had enough when it got so many messages in an hour (NIGHT-72, PUSH-10). */
const HOUR_MS = 60 * 60_000

/** Writes a message for each of these targets that has not had the most of an hour; returns those targets. */
export async function addMessages<Id extends string | number>(
  tx: Tx,
  outbox: Outbox,
  ids: readonly Id[],
  { event, body, now }: { event: string; body: object; now: number },
): Promise<Id[]> {
  // The tables differ in one column.
  const [table, target] = [outbox, targets[outbox]] as ['messages', 'webhook_id']
  const full = await tx
    .selectFrom(table)
    .select(target)
    .where(target, 'in', ids as readonly number[])
    .where('created_at', '>', now - HOUR_MS)
    .groupBy(target)
    .having((eb) => eb.fn.countAll(), '>=', MESSAGES_PER_HOUR)
    .execute()
  const open = ids.filter((id) => !full.some((row) => row[target] === id))
  const message = { event, body: JSON.stringify(body), next_attempt_at: now, created_at: now }
  await inChunks(open as readonly number[], (some) =>
    tx
      .insertInto(table)
      .values(some.map((id) => ({ ...message, [target]: id })))
      .execute(),
  )
  return open
}

/**
 * Claims up to `limit` messages that are due, each to another target, until `now + leaseMs`; no other server gets them
 * before. A target gets its messages in the order in which they were written, so one that is tried again holds up those
 * after it. Targets whose message was not tried yet come first, so that addresses that fail hold no others up.
 */
export async function claimMessages<Name extends Outbox>(
  database: Database,
  outbox: Name,
  { now, leaseMs, limit }: { now: number; leaseMs: number; limit: number },
): Promise<Claimed<Name>[]> {
  // The tables differ in one column.
  const [table, target] = [outbox, targets[outbox]] as ['messages', 'webhook_id']
  if (limit === 0) return []
  return database.transaction(async (tx) => {
    const dueAfter = (attempts: '=' | '>') => {
      const due = tx
        .selectFrom(table)
        .select('message_id')
        .where('done_at', 'is', null)
        // Written out, for the index of those that were not tried.
        .where('attempts', attempts, sql.lit(0))
        .where('next_attempt_at', '<=', now)
        .where('lease_until', '<=', now)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom(`${table} as other`)
                .select('other.message_id')
                .whereRef(`other.${target}`, '=', `${table}.${target}`)
                .whereRef('other.message_id', '<', `${table}.message_id`)
                .where('other.done_at', 'is', null),
            ),
          ),
        )
        .orderBy('next_attempt_at')
        .orderBy('message_id')
        .limit(limit)
      // On SQLite, write transactions run one at a time anyway.
      return (database.engine === 'postgres' ? due.forUpdate().skipLocked() : due).execute()
    }
    const untried = await dueAfter('=')
    // Sorting all that wait would take longer than sending some of them.
    const rows = untried.length < limit ? [...untried, ...(await dueAfter('>'))] : untried
    const claimed = await tx
      .updateTable(table)
      .set((eb) => ({ lease_until: now + leaseMs, attempts: eb('attempts', '+', 1) }))
      .where('message_id', 'in', column(rows.slice(0, limit), 'message_id'))
      .returningAll()
      .execute()
    return claimed as unknown as Claimed<Name>[]
  })
}

/** Ends a claim: `retryAt` null when the message was sent or is given up. Does nothing after another claim. */
export async function endClaim(
  tx: Tx,
  outbox: Outbox,
  { message_id, attempts }: Common,
  { retryAt, at }: { retryAt: number | null; at: number },
): Promise<void> {
  await tx
    .updateTable(outbox)
    .set({
      lease_until: 0,
      ...(retryAt === null ? { done_at: at, body: '' } : { next_attempt_at: retryAt }),
    })
    .where('message_id', '=', message_id)
    .where('attempts', '=', attempts)
    .where('done_at', 'is', null)
    .execute()
}
