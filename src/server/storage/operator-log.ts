/** The log of what operators did (OPER-17): entries are added and read, and deleted only by age. */
import { type Insertable, sql } from 'kysely'
import type { SteamId } from '#shared/entities.ts'
import type { OperatorLogTable, Queries, Tx } from '../database/schema.ts'
import { deletedAmong } from './deleted-accounts.ts'

/** Adds an entry, without its account if that is deleted (OPER-11); call it in the transaction of what it is about. */
export async function addLogEntry(
  tx: Tx,
  entry: Pick<Insertable<OperatorLogTable>, 'at' | 'operator' | 'action' | 'reason'> &
    Partial<Insertable<OperatorLogTable>>,
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

/** Up to `limit` entries from before one, or from the newest, with the names of the players; newest first. */
export function listLog(db: Queries, before: number | undefined, limit: number) {
  const entries = db
    .selectFrom('operator_log')
    .leftJoin('people as by', 'by.steam_id', 'operator_log.operator')
    .leftJoin('people as whom', 'whom.steam_id', 'operator_log.account')
    .selectAll('operator_log')
    .select([
      'by.display_name as operator_name',
      'by.avatar_url as operator_avatar',
      'whom.display_name as account_name',
      'whom.avatar_url as account_avatar',
    ])
    .orderBy('entry_id', 'desc')
    .limit(limit)
  return (before === undefined ? entries : entries.where('entry_id', '<', before)).execute()
}

/** When a player was concerned by an entry, or made it; for the export of their data (API-41). */
export function listLogOf(db: Queries, steamId: SteamId) {
  return db
    .selectFrom('operator_log')
    .select((eb) => ['at', 'action', eb('operator', '=', steamId).as('by_me')])
    .where((eb) => eb.or([eb('account', '=', steamId), eb('operator', '=', steamId)]))
    .orderBy('entry_id', 'desc')
    .execute()
}

/**
 * Removes the id of a deleted account from the log, from the texts of entries and blocks too, also when they were about
 * others; the entries stay (DEL-2).
 */
export async function forgetInLog(tx: Tx, steamId: SteamId): Promise<void> {
  await tx.updateTable('operator_log').set({ account: null }).where('account', '=', steamId).execute()
  await tx.updateTable('operator_log').set({ operator: null }).where('operator', '=', steamId).execute()
  const without = (column: 'reason' | 'detail') => sql<string>`replace(${sql.ref(column)}, ${steamId}, '…')`
  for (const table of ['operator_log', 'blocked_accounts'] as const)
    await tx
      .updateTable(table)
      .set({ reason: without('reason') })
      .where('reason', 'like', `%${steamId}%`)
      .execute()
  await tx
    .updateTable('operator_log')
    .set({ detail: without('detail') })
    .where('detail', 'like', `%${steamId}%`)
    .execute()
}
