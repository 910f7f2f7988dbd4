/**
 * Who may see or change what. Every rule is a named predicate in this file. Endpoints name their rule in the
 * contract, so one without a rule does not compile.
 * Requirements: PERM-4, PERM-5, PERM-8, VIS-1.
 */
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { column } from '../database/chunks.ts'
import { AppError } from '../errors.ts'
import type { AccessRules, FoundNight, InputOf, MayShow } from '../endpoint-handler.ts'
import { findBlock } from '../storage/accounts/accounts.ts'
import {
  connectedAmong,
  type Connections,
  fellowMembersAmong,
  type ListReadAt,
} from '../storage/players/friends.ts'
import { joinedMemberIds, lockMembership, mayReturn } from '../storage/groups/memberships.ts'
import { findInvite } from '../storage/groups/links.ts'
import { findGroupOwner, lockGroup } from '../storage/groups/groups.ts'
import { findSeries, nightsOf } from '../storage/nights/series.ts'
import { findNight, listNightPlayers, type NightPlayerRow, type NightRow } from '../storage/nights/nights.ts'
import { findPlayer, lockPlayers, type PlayerRow } from '../storage/players/players.ts'
import { isListed, readSignInRule } from '../storage/operator.ts'
import type { CachedPlayer, ReadCache } from '../cache/read-cache.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import type { Selectable } from 'kysely'

