/**
 * What operators see and decide: who may sign in (OPER-7), their log, to which entries are added, and deleted only by age
 * (OPER-17), and reports of groups (OPER-13, OPER-14).
 */
import type { WhoSignsIn } from '#shared/contract/operator.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import { findGroupRow } from './groups/group-row.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { deletedAmong, findPlayer } from './players/players.ts'
import { keyedHasher, readValue, writeValue } from './installation.ts'
import { lockSessions } from './accounts/sessions.ts'
import { type Insertable, sql } from 'kysely'

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

/** Adds an entry, without its account if that is deleted (OPER-11); call it in the transaction of what it is about. */
export async function addLogEntry(
  tx: Tx,
  entry: Pick<Insertable<Schema['operator_log']>, 'at' | 'operator' | 'action' | 'reason'> &
    Partial<Insertable<Schema['operator_log']>>,
): Promise<void> {
  const { account = null, reason } = entry
  const isDeleted = account !== null && (await deletedAmong(tx, [account])).has(account)
  await tx
    .insertInto('operator_log')
    .values({
      ...entry,
      account: isDeleted ? null : account,
      reason: isDeleted ? reason.replaceAll(account, '…') : reason,
    })
    .execute()
}

/**
 * Removes the id of a deleted account from the log, from the texts of entries and blocks too, also when they were about
 * others; the entries stay (DEL-2).
 */
export async function forgetInLog(tx: Tx, steamId: SteamId): Promise<void> {
  await tx.updateTable('operator_log').set({ account: null }).where('account', '=', steamId).execute()
  await tx.updateTable('operator_log').set({ operator: null }).where('operator', '=', steamId).execute()
  const texts = [
    ['operator_log', 'reason'],
    ['operator_log', 'detail'],
    ['blocked_accounts', 'reason'],
  ] as const
  for (const [table, text] of texts)
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(text)} = replace(${sql.ref(text)}, ${steamId}, '…')
      WHERE ${sql.ref(text)} LIKE ${`%${steamId}%`}`.execute(tx)
}

/**
 * A group that operators may see, with its open reports, latest first, without who made them: one that was reported or whose
 * owner is blocked (OPER-14); undefined for every other. No joins, because groups, people and reports may be on different
 * machines.
 */
export async function findModerated(db: Queries | Tx, groupId: number) {
  const group = await findGroupRow(db, groupId)
  const owner = group && (await findPlayer(db, group.owner_steam_id))
  if (!owner) return undefined
  const reports = await db
    .selectFrom('group_reports')
    .select(['about', 'reason', 'name_then', 'at'])
    .where('group_id', '=', groupId)
    .orderBy('at', 'desc')
    .orderBy('steam_id')
    .execute()
  return owner.blocked_at === null && reports.length === 0 ? undefined : { group, owner, reports }
}
