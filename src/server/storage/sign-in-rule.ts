/** Who may sign in (OPER-7), in the table of the installation, for all servers. */
import type { WhoSignsIn } from '#shared/contract/operator.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { deletedAmong } from './deleted-accounts.ts'
import { keyedHasher, readValue, writeValue } from './installation.ts'
import { lockSessions } from './sessions.ts'

export type SignInRule = {
  who: WhoSignsIn
  /** The list; it stays when another rule holds. */
  steamIds: readonly SteamId[]
  /** Keyed hashes of listed accounts that were deleted here: they may come back, and their ids are gone (DEL-2). */
  deleted: readonly string[]
}

const ANYONE: SignInRule = { who: 'anyone', steamIds: [], deleted: [] }

/** The rule that holds. */
export async function readSignInRule(db: Queries | Tx): Promise<SignInRule> {
  const value = await readValue(db, 'sign_in')
  return value === undefined ? ANYONE : (JSON.parse(value) as SignInRule)
}

/** Whether an account is on the list. */
export async function isListed(db: Queries | Tx, rule: SignInRule, steamId: SteamId): Promise<boolean> {
  if (rule.steamIds.includes(steamId)) return true
  return rule.deleted.length > 0 && rule.deleted.includes((await keyedHasher(db, 'deleted account'))(steamId))
}

/**
 * Replaces rule and list; accounts that are deleted are listed by their hashes. The transaction must have called
 * `preventDeletions` (`accounts.ts`). Waits for sign-ins in progress, which the rule before has allowed. Returns the rule
 * before, too.
 */
export async function changeSignInRule(
  database: Database,
  tx: Tx,
  { who, steamIds }: Pick<SignInRule, 'who' | 'steamIds'>,
): Promise<{ before: SignInRule; rule: SignInRule }> {
  await lockSessions(database, tx)
  await database.lock(tx, LOCK)
  const before = await readSignInRule(tx)
  const hash = await keyedHasher(tx, 'deleted account')
  const listed = [...new Set(steamIds)]
  const gone = await deletedAmong(tx, listed)
  const ids = listed.filter((id) => !gone.has(id))
  const back = new Set(ids.map(hash))
  const rule = {
    who,
    steamIds: ids,
    deleted: [...new Set([...before.deleted.filter((one) => !back.has(one)), ...[...gone.keys()].map(hash)])],
  }
  await write(tx, rule)
  return { before, rule }
}

/** Replaces the id of an account that is being deleted by its hash. */
export async function forgetListed(database: Database, tx: Tx, steamId: SteamId): Promise<void> {
  // Read before it is locked, because nearly no account is on a list.
  if (!(await readSignInRule(tx)).steamIds.includes(steamId)) return
  await database.lock(tx, LOCK)
  const rule = await readSignInRule(tx)
  const hash = await keyedHasher(tx, 'deleted account')
  await write(tx, {
    ...rule,
    steamIds: rule.steamIds.filter((id) => id !== steamId),
    deleted: [...new Set([...rule.deleted, hash(steamId)])],
  })
}

const LOCK = 'sign-in rule'

function write(tx: Tx, rule: SignInRule): Promise<void> {
  return writeValue(tx, 'sign_in', JSON.stringify(rule))
}
