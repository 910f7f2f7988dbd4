/** Accounts on the operator's page: who they are, and blocking, signing out and deleting them (OPER-9, OPER-11). */
import type { operatorContract } from '#shared/contract/operator.ts'
import type { SteamId } from '#shared/entities.ts'
import { GROUPS_OWNED_MAX, OPERATOR_LIST_MAX } from '#shared/limits.ts'
import type { Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { blockAccount, findBlock, listBlocked, unblockAccount } from '../storage/blocked-accounts.ts'
import { listOwnedGroups } from '../storage/group-reports.ts'
import { addLogEntry } from '../storage/operator-log.ts'
import { findPlayer } from '../storage/players.ts'
import { deleteSessionsOf, listSessions } from '../storage/sessions.ts'
import { isoTime } from '../time.ts'
import { isOperator } from './access.ts'
import { leaveOpenNights } from './departures.ts'
import { leavingNights } from './night-change.ts'
import { deleteEverything } from './privacy.ts'
import { profileOf } from './visible-libraries.ts'

/** Handlers of accounts for operators. */
export function operatorAccountsHandlers(deps: Deps) {
  const { config, database, clock } = deps
  const { queries } = database

  return {
    blocked: async () =>
      (await listBlocked(queries, OPERATOR_LIST_MAX)).map(({ blocked_at, ...player }) => ({
        ...player,
        at: new Date(blocked_at).toISOString(),
      })),

    account: ({ params }) => read(params.steamId),

    // The action and its entry in the log are one transaction; one that changes nothing is not logged.
    changeAccount: async ({ params: { steamId }, body: { action, reason }, user }) => {
      const at = clock()
      const log = (tx: Tx) => addLogEntry(tx, { at, operator: user, action, account: steamId, reason })
      if (action === 'block' || action === 'delete_account') requireNoOperator(steamId)
      if (action === 'delete_account') {
        const player = await findPlayer(queries, steamId)
        if (!player || player.signed_in_at === null)
          throw new AppError('not_found', { reason: 'account_not_found' })
        await deleteEverything(deps, steamId, log)
      } else if (action === 'block')
        // Votes may be complete without them.
        await leavingNights(deps, steamId, async (tx) => {
          if (!(await blockAccount(database, tx, steamId, { at, reason }))) return
          await leaveOpenNights(tx, steamId, at)
          await log(tx)
        })
      else
        await database.transaction(async (tx) => {
          if (action === 'unblock') {
            if (await unblockAccount(database, tx, steamId)) await log(tx)
            return
          }
          await deleteSessionsOf(tx, steamId)
          await log(tx)
        })
      return read(steamId)
    },
  } satisfies Partial<Handlers<typeof operatorContract>>

  function requireNoOperator(steamId: SteamId): void {
    if (isOperator(config, steamId)) throw new AppError('is_operator')
  }

  async function read(steamId: SteamId) {
    const [player, block, sessions] = await Promise.all([
      findPlayer(queries, steamId),
      findBlock(queries, steamId),
      listSessions(queries, steamId, clock()),
    ])
    return {
      ...profileOf(steamId, player),
      signed_in_at: isoTime(player?.signed_in_at),
      sessions: sessions.length,
      is_operator: isOperator(config, steamId),
      blocked: block ? { at: new Date(block.blocked_at).toISOString(), reason: block.reason } : null,
      owned_groups: block ? await listOwnedGroups(queries, steamId, GROUPS_OWNED_MAX) : [],
    }
  }
}
