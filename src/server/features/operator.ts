/** The operator's page: figures, who may sign in, accounts, reported groups, and the log (OPER-1 to OPER-17). */
import type { OperatorAction, operatorContract } from '#shared/contract/operator.ts'
import type { SteamId } from '#shared/entities.ts'
import { GROUPS_OWNED_MAX, OPERATOR_LIST_MAX } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { LASTING_MS } from '../sessions/sessions.ts'
import { blockAccount, findBlock, preventDeletions, unblockAccount } from '../storage/accounts/accounts.ts'
import {
  addLogEntry,
  changeSignInRule,
  findModerated,
  readSignInRule,
  type SignInRule,
} from '../storage/operator.ts'
import { column, countOf, deleteRows } from '../database/chunks.ts'
import { dayOf, readCalls, readHost } from '../storage/players/steam-hosts.ts'
import { deleteOtherSessions, deleteSessionsOf, listSessions } from '../storage/accounts/sessions.ts'
import { isoTime } from '../time.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { findPlayer, lockPlayers, readPlayers } from '../storage/players/players.ts'
import { isOperator } from './access.ts'
import { leaveOpenNights } from './groups/departures.ts'
import { deleteEverything } from './accounts/privacy.ts'
import { profileOf } from './players/visible-libraries.ts'
import type { BodyOf } from '#shared/contract/endpoint.ts'
import { pictureImageUrl } from '../pictures/pictures.ts'
import { changeGroup, deleteGroups, lockGroup } from '../storage/groups/groups.ts'
import { makeOwner } from './groups/groups.ts'

const DAY_MS = 24 * 60 * 60_000
/** Users that an entry of the log names. */
const NAMED_MAX = 10

