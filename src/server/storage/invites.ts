/**
 * Links by which players join a group or a game night (NIGHT-50 to NIGHT-58). A transaction that renews or switches off
 * a link, or lets somebody join by it, has locked the group or the night.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Language } from '#shared/languages.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import type { Selectable } from 'kysely'
import { column, inChunks } from '../database/chunks.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { NightsTable } from '../database/schema-nights.ts'
import { findGroupRow } from './group-row.ts'
import { asLinkToken } from './link-tokens.ts'
import { findPlayer } from './players.ts'

/** What a link is for. */
export type InviteTarget = { group_id: number } | { night_id: number }

export type InviteRow = {
  token: string
  created_by: SteamId
  display_name: string | null
  /** Of whoever created it. */
  language: Language | null
  /** Of a group's link; undefined for a night's. */
  group: { group_id: number; name: string } | undefined
  /** Of a night's link; undefined for a group's. */
  night:
    | Pick<
        Selectable<NightsTable>,
        'night_id' | 'group_id' | 'status' | 'title' | 'starts_at' | 'zone' | 'faces' | 'any_size'
      >
    | undefined
  expires_at: number
}

/** The link with this token, unless it has expired. */
export function findInvite(db: Queries | Tx, token: string, now: number): Promise<InviteRow | undefined> {
  return readValid(db, links(db).where('token', '=', asLinkToken(token)), now)
}

/** The link of a group or night, unless it has expired. */
export function findInviteOf(
  db: Queries | Tx,
  of: InviteTarget,
  now: number,
): Promise<InviteRow | undefined> {
  const query = links(db)
  return readValid(
    db,
    'group_id' in of ? query.where('group_id', '=', of.group_id) : query.where('night_id', '=', of.night_id),
    now,
  )
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
    .values({ token, ...of, created_by: by, created_at: at, expires_at: expiresAt })
    .execute()
}

/** Switches the link of a group or night off. */
export async function deleteInvite(tx: Tx, of: InviteTarget): Promise<void> {
  const query = tx.deleteFrom('invites')
  await (
    'group_id' in of ? query.where('group_id', '=', of.group_id) : query.where('night_id', '=', of.night_id)
  ).execute()
}

/** Switches the links off that a player has created: of a group or night that they leave, or all of them. */
export async function deleteInvitesBy(tx: Tx, steamId: SteamId, of?: InviteTarget): Promise<void> {
  let query = tx.deleteFrom('invites').where('created_by', '=', steamId)
  if (of && 'group_id' in of) query = query.where('group_id', '=', of.group_id)
  if (of && 'night_id' in of) query = query.where('night_id', '=', of.night_id)
  await query.execute()
}

/** Deletes links that have expired. */
export async function deleteExpiredInvites(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('invites').where('night_id', 'is', null).where('expires_at', '<=', now).execute()
  const ofNights = await db
    .selectFrom('invites')
    .select('night_id')
    .where('night_id', 'is not', null)
    .$narrowType<{ night_id: number }>()
    .execute()
  await inChunks(column(ofNights, 'night_id'), async (nightIds) => {
    const past = await db
      .selectFrom('nights')
      .select('night_id')
      .where('night_id', 'in', nightIds)
      .where((eb) =>
        eb.or([eb('status', 'in', ['cancelled', 'over']), eb('starts_at', '<=', now - NIGHT_LENGTH_MS)]),
      )
      .execute()
    return inChunks(past, (nights) =>
      db.deleteFrom('invites').where('night_id', 'in', column(nights, 'night_id')).execute(),
    )
  })
}

function links(db: Queries | Tx) {
  return db.selectFrom('invites').selectAll()
}

/**
 * A link, unless it has expired. That of a night ends with the night, also when its time was changed after the link was
 * created. Group, night and player are read apart, because they are sharded differently.
 */
async function readValid(
  db: Queries | Tx,
  query: ReturnType<typeof links>,
  now: number,
): Promise<InviteRow | undefined> {
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  const { token, created_by, group_id, night_id } = row
  if (group_id !== null && row.expires_at <= now) return undefined
  const group = await findGroupRow(db, group_id)
  const night =
    night_id === null
      ? undefined
      : await db
          .selectFrom('nights')
          .select(['night_id', 'group_id', 'status', 'title', 'starts_at', 'zone', 'faces', 'any_size'])
          .where('night_id', '=', night_id)
          .where('status', 'in', ['dating', 'open', 'tied', 'decided'])
          .where('starts_at', '>', now - NIGHT_LENGTH_MS)
          .executeTakeFirst()
  if (!group && !night) return undefined
  const creator = await findPlayer(db, created_by)
  if (!creator) return undefined
  return {
    token,
    created_by,
    display_name: creator.display_name,
    language: creator.language,
    group,
    night,
    expires_at: night ? night.starts_at + NIGHT_LENGTH_MS : row.expires_at,
  }
}
