/** How often in a row the push service of a device has refused a message for good (PUSH-11). */
import { type Kysely, sql } from 'kysely'

export async function addPushRefusals(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE push_subscriptions ADD COLUMN refusals integer NOT NULL DEFAULT 0`.execute(db)
}