export function operatorHandlers(deps: Deps) {
  const { config, database, pictures, steamCalls, clock } = deps
  const { queries } = database

  return {
    overview: async () => {
      const now = clock()
      // A lasting session ends 30 days after its last use.
      const usedWithin = async (days: number) => {
        const sessions = queries
          .selectFrom('sessions')
          .select((eb) => eb.fn.count<number>('steam_id').distinct().as('users'))
          .where('expires_at', '>', now + LASTING_MS - days * DAY_MS)
          .where('kind', '=', 'lasting')
        return Number((await sessions.executeTakeFirstOrThrow()).users)
      }
      const { host, callsPerDay } = steamCalls
      const refreshes = queries.selectFrom('refreshes')
      const waiting = (outbox: 'messages' | 'push_messages') =>
        countOf(queries.selectFrom(outbox).where('done_at', 'is', null))
      const [used, { blocked_until }, due, failing, { oldest }, ofWebhooks, ofDevices] = await Promise.all([
        readCalls(queries, host, dayOf(now)),
        readHost(queries, host),
        countOf(refreshes),
        countOf(refreshes.where('attempts', '>', 0).where('lease_owner', 'is', null)),
        refreshes.select((eb) => eb.fn.min('requested_at').as('oldest')).executeTakeFirstOrThrow(),
        waiting('messages'),
        waiting('push_messages'),
      ])
      return {
        platform: {
          used_today: used,
          left_today: Math.max(0, callsPerDay - used),
          blocked_until: blocked_until > now ? isoTime(blocked_until) : null,
        },
        refresh_list: { waiting: due, failing, oldest_at: isoTime(oldest) },
        outbox: ofWebhooks + ofDevices,
        people: {
          signed_in: await countOf(queries.selectFrom('people').where('signed_in_at', 'is not', null)),
          active_7_days: await usedWithin(7),
          active_30_days: await usedWithin(30),
        },
        groups: await countOf(queries.selectFrom('groups')),
        nights: await countOf(queries.selectFrom('nights')),
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
      const rows = await queries
        .selectFrom('operator_log')
        .selectAll()
        .$if(before !== 'newest', (all) => all.where('entry_id', '<', Number(before)))
        .orderBy('entry_id', 'desc')
        .limit(OPERATOR_LIST_MAX + 1)
        .execute()
      const ids = rows.flatMap(({ operator, account }) => [operator, account]).filter((id) => id !== null)
      const players = await readPlayers(queries, ids)
      const playerOf = (id: SteamId | null) => (id === null ? null : profileOf(id, players.get(id)))
      return {
        has_more: rows.length > OPERATOR_LIST_MAX,
        entries: rows.slice(0, OPERATOR_LIST_MAX).map((row) => ({
          entry_id: row.entry_id,
          at: new Date(row.at).toISOString(),
          operator: playerOf(row.operator),
          // Rows are written from the contract's own list of actions.
          action: row.action satisfies OperatorAction,
          account: playerOf(row.account),
          group_id: row.group_id,
          detail: row.detail,
          reason: row.reason,
        })),
      }
    },

    blocked: async () =>
      (
        await queries
          .selectFrom('people')
          .select(['steam_id', 'display_name', 'avatar_url', 'blocked_at'])
          .where('blocked_at', 'is not', null)
          .orderBy('blocked_at', 'desc')
          .orderBy('steam_id')
          .limit(OPERATOR_LIST_MAX)
          .execute()
      ).map(({ blocked_at, ...player }) => ({ ...player, at: isoTime(blocked_at)! })),

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
        await database.transaction(async (tx) => {
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

    reports: async () => {
      const reported = await queries
        .selectFrom('group_reports')
        .select('group_id')
        .groupBy('group_id')
        .orderBy((eb) => eb.fn.max('at'), 'desc')
        .orderBy('group_id', 'desc')
        .limit(OPERATOR_LIST_MAX)
        .execute()
      const groups = await Promise.all(reported.map(({ group_id }) => find(queries, group_id)))
      // One may have been deleted.
      return groups.filter((group) => group !== undefined)
    },

    group: async ({ params }) => {
      const group = await find(queries, params.id)
      if (!group) throw new AppError('group_not_found')
      return group
    },

    changeGroup: ({ params: { id }, body, user }) =>
      database.transaction(async (tx) => {
        const newOwner = body.action === 'hand_over' ? body.steam_id : undefined
        const player = newOwner === undefined ? undefined : (await lockPlayers(tx, [newOwner])).get(newOwner)
        const group = await lockGroup(tx, id)
        if (!group || !(await findModerated(tx, id))) throw new AppError('group_not_found')
        await change(tx, id, body, group.owner_steam_id === newOwner ? undefined : player)
        await addLogEntry(tx, {
          at: clock(),
          operator: user,
          action: body.action,
          account: newOwner ?? null,
          group_id: id,
          detail: body.action === 'rename_group' ? `${group.name} → ${body.name}` : group.name,
          reason: body.reason,
        })
      }),
  } satisfies Handlers<typeof operatorContract>

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
      owned_groups: !block
        ? []
        : await queries
            .selectFrom('groups')
            .select(['group_id', 'name'])
            .where('owner_steam_id', '=', steamId)
            .orderBy('group_id', 'desc')
            .limit(GROUPS_OWNED_MAX)
            .execute(),
    }
  }

  async function change(
    tx: Tx,
    groupId: number,
    body: Change,
    newOwner: Parameters<typeof makeOwner>[3],
  ): Promise<void> {
    switch (body.action) {
      case 'rename_group':
        return changeGroup(tx, groupId, { name: body.name })
      case 'remove_picture':
        return pictures.remove(tx, groupId)
      case 'hand_over':
        return makeOwner(tx, groupId, body.steam_id, newOwner, clock())
      case 'delete_group':
        return deleteGroups(tx, [groupId])
      case 'dismiss_reports':
        await deleteRows(tx, ['group_reports'], 'group_id', [groupId])
    }
  }
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

type Change = BodyOf<(typeof operatorContract)['changeGroup']>

async function find(db: Queries, groupId: number) {
  const found = await findModerated(db, groupId)
  if (!found) return undefined
  const { group, owner, reports } = found
  const members = await db
    .selectFrom('group_members')
    .select(['steam_id', 'joined_at'])
    .where('group_id', '=', groupId)
    .orderBy('added_at')
    .orderBy('steam_id')
    .execute()
  // No joins, because groups and players may be on different machines.
  const players = await readPlayers(db, column(members, 'steam_id'))
  const mayOwn = members.flatMap(({ steam_id, joined_at }) => {
    const player = joined_at === null || steam_id === group.owner_steam_id ? undefined : players.get(steam_id)
    return player && player.blocked_at === null ? [player] : []
  })
  return {
    group_id: groupId,
    name: group.name,
    picture_image_url: pictureImageUrl(group.picture_key),
    owner: profileOf(owner.steam_id, owner),
    member_count: members.length,
    candidates: mayOwn.map((player) => profileOf(player.steam_id, player)),
    reports: reports.map((report) => ({ ...report, at: isoTime(report.at)! })),
  }
}
