/**
 * What happens when players leave a group or a night, or their account is deleted or blocked: who succeeds them, and who is
 * notified (NIGHT-7, NIGHT-8, NIGHT-13, PERM-14, SERIES-7, OPER-9).
 */
import type { SteamId } from '#shared/entities.ts'
import { GROUPS_OWNED_MAX, NIGHTS_HOSTED_MAX } from '#shared/limits.ts'
import type { Database } from '../../database/database.ts'
import { column, deleteRows } from '../../database/chunks.ts'
import type { Tx } from '../../database/schema.ts'
import { beginDeletion, eraseAccount } from '../../storage/accounts/accounts.ts'
import { forgetAdder } from '../../storage/groups/games.ts'
import {
  changeGroup,
  countOwned,
  deleteGroups,
  lockForLeaving,
  lockGroups,
} from '../../storage/groups/groups.ts'
import { connectedAmong, storedConnections } from '../../storage/players/friends.ts'
import { endMembership } from '../../storage/groups/memberships.ts'
import { announce, deleteWebhooks, lockWebhook } from '../../storage/notifications/messages.ts'
import { endSeries, nightsOf, seriesHostedBy, seriesOfNights } from '../../storage/nights/series.ts'
import {
  canCome,
  changeNight,
  countCurrentNights,
  deleteNights,
  endPart,
  hidePastNights,
  isPast,
  listNightPlayers,
  lockNightsWith,
  mayHost,
  type NightPlayerRow,
  type NightRow,
  readDates,
} from '../../storage/nights/nights.ts'
import { notify, notifyOwner } from '../../storage/notifications/notifications.ts'
import { lockPlayers, readPlayers } from '../../storage/players/players.ts'
import { isComplete } from '../nights/change.ts'
import { takeAgreedTime } from '../nights/starts.ts'

/**
 * Deletes a user's data and records the deletion, so that nothing about them is stored before they sign in again. The
 * id alone stays in other users' friend lists, because those belong to other people.
 */
export async function deleteAccount(database: Database, tx: Tx, steamId: SteamId, at: number): Promise<void> {
  if (!(await beginDeletion(database, tx, steamId, at))) return
  await leaveAllGroups(tx, steamId, at)
  await leaveAllNights(tx, steamId, at)
  await eraseAccount(database, tx, steamId)
}

/** Ends a membership and the part in the group's nights; false when there was none. */
export async function endMember(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
  how: { removed: boolean; at: number },
): Promise<boolean> {
  if (!(await endMembership(tx, groupId, steamId, how))) return false
  await leaveNightsOfGroup(tx, groupId, steamId, how.at)
  return true
}

/**
 * Gives a locked group to another owner, who is notified. The webhook ends with whoever set it: they could read on what the
 * group does, and the new owner their secret (NIGHT-113). An owner cannot leave without this, so nobody else's webhook remains.
 */
export async function giveGroup(tx: Tx, groupId: number, newOwner: SteamId, now: number): Promise<void> {
  await changeGroup(tx, groupId, { owner_steam_id: newOwner })
  const webhook = await lockWebhook(tx, groupId)
  if (webhook && webhook.created_by !== newOwner) await deleteWebhooks(tx, { groupIds: [groupId] })
  await notifyOwner(tx, groupId, newOwner, now)
}

/**
 * Transfers groups whose owner is no longer a member. The new owner is the longest-standing member who has joined, owns
 * fewer than {@link GROUPS_OWNED_MAX} groups and is not blocked (OPER-9). Groups without one are deleted (PERM-14). Call it
 * after {@link lockForLeaving}.
 */
export async function transferOrDeleteOwnedGroups(
  tx: Tx,
  groupIds: readonly number[],
  now: number,
): Promise<void> {
  const candidates = await tx
    .selectFrom('group_members')
    .select(['group_id', 'steam_id'])
    .where('group_id', 'in', groupIds)
    .where('joined_at', 'is not', null)
    .orderBy('added_at')
    .orderBy('steam_id')
    .execute()
  const players = candidates.map((row) => row.steam_id)
  // Most are locked already, but not players who have joined since.
  const rows = await lockPlayers(tx, players)
  const isBlocked = (row: { steam_id: SteamId }) => (rows.get(row.steam_id)?.blocked_at ?? null) !== null
  const owned = await countOwned(tx, [...new Set(players)])
  const candidatesOf = Map.groupBy(candidates, (row) => row.group_id)
  const ownerless: number[] = []
  for (const groupId of groupIds) {
    const joined = candidatesOf.get(groupId) ?? []
    const newOwner = joined.find(
      (row) => !isBlocked(row) && (owned.get(row.steam_id) ?? 0) < GROUPS_OWNED_MAX,
    )
    if (newOwner === undefined) ownerless.push(groupId)
    else {
      owned.set(newOwner.steam_id, (owned.get(newOwner.steam_id) ?? 0) + 1)
      await giveGroup(tx, groupId, newOwner.steam_id, now)
    }
  }
  await deleteGroups(tx, ownerless)
}

