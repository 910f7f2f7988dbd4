/** Groups, their members and pictures (API-19 to API-26, API-30, API-31, PERM-8 to PERM-15, MEM-1 to MEM-13). */
import type { Group, SteamId } from '#shared/entities.ts'
import {
  GROUP_MEMBERS_MAX,
  GROUP_MEMBERSHIPS_MAX,
  GROUPS_OWNED_MAX,
  INVITATIONS_FROM_ONE_MAX,
} from '#shared/limits.ts'
import type { groupsContract } from '#shared/contract/groups.ts'
import { nameOf } from '#shared/names.ts'
import { column, countOf } from '../../database/chunks.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { pictureImageUrl, validatePictureUrl } from '../../pictures/pictures.ts'
import { countUse, secondsToNextUse } from '../../storage/accounts/used-once.ts'
import * as memberships from '../../storage/groups/memberships.ts'
import { storedConnections } from '../../storage/players/friends.ts'
import * as groups from '../../storage/groups/groups.ts'
import * as nights from '../../storage/nights/nights.ts'
import { lockPlayers, type PlayerRow } from '../../storage/players/players.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import {
  countsInGroups,
  requireAccount,
  requireConnected,
  requireMayRemove,
  requireMember,
  requireOwner,
  visibility,
} from '../access.ts'
import { endMember, giveGroup, leaveNightsOfGroup, transferOrDeleteOwnedGroups } from './departures.ts'
import { groupGamesHandlers } from './games.ts'
import { isoTime } from '../../time.ts'
import { profileOf, statusShown } from '../players/visible-libraries.ts'