/** The rules that endpoints name in the contract; what one has found is what the handler uses. */
export const accessRules: AccessRules = {
  anyone: async () => {},

  signed_in: async () => {},

  self: async (_deps, { params, user }) => {
    if (params.steamId !== user) throw new AppError('forbidden', { reason: 'only_for_yourself' })
  },

  self_or_connected: async ({ readCache }, { params, user }) => {
    const [player] = await connectedPlayers(readCache, user, [params.steamId as SteamId])
    return { player, mayShow: await visibility(readCache, user, [player], { areConnected: true }) }
  },

  self_with_connected: async ({ readCache }, { params, user }) => {
    const ids = [params.mySteamId as SteamId, params.friendSteamId as SteamId]
    if (ids[0] !== user || ids[1] === user) throw new AppError('not_connected')
    const [me, friend] = await connectedPlayers(readCache, user, ids)
    return { me, friend, mayShow: await visibility(readCache, user, [friend], { areConnected: true }) }
  },

  owner_is_self: async (_deps, call) => {
    const { owner_steam_id } = bodyOf<{ owner_steam_id: SteamId }>(call)
    if (owner_steam_id !== call.user)
      throw new AppError('forbidden', { field: 'owner_steam_id', reason: 'groups_only_as_yourself' })
  },

  group_member: (deps, { params, user }) => membersFor(deps, Number(params.id), user),

  // Players who left may come back on their own; to anyone else the group does not exist.
  group_member_or_left: async (deps, { params, user }) => {
    const groupId = Number(params.id)
    if ((await deps.readCache.memberIds(groupId)).includes(user)) return
    if (!(await mayReturn(deps.database.queries, groupId, user))) throw new AppError('group_not_found')
  },

  group_owner: async (deps, { params, user }) => {
    const groupId = Number(params.id)
    await membersFor(deps, groupId, user)
    if ((await findGroupOwner(deps.database.queries, groupId)) !== user) throw new AppError('not_group_owner')
  },

  // Of a group its members, or those of them that are named; else every id is connected with the caller, or in a group
  // with them.
  group_member_or_every_id_connected: async (deps, call) => {
    const { readCache, database } = deps
    const { group_id, steam_ids } = bodyOf<{ group_id?: number; steam_ids?: SteamId[] }>(call)
    if (group_id !== undefined) {
      const members = await membersFor(deps, group_id, call.user)
      return steam_ids ? members.filter((id) => steam_ids.includes(id)) : members
    }
    if (steam_ids === undefined)
      throw new AppError('invalid_input', { field: 'steam_ids', problem: 'steam_ids: is missing' })
    const ids = [...new Set(steam_ids)]
    const fellows = new Set(column(await fellowMembersAmong(database.queries, call.user, ids), 'steam_id'))
    await connectedPlayers(
      readCache,
      call.user,
      ids.filter((id) => !fellows.has(id)),
    )
    return ids
  },

  // To anyone else the night does not exist.
  night_player: async ({ database: { queries } }, { params, user }) =>
    asPlayer(queries, await findNight(queries, Number(params.id)), user),

  night_leader: async ({ database: { queries } }, { params, user }) => {
    const found = await asPlayer(queries, await findNight(queries, Number(params.id)), user)
    if (!leadsNight(found.night, await findGroupOwner(queries, found.night.group_id), user))
      throw new AppError('not_night_host')
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
 * Passes when every player is the user or connected with them (PERM-2).
 * @param others undefined for one who has no account
 * @throws AppError not_connected when one is not
 */
export async function requireConnected(
  from: Connections,
  user: SteamId,
  others: readonly (ListReadAt | undefined)[],
): Promise<void> {
  const known = others.filter((other) => other !== undefined)
  const strangers = known.filter((other) => other.steam_id !== user)
  if (known.length < others.length) throw new AppError('not_connected')
  if (strangers.length === 0) return
  const connected = await connectedAmong(from, user, strangers)
  if (strangers.some((other) => !connected.has(other.steam_id))) throw new AppError('not_connected')
}

/**
 * Players who are the user or connected with them. A deleted account on one's own friend list is undefined, and answered
 * for as if it hid its library (DEL-2).
 * @throws AppError not_connected
 */
async function connectedPlayers(readCache: ReadCache, user: SteamId, ids: readonly SteamId[]) {
  const players = await readCache.players(ids)
  const known = ids.map((steam_id, nth) => players[nth] ?? { steam_id, friends_at: null })
  await requireConnected(readCache, user, known)
  return players
}

/**
 * The members of a group. To anyone else it does not exist: the response is the same as for an id that was never used.
 * @throws AppError group_not_found
 */
async function membersFor(
  { readCache }: Pick<Deps, 'readCache'>,
  groupId: number,
  user: SteamId,
): Promise<readonly SteamId[]> {
  const members = await readCache.memberIds(groupId)
  if (!members.includes(user)) throw new AppError('group_not_found')
  return members
}

/**
 * A night as one of its players sees it; a transaction that changes it has locked it.
 * @throws AppError night_not_found when `user` is not one of its players (any more)
 */
export async function asPlayer(
  db: Queries | Tx,
  night: NightRow | undefined,
  user: SteamId,
): Promise<FoundNight> {
  const players = night ? await listNightPlayers(db, night.night_id) : []
  const me = players.find((player) => player.steam_id === user && player.gone === 0)
  if (!night || !me) throw new AppError('night_not_found')
  return { night, players, me }
}

/**
 * Passes when `user` may remove `target` from a group: the owner may remove others, a member only themselves.
 * @throws AppError owner_cannot_be_removed, forbidden
 */
export function requireMayRemove(
  group: Pick<Selectable<Schema['groups']>, 'owner_steam_id'>,
  user: SteamId,
  target: SteamId,
): void {
  if (target === group.owner_steam_id) throw new AppError('owner_cannot_be_removed')
  if (user !== group.owner_steam_id && user !== target)
    throw new AppError('forbidden', { reason: 'only_owner_removes' })
}

/**
 * Locks the caller, the group and the caller's membership; account and membership may have ended since the access rule ran.
 * @throws AppError not_signed_in as {@link requireAccount}; group_not_found
 */
export async function requireMember(tx: Tx, groupId: number, user: SteamId) {
  requireAccount(await lockPlayers(tx, [user]), user)
  const group = await lockGroup(tx, groupId)
  const membership = group && (await lockMembership(tx, groupId, user))
  if (!membership) throw new AppError('group_not_found')
  return { ...group, joined_at: membership.joined_at }
}

/** As {@link requireMember}, for what only members do who have joined. @throws AppError forbidden before that */
export async function requireJoined(tx: Tx, groupId: number, user: SteamId) {
  const group = await requireMember(tx, groupId, user)
  if (group.joined_at === null) throw notJoined()
  return group
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

/** Appids of the games that a group has added; only members who have joined know of them (API-56). */
export async function addedFor(
  readCache: Pick<ReadCache, 'joinedGroupIds' | 'addedAppids'>,
  user: SteamId,
  groupId: number,
): Promise<readonly number[]> {
  return (await readCache.joinedGroupIds(user)).includes(groupId) ? readCache.addedAppids(groupId) : []
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
    if ((await listNightPlayers(db, nightId)).some(({ steam_id, gone }) => steam_id === user && gone === 0))
      throw new AppError('not_night_host')
  throw new AppError('not_found', { reason: 'does_not_repeat' })
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

type LibraryOwner = Pick<CachedPlayer, 'steam_id' | 'library_visibility' | 'friends_at'>

/**
 * Which of these players' libraries `viewer` may see. Each owner chooses: connected players (the default), only players
 * who have joined a group with them, or nobody. Players always see their own library.
 * @param areConnected whether all are known to be connected with the viewer
 */
export async function visibility(
  from: Connections,
  viewer: SteamId,
  players: readonly (LibraryOwner | undefined)[],
  { areConnected = false } = {},
): Promise<MayShow> {
  const forGroups: SteamId[] = []
  const shown = new Set<SteamId>([viewer])
  const forConnected: LibraryOwner[] = []
  for (const player of players)
    if (player?.library_visibility === 'groups') forGroups.push(player.steam_id)
    else if (player?.library_visibility !== 'connected') continue
    else if (areConnected) shown.add(player.steam_id)
    else if (player.steam_id !== viewer) forConnected.push(player)
  for (const id of await from.groupmatesAmong(viewer, forGroups)) shown.add(id)
  if (forConnected.length > 0)
    for (const id of await connectedAmong(from, viewer, forConnected)) shown.add(id)
  return (player) => player !== undefined && shown.has(player.steam_id)
}

/** Whether a player's library counts in what people see who may not look at it, such as messages; it names nobody. */
export const countsOutside = (player: Pick<LibraryOwner, 'library_visibility'>): boolean =>
  player.library_visibility === 'connected'

/** Whether a player's library counts in their groups. Where it does not, their groups say so to them too. */
export const countsInGroups = (player: Pick<LibraryOwner, 'library_visibility'>): boolean =>
  player.library_visibility !== 'nobody'

/**
 * Whether a night's player came by its link: in a group's night a non-member, in any other somebody whom nobody asked.
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
 * The players that a guest who is not in may see (NIGHT-151): the host and those who are in or, while the date is being
 * found, can come at some time.
 */
export function shownOutside(
  { host_steam_id }: Pick<NightRow, 'host_steam_id'>,
  guest: Pick<NightPlayerRow, 'steam_id'>,
  canCome: (steamId: SteamId) => boolean,
): (player: Pick<NightPlayerRow, 'steam_id' | 'answer'>) => boolean {
  return ({ steam_id, answer }) =>
    steam_id === guest.steam_id || steam_id === host_steam_id || answer === 'in' || canCome(steam_id)
}

/**
 * Whose libraries count in a game night, among those who are in (NIGHT-9). Saying 'in' agrees to that and counts as
 * being connected with the night's players, but only for its lists. A library for groups only counts if its owner has
 * joined the night's group. One for nobody never counts, not even for its owner: everyone sees the same list.
 */
export async function countingInNight(
  db: Queries | Tx,
  groupId: number | null,
  players: readonly LibraryOwner[],
): Promise<(player: LibraryOwner) => boolean> {
  const isAsked = players.some((player) => player.library_visibility === 'groups')
  const joined =
    groupId === null || !isAsked ? new Set<SteamId>() : new Set(await joinedMemberIds(db, groupId))
  return ({ steam_id, library_visibility }) =>
    library_visibility === 'connected' || (library_visibility === 'groups' && joined.has(steam_id))
}

/** The body of a call; the contract's schema has checked it before any rule runs. */
function bodyOf<Body>(call: InputOf<Endpoint>): Body {
  return call.body as Body
}
