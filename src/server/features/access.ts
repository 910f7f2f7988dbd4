/**
 * Who may see or change what. Every rule is a named predicate in this file. Endpoints name their rule in the
 * contract, so one without a rule does not compile.
 * Requirements: PERM-4 to PERM-6, PERM-19, PERM-22, VIS-2.
 */
import type { Endpoint, Access } from '#shared/contract/endpoint.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Call } from '../endpoint-handler.ts'
import type { AccessRule } from '../endpoint-handler.ts'
import { findBlock } from '../storage/blocked-accounts.ts'
import { connectedAmong, fellowMembersAmong } from '../storage/friends.ts'
import { mayReturn } from '../storage/departures.ts'
import { findInvite } from '../storage/invites.ts'
import { joinedAmong, lockMembership } from '../storage/memberships.ts'
import { findGroupOwner, lockGroup } from '../storage/groups.ts'
import { findSeries, nightsOf } from '../storage/night-series.ts'
import { findNight, isInNight, type NightPlayerRow, type NightRow } from '../storage/nights.ts'
import { findPlayer, type PlayerRow } from '../storage/players.ts'
import { isListed, readSignInRule } from '../storage/sign-in-rule.ts'
import type { CachedPlayer } from '../cache/player-cache.ts'
import type { GroupsTable, Queries, Tx } from '../database/schema.ts'
import type { Selectable } from 'kysely'

/** The rules that endpoints name in the contract. */
export const accessRules: Record<Access, AccessRule> = {
  anyone: async () => {},

  signed_in: async () => {},

  self: async (_deps, { params, user }) => {
    if (params.steamId !== user) throw new AppError('forbidden', { reason: 'only_for_yourself' })
  },

  self_or_connected: (deps, { params, user }) =>
    requireConnectedCached(deps, user, [params.steamId as SteamId]),

  self_with_connected: async (deps, { params, user }) => {
    if (params.mySteamId !== user || params.friendSteamId === user) throw new AppError('not_connected')
    await requireConnectedCached(deps, user, [params.friendSteamId as SteamId])
  },

  owner_is_self: async (_deps, call) => {
    const { owner_steam_id } = bodyOf<{ owner_steam_id: SteamId }>(call)
    if (owner_steam_id !== call.user)
      throw new AppError('forbidden', { field: 'owner_steam_id', reason: 'groups_only_as_yourself' })
  },

  group_member: (deps, { params, user }) => requireMemberCached(deps, Number(params.id), user),

  // Players who left may come back on their own; to anyone else the group does not exist.
  group_member_or_left: async (deps, { params, user }) => {
    const groupId = Number(params.id)
    if ((await deps.readCache.memberIds(groupId)).includes(user)) return
    if (!(await mayReturn(deps.database.queries, groupId, user))) throw new AppError('group_not_found')
  },

  group_owner: async (deps, { params, user }) => {
    const groupId = Number(params.id)
    await requireMemberCached(deps, groupId, user)
    if ((await findGroupOwner(deps.database.queries, groupId)) !== user) throw new AppError('not_group_owner')
  },

  // Of a group its members; else every id is connected with the caller, or in a group with them.
  group_member_or_every_id_connected: async (deps, call) => {
    const { group_id, steam_ids } = bodyOf<{ group_id?: number; steam_ids?: SteamId[] }>(call)
    if (group_id !== undefined && steam_ids !== undefined)
      throw new AppError('invalid_input', {
        field: 'group_id',
        problem: 'Give either steam_ids or group_id.',
      })
    if (group_id !== undefined) return requireMemberCached(deps, group_id, call.user)
    if (steam_ids === undefined)
      throw new AppError('invalid_input', { field: 'steam_ids', problem: 'steam_ids: is missing' })
    const members = await fellowMembersAmong(deps.database.queries, call.user, steam_ids)
    await requireConnectedCached(
      deps,
      call.user,
      steam_ids.filter((id) => !members.has(id)),
    )
  },

  // To anyone else the night does not exist.
  night_player: async ({ database }, { params, user }) => {
    if (!(await isInNight(database.queries, Number(params.id), user))) throw new AppError('night_not_found')
  },

  night_leader: async ({ database: { queries } }, { params, user }) => {
    const nightId = Number(params.id)
    if (!(await isInNight(queries, nightId, user))) throw new AppError('night_not_found')
    const night = await findNight(queries, nightId)
    if (!night || !leadsNight(night, await findGroupOwner(queries, night.group_id), user))
      throw new AppError('not_night_host')
  },

  night_or_group_leader: async ({ database: { queries } }, { params, user }) => {
    const nightId = Number(params.id)
    const isIn = await isInNight(queries, nightId, user)
    const night = await findNight(queries, nightId)
    requireMayDelete(night, night && (await findGroupOwner(queries, night.group_id)), { user, isIn })
  },

  series_leader: async ({ database: { queries } }, { params, user }) => {
    await requireLeadsSeries(queries, Number(params.id), user)
  },

  // To anyone else the operator's page does not exist.
  operator: async ({ config }, { user }) => {
    if (!isOperator(config, user)) throw new AppError('not_found')
  },
}

