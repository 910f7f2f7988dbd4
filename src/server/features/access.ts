/**
 * Who may see or change what (CONTRACT.md 'Who may do what'): every rule is a named predicate here and nowhere
 * else. Calls name their rule in the contract, so one without a rule does not compile.
 */
import type { Endpoint, Access } from '#shared/contract/endpoint.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Call } from '../http/handlers.ts'
import type { AccessRule } from '../http/routes.ts'
import { lockPeople } from '../storage/accounts.ts'
import type { Database } from '../storage/database.ts'
import { connectedAmong, groupmatesAmong } from '../storage/friends.ts'
import { isStillHere } from '../storage/people.ts'
import type { KnownPerson } from '../storage/recall.ts'
import type { GroupsTable, Queries, Tx } from '../storage/schema.ts'
import type { Selectable } from 'kysely'

/** The predicates that calls name in the contract. */
export const accessRules: Record<Access, AccessRule> = {
  signed_in: async () => {},

  self: async (_deps, { params, user }) => {
    if (params.steamId !== user)
      throw new AppError('forbidden', { text: 'You may do that only for yourself.' })
  },

  self_or_connected: (deps, { params, user }) => requireConnectedNow(deps, user, [textOf(params.steamId)]),

  self_with_connected: async (deps, { params, user }) => {
    if (params.mySteamId !== user || params.friendSteamId === user) throw new AppError('not_connected')
    await requireConnectedNow(deps, user, [textOf(params.friendSteamId)])
  },

  owner_is_self: async (_deps, call) => {
    const { owner_steam_id } = bodyOf<{ owner_steam_id: SteamId }>(call)
    if (owner_steam_id !== call.user)
      throw new AppError('forbidden', {
        field: 'owner_steam_id',
        text: 'You can create groups only as yourself.',
      })
  },

  // To others a group does not exist: the answer is the same as for a number that was never given out.
  group_member: async (deps, { params, user }) => {
    if (!(await deps.recall.memberIds(Number(params.id))).includes(user))
      throw new AppError('group_not_found')
  },

  every_id_self_or_connected: (deps, call) =>
    requireConnectedNow(deps, call.user, bodyOf<{ steam_ids: SteamId[] }>(call).steam_ids),
}

/**
 * Passes when every id is the user's own or connected with them (CONTRACT.md 'Connected').
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

/** As {@link requireConnected}, outside of a transaction: nearly everybody who is asked about is a friend of mine. */
async function requireConnectedNow(
  { database, recall }: Pick<Deps, 'database' | 'recall'>,
  user: SteamId,
  ids: readonly SteamId[],
): Promise<void> {
  if (ids.every((id) => id === user)) return
  const friends = await recall.friendIds(user)
  const others = ids.filter((id) => !friends.includes(id))
  await requireConnected(database.queries, user, others)
}

/**
 * Within a transaction that stores something of `user`, or about `others`: no account of theirs is deleted before it
 * ends. Before locks of groups.
 * @throws AppError not_signed_in when the user's own account was deleted since the call began
 */
export async function requireAccount(
  database: Database,
  tx: Tx,
  user: SteamId,
  others: readonly SteamId[] = [],
): Promise<void> {
  await lockPeople(database, tx, [user, ...others])
  if (!(await isStillHere(tx, user))) throw new AppError('not_signed_in')
}

/**
 * Whether `user` may take `target` out of a group: the owner anyone but themselves, another member only
 * themselves.
 * @throws AppError owner_cannot_be_removed, forbidden
 */
export function requireMayRemove(
  group: Pick<Selectable<GroupsTable>, 'owner_steam_id'>,
  user: SteamId,
  target: SteamId,
): void {
  if (target === group.owner_steam_id) throw new AppError('owner_cannot_be_removed')
  if (user !== group.owner_steam_id && user !== target)
    throw new AppError('forbidden', { text: 'Only the owner of the group may remove other members.' })
}

/**
 * Those of `owners` whose libraries `viewer` may see, by each owner's own choice: connected people (the default),
 * only people in a group with them, or nobody. One's own library is always visible, and so is that of somebody who
 * is not known here yet. Connection itself is the business of the access rules above.
 */
export async function visibleLibraries(
  deps: Pick<Deps, 'database' | 'recall'>,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<Set<SteamId>> {
  const people = await deps.recall.people(owners)
  const mayShow = await visibility(deps, viewer, people)
  return new Set(owners.filter((_, index) => mayShow(people[index])))
}

/** As {@link visibleLibraries} for people who were read already: says of each whether their library may be shown. */
export async function visibility(
  { database }: Pick<Deps, 'database'>,
  viewer: SteamId,
  people: readonly (KnownPerson | undefined)[],
): Promise<(person: KnownPerson | undefined) => boolean> {
  const forGroups: SteamId[] = []
  for (const person of people)
    if (person?.library_visibility === 'groups' && person.steam_id !== viewer) forGroups.push(person.steam_id)
  const groupmates =
    forGroups.length > 0 ? await groupmatesAmong(database.queries, viewer, forGroups) : new Set<SteamId>()
  return (person) => {
    if (!person || person.library_visibility === 'connected' || person.steam_id === viewer) return true
    return person.library_visibility === 'groups' && groupmates.has(person.steam_id)
  }
}

/** The rule of a contract's call as a type-safe body: validated before any rule runs. */
function bodyOf<Body>(call: Call<Endpoint>): Body {
  return call.body as Body
}

function textOf(param: unknown): string {
  return param as string
}
