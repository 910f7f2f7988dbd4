/** The operator's page: figures, who may sign in, and the log (OPER-1 to OPER-8, OPER-17). */
import type { operatorContract, OperatorAction } from '#shared/contract/operator.ts'
import type { SteamId } from '#shared/entities.ts'
import { OPERATOR_LIST_MAX } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { sumErrors } from '../monitoring/error-counts.ts'
import { LASTING_MS } from '../sessions/activity.ts'
import { preventDeletions } from '../storage/accounts.ts'
import {
  averagePictureBytes,
  countActive,
  countOutbox,
  countRefreshes,
  databaseBytes,
} from '../storage/figures.ts'
import { addLogEntry, listLog } from '../storage/operator-log.ts'
import { countOf } from '../database/chunks.ts'
import { deleteOtherSessions } from '../storage/sessions.ts'
import { changeSignInRule, readSignInRule, type SignInRule } from '../storage/sign-in-rule.ts'
import { isoTime } from '../time.ts'
import { operatorAccountsHandlers } from './operator-accounts.ts'
import { operatorGroupsHandlers } from './operator-groups.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** Users that an entry of the log names. */
const NAMED_MAX = 10

/** Handlers of the operator's page. */
export function operatorHandlers(deps: Deps) {
  const { database, monitor, clock } = deps
  const { queries } = database

  return {
    ...operatorAccountsHandlers(deps),
    ...operatorGroupsHandlers(deps),

    overview: async () => {
      const now = clock()
      // A lasting session ends 30 days after its last use.
      const usedWithin = (days: number) => countActive(queries, now + LASTING_MS - days * DAY_MS)
      const [calls, refreshes, outbox, servers] = await Promise.all([
        monitor.steamCalls(),
        countRefreshes(queries),
        countOutbox(queries),
        monitor.servers(),
      ])
      const [signedIn, week, month] = await Promise.all([
        countOf(queries.selectFrom('people').where('signed_in_at', 'is not', null)),
        usedWithin(7),
        usedWithin(30),
      ])
      const [groups, nights, pictures, pictureBytes, bytes] = await Promise.all([
        countOf(queries.selectFrom('groups')),
        countOf(queries.selectFrom('nights')),
        countOf(queries.selectFrom('pictures')),
        averagePictureBytes(queries),
        databaseBytes(database),
      ])
      return {
        platform: {
          used_today: calls.used,
          left_today: calls.left,
          blocked_until: isoTime(calls.blockedUntil),
        },
        refresh_list: {
          waiting: refreshes.waiting,
          failing: refreshes.failing,
          oldest_at: isoTime(refreshes.oldestAt),
        },
        outbox,
        // A server that has gone has left the errors of its own last hour.
        errors: sumErrors(
          servers.map(({ errors }) => errors.filter(({ last_at }) => last_at > now - HOUR_MS)),
        ).map(({ last_at, ...error }) => ({ ...error, last_at: new Date(last_at).toISOString() })),
        people: { signed_in: signedIn, active_7_days: week, active_30_days: month },
        groups,
        nights,
        storage: {
          database_bytes: bytes,
          pictures,
          picture_bytes: Math.round(pictures * pictureBytes),
        },
        // Stopped servers are not listed; their errors still count above.
        servers: servers
          .filter(({ stopped_at }) => stopped_at === null)
          .map(({ server_id, version, started_at, seen_at, memory_bytes }) => ({
            server_id,
            version,
            started_at: new Date(started_at).toISOString(),
            seen_at: new Date(seen_at).toISOString(),
            memory_bytes,
            current: server_id === monitor.serverId,
          })),
      }
    },

    signInRule: async () => asShown(await readSignInRule(queries)),

    setSignInRule: ({ body: { who, steam_ids, reason }, user }) =>
      database.transaction(async (tx) => {
        await preventDeletions(database, tx)
        const { before, rule } = await changeSignInRule(database, tx, { who, steamIds: steam_ids })
        const detail = [
          who === 'listed' ? `${who}: ${rule.steamIds.length + rule.deleted.length}` : who,
          ...naming('added', without(rule.steamIds, before.steamIds)),
          ...naming('removed', without(before.steamIds, steam_ids)),
        ].join('; ')
        await addLogEntry(tx, { at: clock(), operator: user, action: 'set_sign_in', detail, reason })
        return asShown(rule)
      }),

    signOutEveryone: ({ body: { reason }, user }) =>
      database.transaction(async (tx) => {
        await deleteOtherSessions(database, tx, user)
        await addLogEntry(tx, { at: clock(), operator: user, action: 'sign_out_everyone', reason })
      }),

    log: async ({ params: { before } }) => {
      const from = before === 'newest' ? undefined : Number(before)
      const rows = await listLog(queries, from, OPERATOR_LIST_MAX + 1)
      return {
        has_more: rows.length > OPERATOR_LIST_MAX,
        entries: rows.slice(0, OPERATOR_LIST_MAX).map((row) => ({
          entry_id: row.entry_id,
          at: new Date(row.at).toISOString(),
          operator: playerOf(row.operator, row.operator_name, row.operator_avatar),
          // Rows are written from the contract's own list of actions.
          action: row.action satisfies OperatorAction,
          account: playerOf(row.account, row.account_name, row.account_avatar),
          group_id: row.group_id,
          detail: row.detail,
          reason: row.reason,
        })),
      }
    },
  } satisfies Handlers<typeof operatorContract>
}

function asShown(rule: SignInRule) {
  const { who, steamIds, deleted } = rule
  return { who, steam_ids: [...steamIds], deleted: deleted.length }
}

/** Those of the first list that are not in the second. */
function without(ids: readonly SteamId[], others: readonly SteamId[]): SteamId[] {
  return [...new Set(ids).difference(new Set(others))]
}

/** Says in the log what happened to these users, without naming all of a long list. */
function naming(what: string, ids: readonly SteamId[]): string[] {
  if (ids.length === 0) return []
  const named = ids.slice(0, NAMED_MAX).join(', ')
  return [`${what} ${named}${ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} more` : ''}`]
}

function playerOf(steam_id: SteamId | null, display_name: string | null, avatar_url: string | null) {
  return steam_id === null ? null : { steam_id, display_name, avatar_url }
}