/** Handlers of groups. */
export function groupsHandlers(deps: Deps) {
  const { config, database, readCache, pictures, clock } = deps
  const { queries } = database

  return {
    ...groupGamesHandlers(deps),

    list: async ({ params }) => ({
      groups: (await groups.listGroupsOf(queries, params.steamId)).map(asGroup),
      left: await memberships.listLeftGroups(queries, params.steamId),
    }),

    create: async ({ body, user }) => {
      const group_id = await database.transaction(async (tx) => {
        await requireMembershipLeft(tx, user)
        if (await ownsMaximum(tx, user))
          throw new AppError('too_many_groups', {
            reason: 'you_own_groups',
            values: { count: GROUPS_OWNED_MAX },
          })
        return groups.createGroup(tx, { name: body.name, owner: user, at: clock() })
      })
      return { group_id, name: body.name }
    },

    read: ({ params, user }) => read(queries, params.id, user),

    rename: ({ params, body, user }) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, params.id, user)
        await groups.changeGroup(tx, params.id, { name: body.name })
        return read(tx, params.id, user)
      }),

    remove: ({ params, user }) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, params.id, user)
        await groups.deleteGroups(tx, [params.id])
      }),

    handOver: ({ params, body: { steam_id: newOwner }, user }) =>
      database.transaction(async (tx) => {
        // Handing over to oneself changes nothing, so the limit does not apply.
        const player = newOwner === user ? undefined : (await lockPlayers(tx, [user, newOwner])).get(newOwner)
        await requireOwner(tx, params.id, user)
        await makeOwner(tx, params.id, newOwner, player, clock())
        return read(tx, params.id, user)
      }),

    join: async ({ params: { id }, user }) => {
      await database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        if (!(await groups.lockGroup(tx, id))) throw new AppError('group_not_found')
        const isMember = (await memberships.lockMembership(tx, id, user)) !== undefined
        if (!isMember && !(await memberships.mayReturn(tx, id, user))) throw new AppError('group_not_found')
        await join(tx, id, user, { isMember, at: clock() })
      })
      return membersAfter(id, user)
    },

    leave: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        await groups.lockForLeaving(tx, user, id)
        await leave(tx, await requireMember(tx, id, user), id, user)
      }),

    members: ({ params, user }) => members(params.id, user),

    // All players are added or none: checks, counts and inserts are one transaction (PERM-9).
    addMembers: async ({ params: { id }, body, user }) => {
      const ids = [...new Set(body.steam_ids)]
      await database.transaction(async (tx) => {
        const players = await lockPlayers(tx, [user, ...ids])
        const group = await requireMember(tx, id, user)
        // Nothing new is stored about an account that was deleted (DEL-2).
        await requireConnected(
          storedConnections(tx),
          user,
          ids.map((one) => players.get(one)),
        )
        const members = new Set(await memberships.listMemberIds(tx, id))
        const added = ids.filter((one) => !members.has(one)).map((one) => players.get(one)!)
        await requireMayBeAdded(tx, group, user, added)
        await requireInvitationsLeft(tx, user, added)
        if (added.length > 0)
          await memberships.addMembers(
            tx,
            id,
            added.map((one) => one.steam_id),
            { by: user, at: clock() },
          )
        await requireWithinMemberLimit(tx, id)
      })
      return membersAfter(id, user)
    },

    removeMember: ({ params: { id, steamId }, user }) =>
      database.transaction(async (tx) => {
        if (steamId === user) await groups.lockForLeaving(tx, user, id)
        const group = await requireMember(tx, id, user)
        requireMayRemove(group, user, steamId)
        if (steamId === user) await leave(tx, group, id, user)
        else if (!(await endMember(tx, id, steamId, { removed: true, at: clock() })))
          throw new AppError('member_not_found')
        return { removed: steamId }
      }),

    formerMembers: async ({ params }) =>
      (await memberships.listFormerMembers(queries, params.id)).map((row) => ({
        ...profileOf(row.steam_id, row),
        removed: row.removed === 1,
        may_return: row.may_return === 1,
        left_at: new Date(row.left_at).toISOString(),
      })),

    setMayReturn: ({ params: { id, steamId }, body, user }) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, id, user)
        if (!(await memberships.setMayReturn(tx, id, steamId, body.may_return)))
          throw new AppError('former_member_not_found')
        // They may have come to its nights by link (NIGHT-55).
        if (!body.may_return) await leaveNightsOfGroup(tx, id, steamId, clock())
      }),

    // The count is exact, because a refused report rolls it back.
    report: async ({ params: { id }, body, user }) => {
      const at = clock()
      await database.transaction(async (tx) => {
        if (!(await countUse(database, tx, 'report', user, at)))
          throw new AppError('report_limit_reached', {
            retryAfterSeconds: await secondsToNextUse(tx, 'report', user, at),
          })
        const { name } = await requireMember(tx, id, user)
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('group_reports')
          .values({ group_id: id, steam_id: user, ...body, name_then: name, at })
          .onConflict((conflict) => conflict.columns(['group_id', 'steam_id']).doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) throw new AppError('already_reported')
      })
    },

    setPicture: async ({ params, body, user, upload }) => {
      await pictures.requireChangeLeft(user)
      const chosen = upload
        ? await pictures.upload(user, upload)
        : validatePictureUrl(body.picture_url, config.publicUrl)
      const shown = await database.transaction(async (tx) => {
        // Checked again, because reading the picture takes time and the membership may have ended.
        await requireMember(tx, params.id, user)
        return pictures.show(tx, { groupId: params.id, by: user, chosen })
      })
      return { group_id: params.id, ...shown }
    },
  } satisfies Handlers<typeof groupsContract>

  async function members(groupId: number, viewer: SteamId) {
    const rows = await memberships.listMembers(queries, groupId)
    const mayShow = await visibility(readCache, viewer, rows)
    const isShown = (row: (typeof rows)[number]) => mayShow(row) && countsInGroups(row)
    return rows.map((row) => ({
      user_id: row.steam_id,
      ...profileOf(row.steam_id, row),
      joined: row.joined_at !== null,
      library_status: statusShown(row, isShown(row)),
      library_synced_at: isShown(row) ? isoTime(row.library_synced_at) : null,
    }))
  }

  /** The members after a change. Polls again, because the change may have connected `viewer` with some. */
  async function membersAfter(groupId: number, viewer: SteamId) {
    await readCache.refresh()
    return members(groupId, viewer)
  }

  async function leave(tx: Tx, group: { owner_steam_id: SteamId }, groupId: number, user: SteamId) {
    await endMember(tx, groupId, user, { removed: false, at: clock() })
    if (group.owner_steam_id === user) await transferOrDeleteOwnedGroups(tx, [groupId], clock())
  }
}

/**
 * Joins a group, for a member or a player who may become one. The player, the group and the membership must be locked.
 * @throws AppError too_many_groups, group_full; not_signed_in as {@link requireAccount}
 */
export async function join(
  tx: Tx,
  groupId: number,
  user: SteamId,
  { isMember, at }: { isMember: boolean; at: number },
): Promise<void> {
  if (!isMember) await requireMembershipLeft(tx, user)
  await memberships.addMembers(tx, groupId, [user], { by: null, at })
  await requireWithinMemberLimit(tx, groupId)
  await joinNights(tx, groupId, user, at)
}

/** Asks a player who has joined a group to its nights that are not past, and gives back those they came to before. */
async function joinNights(tx: Tx, groupId: number, user: SteamId, now: number): Promise<void> {
  const all = await nights.nightsOfGroups(tx, [groupId])
  const open = all.filter((night) => !nights.isPast(night, now))
  for (const night of await nights.lockNights(tx, column(open, 'night_id'))) {
    const { night_id } = night
    if (nights.isPast(night, now)) continue
    // Guests who came by link may have filled it (NIGHT-55).
    if ((await nights.listNightPlayers(tx, night_id)).length >= GROUP_MEMBERS_MAX) continue
    await nights.addPlayers(tx, night_id, [user], { by: null, at: now })
    await nights.changeNight(tx, night_id)
  }
  await nights.hidePastNights(tx, column(all, 'night_id'), user, false)
}

