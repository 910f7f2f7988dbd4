/** Data about the installation, shared by all servers of one database. */
import { createHmac } from 'node:crypto'
import type { InstallationTable, Queries, Tx } from '../database/schema.ts'

/** A fact about the installation; undefined while there is none. */
export async function readValue(
  db: Queries | Tx,
  name: InstallationTable['name'],
): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a fact, in place of what was stored before. */
export async function writeValue(
  db: Queries | Tx,
  name: InstallationTable['name'],
  value: string,
): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** The purpose of a keyed hash; hashes of the same text for two purposes differ. */
type Purpose =
  'sign-in state' | 'account use' | 'deleted account' | 'blocked account' | 'calendar entry' | 'simulator'

/** Returns a function that hashes texts with the installation's secret (HMAC-SHA-256, base64url). */
export async function keyedHasher(db: Queries | Tx, purpose: Purpose): Promise<(text: string) => string> {
  const secret = Buffer.from((await readValue(db, 'secret'))!, 'base64url')
  return (text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
}
