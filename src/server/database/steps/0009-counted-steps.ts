import { type Kysely, sql } from 'kysely'

/** Versions before the named steps counted theirs in a table. */
export async function dropCountedSteps(db: Kysely<never>): Promise<void> {
  await sql`DROP TABLE IF EXISTS schema_steps`.execute(db)
}
