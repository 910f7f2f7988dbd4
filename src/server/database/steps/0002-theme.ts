/** The theme of the pages that a user has chosen (LOOK-36). */
import { type Kysely, sql } from 'kysely'

export async function addTheme(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN theme text NOT NULL DEFAULT 'system'`.execute(db)
}
