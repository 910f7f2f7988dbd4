/**
 * Links by which people join a group or a game night (NIGHT-50 to NIGHT-59). A transaction that renews or switches off a
 * link, or lets somebody join by it, has locked the group or the night.
 */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import type { Queries, Tx } from '../database/schema.ts'

/** Which texts can be tokens of links; PostgreSQL refuses to look some others up. */
export const INVITE_TOKEN = /^[\w-]{32}$/

/** What a link is for. */
export type InviteTarget = { group_id: number } | { night_id: number }

export type InviteRow = {
  token: string
  created_by: SteamId
  display_name: string | null
  /** Of a group's link; undefined for a night's. */
  group: { group_id: number; name: string } | undefined
  /** Of a night's link; undefined for a group's. */
  night: { night_id: number; group_id: number | null; title: string | null } | undefined
  expires_at: number
}

/** The link with this token, unless it has expired. */
export async function findInvite(
  db: Queries | Tx,
  token: string,
  now: number,
): Promise<InviteRow | undefined> {
  const row = await valid(db, now).where('invites.token', '=', token).executeTakeFirst()
  return row && asInvite(row)
}

/** The link of a group or night, unless it has expired. */
export async function findInviteOf(
  db: Queries | Tx,
  of: InviteTarget,
  now: number,
): Promise<InviteRow | undefined> {
  const query = valid(db, now)
  const row = await (
    'group_id' in of
      ? query.where('invites.group_id', '=', of.group_id)
      : query.where('invites.night_id', '=', of.night_id)
  ).executeTakeFirst()
  return row && asInvite(row)
}

/** Creates a link; the one before is no longer valid. */
export async function renewInvite(
  tx: Tx,
  of: InviteTarget,
  { token, by, at, expiresAt }: { token: string; by: SteamId; at: number; expiresAt: number },
): Promise<void> {
  await deleteInvite(tx, of)
  await tx
    .insertInto('invites')
    .values({
      token,
      group_id: 'group_id' in of ? of.group_id : null,
      night_id: 'night_id' in of ? of.night_id : null,
      created_by: by,
      created_at: at,
      expires_at: expiresAt,
    })
    .execute()
}

/** Switches the link of a group or night off. */
export async function deleteInvite(tx: Tx, of: InviteTarget): Promise<void> {
  const query = tx.deleteFrom('invites')
  await (
    'group_id' in of ? query.where('group_id', '=', of.group_id) : query.where('night_id', '=', of.night_id)
  ).execute()
}

/** Switches the links off that a person has created: of a group or night that they leave, or all of them. */
export async function deleteInvitesBy(tx: Tx, steamId: SteamId, of?: InviteTarget): Promise<void> {
  let query = tx.deleteFrom('invites').where('created_by', '=', steamId)
  if (of && 'group_id' in of) query = query.where('group_id', '=', of.group_id)
  if (of && 'night_id' in of) query = query.where('night_id', '=', of.night_id)
  await query.execute()
}

/** Deletes links that have expired. */
export async function deleteExpiredInvites(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('invites').where('night_id', 'is', null).where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('invites')
    .where('night_id', 'in', (eb) =>
      eb
        .selectFrom('nights')
        .select('nights.night_id')
        .where((or) =>
          or.or([or('status', 'in', ['cancelled', 'over']), or('starts_at', '<=', now - NIGHT_LENGTH_MS)]),
        ),
    )
    .execute()
}

/** Valid links. That of a night ends with the night, also when its time was changed after the link was created. */
function valid(db: Queries | Tx, now: number) {
  return db
    .selectFrom('invites')
    .innerJoin('people', 'people.steam_id', 'invites.created_by')
    .leftJoin('groups', 'groups.group_id', 'invites.group_id')
    .leftJoin('nights', 'nights.night_id', 'invites.night_id')
    .select([
      'invites.token',
      'invites.created_by',
      'invites.expires_at',
      'people.display_name',
      'groups.group_id',
      'groups.name',
      'nights.night_id',
      'nights.group_id as group_of_night',
      'nights.title',
      'nights.starts_at',
    ])
    .where((eb) =>
      eb.or([
        eb.and([eb('invites.group_id', 'is not', null), eb('invites.expires_at', '>', now)]),
        eb.and([
          eb('nights.status', 'in', ['open', 'tied', 'decided']),
          eb('nights.starts_at', '>', now - NIGHT_LENGTH_MS),
        ]),
      ]),
    )
}

function asInvite(
  row: NonNullable<Awaited<ReturnType<ReturnType<typeof valid>['executeTakeFirst']>>>,
): InviteRow {
  const { token, created_by, display_name, group_id, name, night_id, starts_at } = row
  return {
    token,
    created_by,
    display_name,
    group: group_id === null || name === null ? undefined : { group_id, name },
    night: night_id === null ? undefined : { night_id, group_id: row.group_of_night, title: row.title },
    expires_at: starts_at === null ? row.expires_at : starts_at + NIGHT_LENGTH_MS,
  }
}