/**
 * Removes a player whose account is being deleted from all groups, departures and invitations; groups they own are
 * transferred or deleted. Their row in `people` must be locked. Locks all their groups, so that none is transferred to
 * them.
 */
async function leaveAllGroups(tx: Tx, steamId: SteamId, now: number): Promise<void> {
  await lockForLeaving(tx, steamId)
  const memberships = tx.selectFrom('group_members').select('group_id').where('steam_id', '=', steamId)
  await lockGroups(tx, column(await memberships.execute(), 'group_id'))
  const owned = tx.selectFrom('groups').select('group_id').where('owner_steam_id', '=', steamId)
  const groupIds = column(await owned.execute(), 'group_id')
  await deleteRows(tx, ['group_members', 'group_departures'], 'steam_id', [steamId])
  await tx.updateTable('group_members').set({ added_by: null }).where('added_by', '=', steamId).execute()
  await forgetAdder(tx, steamId)
  await transferOrDeleteOwnedGroups(tx, groupIds, now)
}

/**
 * Removes a player who is no longer a member from a locked group's nights that are not past. Past nights stay as they were,
 * but the player does not see them any more.
 */
export async function leaveNightsOfGroup(
  tx: Tx,
  groupId: number,
  steamId: SteamId,
  now: number,
): Promise<void> {
  const past = await leaveOpenNights(tx, steamId, now, groupId)
  await hidePastNights(tx, column(past, 'night_id'), steamId, true)
}

/**
 * Removes a player from their nights that are not past, of one group or all, such as one whose account is being blocked
 * (OPER-9), and ends the series that they host there (SERIES-7); returns the past ones, which stay.
 */
export async function leaveOpenNights(
  tx: Tx,
  steamId: SteamId,
  now: number,
  groupId?: number,
): Promise<NightRow[]> {
  const nights = await lockNightsWith(tx, steamId, groupId)
  await endSeries(tx, await seriesHostedBy(tx, steamId, groupId))
  for (const night of nights) if (!isPast(night, now)) await removePlayer(tx, night, steamId, now)
  return nights.filter((night) => isPast(night, now))
}

/** Removes a player whose account is being deleted from all nights, past ones too, and from what they did in them. */
async function leaveAllNights(tx: Tx, steamId: SteamId, now: number): Promise<void> {
  await lockNightsWith(tx, steamId)
  // Before somebody else becomes the host.
  await tx.updateTable('nights').set({ title: null }).where('host_steam_id', '=', steamId).execute()
  for (const night of await leaveOpenNights(tx, steamId, now)) await removePlayer(tx, night, steamId, now)
  await deleteRows(tx, ['night_people', 'night_series_left_out'], 'steam_id', [steamId])
  await tx.updateTable('nights').set({ host_steam_id: null }).where('host_steam_id', '=', steamId).execute()
  // Not null, or they would become guests (`isGuest`).
  await tx.updateTable('night_people').set({ added_by: '' }).where('added_by', '=', steamId).execute()
  await tx
    .updateTable('night_draws')
    .set({ drawn_by: null, reason: null })
    .where('drawn_by', '=', steamId)
    .execute()
}

/**
 * Removes a player from a locked night, with their answer and marks; that somebody else removed them is
 * remembered, for a night that they may come back to (NIGHT-11, NIGHT-15). A host who leaves before the night is past
 * is succeeded, or the night is cancelled (NIGHT-8). A night without players and without a group is deleted. A vote that is
 * complete without them ends in the background (NIGHT-16), and a date on which the others agree is taken (DATE-6).
 */
