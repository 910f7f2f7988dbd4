/** The language that a user has chosen, null for the browser's (LANG-1). */
import { type Kysely, sql } from 'kysely'

export async function addLanguage(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN language text`.execute(db)
}
