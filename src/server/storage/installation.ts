/** Data about the installation, shared by all servers of one database. */
import { createECDH, createHmac } from 'node:crypto'
import { upsert } from '../database/chunks.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'

/** A fact about the installation; undefined while there is none. */
export async function readValue(db: Queries | Tx, name: Schema['installation']['name']) {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a fact, in place of what was stored before. */
export function writeValue(
  db: Queries | Tx,
  name: Schema['installation']['name'],
  value: string,
): Promise<void> {
  return upsert(db, 'installation', { name }, { value })
}

/** The keys by which push services know this installation (RFC 8292), as base64url; made with the database. */
export async function readPushKeys(db: Queries | Tx): Promise<{ publicKey: string; privateKey: string }> {
  const privateKey = (await readValue(db, 'push_key'))!
  const keys = createECDH('prime256v1')
  keys.setPrivateKey(privateKey, 'base64url')
  return { publicKey: keys.getPublicKey('base64url'), privateKey }
}

/** The purpose of a keyed hash; hashes of the same text for two purposes differ. */
type Purpose =
  | 'sign-in state'
  | 'account use'
  | 'deleted account'
  | 'blocked account'
  | 'calendar entry'
  | 'push topic'
  | 'simulator'

/** Returns a function that hashes texts with the installation's secret (HMAC-SHA-256, base64url). */
export async function keyedHasher(db: Queries | Tx, purpose: Purpose): Promise<(text: string) => string> {
  const secret = Buffer.from((await readValue(db, 'secret'))!, 'base64url')
  return (text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
}