export async function removePlayer(
  tx: Tx,
  night: NightRow,
  steamId: SteamId,
  now: number,
  by?: SteamId,
): Promise<void> {
  const { night_id } = night
  const hasPassed = isPast(night, now)
  const before = await listNightPlayers(tx, night_id)
  await endPart(tx, night_id, steamId, hasPassed ? undefined : by !== undefined && by !== steamId ? 3 : 2)
  const left = await listNightPlayers(tx, night_id)
  if (left.length === 0 && night.group_id === null) {
    const series = (await seriesOfNights(tx, [night_id])).get(night_id)
    // It has no group, so no webhook to tell.
    await deleteNights(tx, [night_id])
    // Without a night nobody would see it, and so nobody could stop it.
    if (series && (await nightsOf(tx, series.series_id)).length === 0) await endSeries(tx, [series.series_id])
    return
  }
  const ends = night.status === 'open' && !hasPassed && !isComplete(before) && isComplete(left)
  await changeNight(tx, night_id, ends ? { completed_at: now } : {})
  if (night.host_steam_id === steamId) await succeed(tx, night, { left, now })
  await takeAgreedTime(tx, night, { now, by: by ?? null })
}

/** Gives a locked night that its host has left another one, or cancels it. */
async function succeed(
  tx: Tx,
  night: NightRow,
  { left, now }: { left: readonly NightPlayerRow[]; now: number },
): Promise<void> {
  const { night_id } = night
  if (isPast(night, now)) return changeNight(tx, night_id, { host_steam_id: null })
  // Those who can come at one of its times count like those who may come (DATE-8).
  const dates = await readDates(tx, night_id)
  const willing = left.map((player) =>
    canCome(dates, player.steam_id)
      ? { ...player, answer: 'maybe' as const, answered_at: dates!.answeredAt.get(player.steam_id)! }
      : player,
  )
  const host = await nextHost(tx, night, willing, now)
  if (host === undefined) await cancelNight(tx, night, { now, by: null })
  await changeNight(tx, night_id, { host_steam_id: host ?? null })
  if (host !== undefined) await notify(tx, night_id, 'hosting', { now, only: [host] })
}

/** Cancels a locked night. @param by who did it, and is not notified */
export async function cancelNight(
  tx: Tx,
  { night_id, status }: NightRow,
  { now, by }: { now: number; by: SteamId | null },
): Promise<void> {
  await changeNight(tx, night_id, { status: 'cancelled', ended_at: now }, { inCalendars: true })
  await announce(tx, night_id, 'cancelled', now, status === 'dating' ? { times: [] } : {})
  await notify(tx, night_id, 'cancelled', { now, by })
}

/**
 * The next host of a night: of those who may lead it and have said that they come, who has been in for longest, else maybe;
 * nobody else has agreed to a duty (NIGHT-8). Where there is no group, it is somebody who was asked or is connected with
 * the host.
 */
async function nextHost(
  tx: Tx,
  night: NightRow,
  players: readonly NightPlayerRow[],
  now: number,
): Promise<SteamId | undefined> {
  const willing = players.filter(({ answer, gone }) => gone === 0 && (answer === 'in' || answer === 'maybe'))
  const known = night.group_id === null ? await askedAmong(tx, night.host_steam_id!, willing) : willing
  const inOrder = (await mayHost(tx, night, known)).toSorted(
    (a, b) =>
      Number(a.answer === 'maybe') - Number(b.answer === 'maybe') ||
      (a.answered_at ?? a.added_at) - (b.answered_at ?? b.added_at),
  )
  for (const { steam_id } of inOrder) {
    // What a player hosts is counted with the player locked, also when they start a night.
    await lockPlayers(tx, [steam_id])
    const hosted = await countCurrentNights(tx, { host_steam_id: steam_id }, now)
    if (hosted < NIGHTS_HOSTED_MAX) return steam_id
  }
  return undefined
}

/** Those who did not come by the link alone: the host asked them, or could have (NIGHT-1). */
async function askedAmong(
  tx: Tx,
  host: SteamId,
  players: readonly NightPlayerRow[],
): Promise<NightPlayerRow[]> {
  const byLink = players.filter(({ added_by }) => added_by === null)
  const rows = await readPlayers(tx, column(byLink, 'steam_id'))
  const connected = await connectedAmong(storedConnections(tx), host, [...rows.values()])
  return players.filter(({ added_by, steam_id }) => added_by !== null || connected.has(steam_id))
}