/** Whether a player is an operator: named in the configuration (OPER-1). It lets them see no one's data. */
export function isOperator({ operators }: Pick<Deps['config'], 'operators'>, steamId: SteamId): boolean {
  return operators.includes(steamId)
}

/**
 * Passes when the caller still has an account that is not blocked; either may have ended since the request was
 * authenticated (DEL-2, OPER-9). Call it in the transaction that writes what lasts.
 * @param locked players whom the transaction has locked, the caller among them
 * @throws AppError not_signed_in
 */
export function requireAccount(locked: ReadonlyMap<SteamId, PlayerRow>, user: SteamId): PlayerRow {
  const player = locked.get(user)
  if (!player || player.blocked_at !== null) throw new AppError('not_signed_in')
  return player
}

/**
 * Passes when an account that Steam has confirmed may sign in here (OPER-7, OPER-9). Operators always may. The
 * transaction that opens the session must have locked the account.
 * @param invite token of the link that the visitor came by, if any
 * @throws AppError account_blocked, not_invited, not_listed
 */
export async function requireMaySignIn(
  db: Queries | Tx,
  config: Pick<Deps['config'], 'operators'>,
  { steamId, invite, now }: { steamId: SteamId; invite: string | undefined; now: number },
): Promise<void> {
  if (isOperator(config, steamId)) return
  if (await findBlock(db, steamId)) throw new AppError('account_blocked')
  const rule = await readSignInRule(db)
  if (rule.who === 'listed' && !(await isListed(db, rule, steamId))) throw new AppError('not_listed')
  if (rule.who !== 'invited') return
  const player = await findPlayer(db, steamId)
  const isKnown = player !== undefined && player.signed_in_at !== null
  if (!isKnown && !(invite !== undefined && (await findInvite(db, invite, now))))
    throw new AppError('not_invited')
}

/**
 * Passes when every id is the user's own or connected with them (PERM-2).
 * @throws AppError not_connected when one is not
 */
export async function requireConnected(
  db: Queries | Tx,
  user: SteamId,
  ids: readonly SteamId[],
): Promise<void> {
  const others = [...new Set(ids)].filter((id) => id !== user)
  if (others.length === 0) return
  const connected = await connectedAmong(db, user, others)
  if (others.some((id) => !connected.has(id))) throw new AppError('not_connected')
}

/** To anyone else the group does not exist: the response is the same as for an id that was never used. */
async function requireMemberCached(
  { readCache }: Pick<Deps, 'readCache'>,
  groupId: number,
  user: SteamId,
): Promise<void> {
  if (!(await readCache.memberIds(groupId)).includes(user)) throw new AppError('group_not_found')
}

/** Like {@link requireConnected}, from the caches. */
async function requireConnectedCached(
  { readCache }: Pick<Deps, 'readCache'>,
  user: SteamId,
  ids: readonly SteamId[],
): Promise<void> {
  const others = ids.filter((id) => id !== user)
  if (others.length === 0) return
  const players = await readCache.players(others)
  // A deleted account on one's own list is answered for as if it hid its library (DEL-2).
  const lists = others.map((steam_id, index) => ({
    steam_id,
    friends_at: players[index]?.friends_at ?? null,
  }))
  const friends = await readCache.friendsAmong(user, lists)
  const strangers = others.filter((id) => !friends.has(id))
  const groupmates = await readCache.groupmatesAmong(user, strangers)
  if (strangers.some((id) => !groupmates.has(id))) throw new AppError('not_connected')
}

/**
 * Passes when `user` may remove `target` from a group: the owner may remove others, a member only themselves.
 * @throws AppError owner_cannot_be_removed, forbidden
 */
export function requireMayRemove(
  group: Pick<Selectable<GroupsTable>, 'owner_steam_id'>,
  user: SteamId,
  target: SteamId,
): void {
  if (target === group.owner_steam_id) throw new AppError('owner_cannot_be_removed')
  if (user !== group.owner_steam_id && user !== target)
    throw new AppError('forbidden', { reason: 'only_owner_removes' })
}

