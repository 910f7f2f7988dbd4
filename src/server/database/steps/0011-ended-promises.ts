/**
 * Drops who played a pick together afterwards, and which groups that a user left are not listed. Results of votes that
 * have ended no longer say either.
 */
import { type Kysely, sql } from 'kysely'

type Result = { entries: { facts: Record<string, unknown> }[] }

export async function dropEndedPromises(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights DROP COLUMN played_at`.execute(db)
  await sql`ALTER TABLE night_people DROP COLUMN played`.execute(db)
  await sql`ALTER TABLE group_departures DROP COLUMN forgotten`.execute(db)
  const { rows } = await sql<{
    night_id: number
    result: string
  }>`SELECT night_id, result FROM nights WHERE result IS NOT NULL`.execute(db)
  for (const { night_id, result } of rows) {
    const changed = JSON.parse(result) as Result
    for (const { facts } of changed.entries) delete facts.played_together
    await sql`UPDATE nights SET result = ${JSON.stringify(changed)} WHERE night_id = ${night_id}`.execute(db)
  }
}