/**
 * Makes a member who has joined the owner of a locked group.
 * @param player their locked row; undefined when they own it already, because the limit does not apply then
 * @throws AppError member_not_found, member_has_not_joined, too_many_groups; forbidden for a blocked account
 */
export async function makeOwner(
  tx: Tx,
  groupId: number,
  newOwner: SteamId,
  player: PlayerRow | undefined,
  now: number,
): Promise<void> {
  const membership = await memberships.lockMembership(tx, groupId, newOwner)
  if (!membership) throw new AppError('member_not_found')
  const name = player ? nameOf(player) : newOwner
  if (membership.joined_at === null)
    throw new AppError('member_has_not_joined', { reason: 'has_not_joined', values: { name } })
  if (player && player.blocked_at !== null)
    throw new AppError('forbidden', { reason: 'cannot_own_groups', values: { name } })
  if (player && (await ownsMaximum(tx, newOwner)))
    throw new AppError('too_many_groups', {
      reason: 'owns_groups',
      values: { name, count: GROUPS_OWNED_MAX },
    })
  if (player) await giveGroup(tx, groupId, newOwner, now)
}

async function read(db: Queries | Tx, groupId: number, user: SteamId): Promise<Group> {
  const group = await groups.findGroup(db, groupId, user)
  if (!group) throw new AppError('group_not_found')
  return asGroup(group)
}

/** Locks the player. @throws AppError too_many_groups; not_signed_in as {@link requireAccount} */
async function requireMembershipLeft(tx: Tx, user: SteamId): Promise<void> {
  requireAccount(await lockPlayers(tx, [user]), user)
  const { all } = (await memberships.countMemberships(tx, [user], user)).get(user) ?? { all: 0 }
  if (all >= GROUP_MEMBERSHIPS_MAX)
    throw new AppError('too_many_groups', {
      reason: 'you_are_in_groups',
      values: { count: GROUP_MEMBERSHIPS_MAX },
    })
}

/**
 * Players who left cannot be added again; players whom the owner removed can be added only by the owner (MEM-7).
 * @throws AppError has_left_group, removed_from_group
 */
async function requireMayBeAdded(
  tx: Tx,
  group: { group_id: number; owner_steam_id: SteamId },
  adder: SteamId,
  added: readonly PlayerRow[],
): Promise<void> {
  const names = new Map(added.map((player) => [player.steam_id, nameOf(player)]))
  for (const { steam_id, removed } of await memberships.departuresAmong(tx, group.group_id, [
    ...names.keys(),
  ])) {
    const name = names.get(steam_id) ?? steam_id
    if (removed === 0) throw new AppError('has_left_group', { reason: 'has_left', values: { name } })
    if (adder !== group.owner_steam_id)
      throw new AppError('removed_from_group', { reason: 'was_removed', values: { name } })
  }
}

/**
 * Nobody can be added to more groups than the maximum, or have too many open invitations from one player (LIM-10).
 * @throws AppError too_many_groups, too_many_invitations
 */
async function requireInvitationsLeft(tx: Tx, adder: SteamId, added: readonly PlayerRow[]): Promise<void> {
  const counts = await memberships.countMemberships(
    tx,
    added.map((player) => player.steam_id),
    adder,
  )
  for (const player of added) {
    const { all, fromAdder } = counts.get(player.steam_id) ?? { all: 0, fromAdder: 0 }
    const name = nameOf(player)
    if (all >= GROUP_MEMBERSHIPS_MAX)
      throw new AppError('too_many_groups', { reason: 'is_in_groups', values: { name } })
    if (fromAdder >= INVITATIONS_FROM_ONE_MAX)
      throw new AppError('too_many_invitations', {
        reason: 'invitations_unanswered',
        values: { name, count: INVITATIONS_FROM_ONE_MAX },
      })
  }
}

async function ownsMaximum(tx: Tx, steamId: SteamId): Promise<boolean> {
  return ((await groups.countOwned(tx, [steamId])).get(steamId) ?? 0) >= GROUPS_OWNED_MAX
}

async function requireWithinMemberLimit(tx: Tx, groupId: number): Promise<void> {
  const members = tx.selectFrom('group_members').where('group_id', '=', groupId)
  if ((await countOf(members)) > GROUP_MEMBERS_MAX) throw new AppError('group_full')
}

function asGroup(row: NonNullable<Awaited<ReturnType<typeof groups.findGroup>>>): Group {
  return {
    group_id: row.group_id,
    name: row.name,
    picture_url: row.picture_url,
    picture_image_url: pictureImageUrl(row.picture_key),
    member_count: row.member_count,
    owner_id: row.owner_steam_id,
    owner_steam_id: row.owner_steam_id,
    joined: row.joined_at !== null,
    added_by: row.adder ? profileOf(row.adder.steam_id, row.adder) : null,
  }
}