/**
 * Locks the group and the membership of `user`, which may have ended since the access rule ran.
 * @throws AppError group_not_found
 */
export async function requireMember(tx: Tx, groupId: number, user: SteamId) {
  const group = await lockGroup(tx, groupId)
  const membership = group && (await lockMembership(tx, groupId, user))
  if (!membership) throw new AppError('group_not_found')
  return { ...group, joined_at: membership.joined_at }
}

/** As {@link requireMember}, for what only members do who have joined. @throws AppError forbidden before that */
export async function requireJoined(tx: Tx, groupId: number, user: SteamId): Promise<void> {
  const { joined_at } = await requireMember(tx, groupId, user)
  if (joined_at === null) throw notJoined()
}

/** As {@link requireMember}, for what only the owner does. @throws AppError not_group_owner */
export async function requireOwner(tx: Tx, groupId: number, user: SteamId) {
  const group = await requireMember(tx, groupId, user)
  if (group.owner_steam_id !== user) throw new AppError('not_group_owner')
  return group
}

/** The refusal of what only members do who have joined. */
export function notJoined(): AppError {
  return new AppError('forbidden', { reason: 'join_first' })
}

/** Whether one of a night's players leads it: its host, and the owner of its group (NIGHT-11). */
export function leadsNight(
  night: Pick<NightRow, 'host_steam_id'>,
  groupOwner: SteamId | undefined,
  user: SteamId,
): boolean {
  return user === night.host_steam_id || user === groupOwner
}

/**
 * Passes when `user` hosts a series or owns its group (SERIES-8); to those who are in none of its nights it does not exist.
 * @throws AppError not_found, not_night_host
 */
export async function requireLeadsSeries(db: Queries | Tx, seriesId: number, user: SteamId): Promise<void> {
  const series = await findSeries(db, seriesId)
  if (series && leadsNight(series, await findGroupOwner(db, series.group_id), user)) return
  for (const nightId of series ? await nightsOf(db, seriesId) : [])
    if (await isInNight(db, nightId, user)) throw new AppError('not_night_host')
  throw new AppError('not_found', { reason: 'does_not_repeat' })
}

/**
 * Whether one of a night's players may say which games of its list they own: who is in, and whose library the night
 * does not count (NIGHT-134, PERM-23).
 */
export function mayClaim(
  { steam_id, answer }: Pick<NightPlayerRow, 'steam_id' | 'answer'>,
  { unknown }: { unknown: readonly SteamId[] },
): boolean {
  return answer === 'in' && unknown.includes(steam_id)
}

/**
 * Whether a player may delete a cancelled night: who leads it, and the owner of its group also where they have left the
 * night, because the group's list still shows it.
 */
export function mayDelete(
  night: Pick<NightRow, 'host_steam_id'>,
  groupOwner: SteamId | undefined,
  { user, isIn }: { user: SteamId; isIn: boolean },
): boolean {
  return user === groupOwner || (isIn && leadsNight(night, groupOwner, user))
}

/** @throws AppError night_not_found, not_night_host */
export function requireMayDelete(
  night: NightRow | undefined,
  groupOwner: SteamId | undefined,
  by: { user: SteamId; isIn: boolean },
): asserts night is NightRow {
  if (night && mayDelete(night, groupOwner, by)) return
  throw new AppError(night && by.isIn ? 'not_night_host' : 'night_not_found')
}

/**
 * Passes when `user` may remove `target` from a night: everyone may leave, who leads it may remove others, but nobody
 * removes the owner of its group, who leads it too.
 * @throws AppError not_night_host, owner_cannot_be_removed
 */
export function requireMayRemoveFromNight(
  night: Pick<NightRow, 'host_steam_id'>,
  groupOwner: SteamId | undefined,
  user: SteamId,
  target: SteamId,
): void {
  if (user === target) return
  if (!leadsNight(night, groupOwner, user)) throw new AppError('not_night_host')
  if (target === groupOwner)
    throw new AppError('owner_cannot_be_removed', { reason: 'owner_stays_in_nights' })
}

/**
 * Those of `owners` whose libraries `viewer` may see. Each owner chooses: connected players (the default), only players
 * who have joined a group with them, or nobody. Players always see their own library.
 */
