/**
 * Drops what is not stored any more: that games for fewer people may be picked in a night, when presence of its players was
 * read last, and picture changes, which are counted with the other uses of a day.
 */
import { type Kysely, sql } from 'kysely'

export async function dropEndedRules(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights DROP COLUMN any_size`.execute(db)
  await sql`ALTER TABLE nights DROP COLUMN presence_at`.execute(db)
  await sql`DROP TABLE picture_changes`.execute(db)
}
