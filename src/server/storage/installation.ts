/** Data about the installation, shared by all servers of one database. */
import { createHmac } from 'node:crypto'
import type { Queries, Tx } from '../database/schema.ts'

/** The purpose of a keyed hash; hashes of the same text for two purposes differ. */
type Purpose =
  'sign-in state' | 'account use' | 'deleted account' | 'blocked account' | 'calendar entry' | 'simulator'

/** Returns a function that hashes texts with the installation's secret (HMAC-SHA-256, base64url). */
export async function keyedHasher(db: Queries | Tx, purpose: Purpose): Promise<(text: string) => string> {
  const { value } = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'secret')
    .executeTakeFirstOrThrow()
  const secret = Buffer.from(value, 'base64url')
  return (text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
}