export async function visibleLibraries(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<Set<SteamId>> {
  const players = await deps.readCache.players(owners)
  const mayShow = await visibility(deps, viewer, players)
  return new Set(owners.filter((id, index) => id === viewer || mayShow(players[index])))
}

type LibraryOwner = Pick<CachedPlayer, 'steam_id' | 'library_visibility' | 'friends_at'>
const NOBODY: ReadonlySet<SteamId> = new Set()
/** Whether the library of a player may be shown. */
export type MayShow = (player: LibraryOwner | undefined) => boolean

/** Like {@link visibleLibraries} for people already read. */
export async function visibility(
  { readCache }: Pick<Deps, 'readCache'>,
  viewer: SteamId,
  players: readonly (LibraryOwner | undefined)[],
): Promise<MayShow> {
  const others: SteamId[] = []
  for (const player of players)
    if (player && player.steam_id !== viewer && player.library_visibility !== 'nobody')
      others.push(player.steam_id)
  // Groups first, because the members of a group are all that most requests ask for.
  const groupmates = await readCache.groupmatesAmong(viewer, others)
  const strangers = players.filter(
    (player): player is LibraryOwner =>
      player?.library_visibility === 'connected' &&
      player.steam_id !== viewer &&
      !groupmates.has(player.steam_id),
  )
  const friends = strangers.length === 0 ? NOBODY : await readCache.friendsAmong(viewer, strangers)
  return (player) => {
    if (!player) return false
    const { steam_id, library_visibility } = player
    if (steam_id === viewer) return true
    if (groupmates.has(steam_id)) return library_visibility !== 'nobody'
    return library_visibility === 'connected' && friends.has(steam_id)
  }
}

/**
 * Like {@link visibility}, for people of the viewer's friend list as the read cache has them: connected, or former
 * friends.
 */
export async function visibilityOfFriends(
  { readCache }: Pick<Deps, 'readCache'>,
  viewer: SteamId,
  friends: readonly LibraryOwner[],
): Promise<MayShow> {
  const forGroups: SteamId[] = []
  for (const friend of friends) if (friend.library_visibility === 'groups') forGroups.push(friend.steam_id)
  const groupmates = await readCache.groupmatesAmong(viewer, forGroups)
  return (player) =>
    player?.library_visibility === 'connected' ||
    (player?.library_visibility === 'groups' && groupmates.has(player.steam_id))
}

/**
 * Whether one of a night's players came by its link: to a group's night who is no member of the group, to another whom
 * nobody asked.
 */
export async function isGuest(
  { readCache }: Pick<Deps, 'readCache'>,
  { group_id, host_steam_id }: Pick<NightRow, 'group_id' | 'host_steam_id'>,
  { steam_id, added_by }: Pick<NightPlayerRow, 'steam_id' | 'added_by'>,
): Promise<boolean> {
  if (group_id === null) return added_by === null && steam_id !== host_steam_id
  return !(await readCache.memberIds(group_id)).includes(steam_id)
}

/**
 * Which of a night's players a guest is shown (NIGHT-151): its host and who is in or, while its date is being found, can
 * come at some time; once the guest is in, also who may come, and who was asked and shows them their library.
 */
export function shownToGuest(
  { host_steam_id }: Pick<NightRow, 'host_steam_id'>,
  guest: Pick<NightPlayerRow, 'steam_id' | 'answer'>,
  { canCome, mayShow }: { canCome: (steamId: SteamId) => boolean; mayShow: (steamId: SteamId) => boolean },
): (player: Pick<NightPlayerRow, 'steam_id' | 'answer'>) => boolean {
  return ({ steam_id, answer }) =>
    steam_id === guest.steam_id ||
    steam_id === host_steam_id ||
    answer === 'in' ||
    canCome(steam_id) ||
    (guest.answer === 'in' && (answer === 'maybe' || mayShow(steam_id)))
}

/**
 * Whose libraries count in a game night, among those who are in (NIGHT-9). Saying 'in' agrees to that and stands for
 * being connected with its players, for what the lists of the night need: it does not say who may look. Who shows their library to groups only must have joined the night's group, and that
 * of 'nobody' never counts, not even for its owner: everyone sees the same list.
 */
export async function countingInNight(
  db: Queries | Tx,
  groupId: number | null,
  players: readonly LibraryOwner[],
): Promise<(player: LibraryOwner) => boolean> {
  const forGroups = players
    .filter((player) => player.library_visibility === 'groups')
    .map((player) => player.steam_id)
  const joined =
    groupId === null || forGroups.length === 0
      ? new Set<SteamId>()
      : new Set(await joinedAmong(db, groupId, forGroups))
  return ({ steam_id, library_visibility }) =>
    library_visibility === 'connected' || (library_visibility === 'groups' && joined.has(steam_id))
}

/** The body of a call; the contract's schema has checked it before any rule runs. */
function bodyOf<Body>(call: Call<Endpoint>): Body {
  return call.body as Body
}
