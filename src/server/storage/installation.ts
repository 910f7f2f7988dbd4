/** What one database knows of itself, the same for all servers of it. */
import { createHmac } from 'node:crypto'
import type { Queries, Tx } from '../database/schema.ts'

/** What a keyed hash is for: hashes for one purpose are of no use for another. */
type Purpose = 'sign-in state' | 'account use' | 'deleted account'

/** Hashes texts with this installation's secret (HMAC-SHA-256, base64url); nobody else can make these hashes. */
export async function keyedHasher(db: Queries | Tx, purpose: Purpose): Promise<(text: string) => string> {
  const { value } = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'secret')
    .executeTakeFirstOrThrow()
  const secret = Buffer.from(value, 'base64url')
  return (text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
}
