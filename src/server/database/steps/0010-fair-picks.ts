/** Whether a night picks games that somebody lacks, and when its vote ends by itself. */
import { type Kysely, sql } from 'kysely'

export async function addFairPicks(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights ADD COLUMN any_owner integer NOT NULL DEFAULT 0`.execute(db)
  await sql`ALTER TABLE nights ADD COLUMN vote_closes_at bigint`.execute(db)
  await sql`CREATE INDEX nights_by_vote_end ON nights (vote_closes_at) WHERE vote_closes_at IS NOT NULL`.execute(
    db,
  )
}
