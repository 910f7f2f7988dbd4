/**
 * Links, whose secret tokens open what is behind them: invitations to a group or a game night (NIGHT-50 to NIGHT-58), shared
 * picks, with what groups choose for their nights (NIGHT-75, NIGHT-76), and calendars (NIGHT-65). A transaction that renews
 * or switches off an invitation, or lets somebody join by it, has locked the group or the night.
 */
import type { SteamId } from '#shared/entities.ts'
import type { Language } from '#shared/languages.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import type { ExpressionBuilder, Selectable, Updateable } from 'kysely'
import { column, countOf, inChunks } from '../database/chunks.ts'
import type { GroupsTable, Queries, Schema, Tx } from '../database/schema.ts'
import type { CalendarFeedsTable, NightsTable } from '../database/schema-nights.ts'
import { findGroupRow } from './group-row.ts'
import { findPlayer } from './players.ts'
import { randomBytes } from 'node:crypto'
import { changed } from '../database/cache-tags.ts'

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
        'night_id' | 'group_id' | 'status' | 'title' | 'starts_at' | 'zone' | 'faces'
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
  return readValid(db, links(db).where(isOf(of)), now)
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
  await tx.deleteFrom('invites').where(isOf(of)).execute()
}

/** Switches the links off that a player has created: of a group or night that they leave, or all of them. */
export async function deleteInvitesBy(tx: Tx, steamId: SteamId, of?: InviteTarget): Promise<void> {
  const theirs = tx.deleteFrom('invites').where('created_by', '=', steamId)
  await (of ? theirs.where(isOf(of)) : theirs).execute()
}

function isOf(of: InviteTarget) {
  return (eb: ExpressionBuilder<Schema, 'invites'>) =>
    'group_id' in of ? eb('group_id', '=', of.group_id) : eb('night_id', '=', of.night_id)
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
          .select(['night_id', 'group_id', 'status', 'title', 'starts_at', 'zone', 'faces'])
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

/** 192 random bits, so that nobody finds one by trying; the last character is none that chats take for the end of a sentence. */
export function newLinkToken(): string {
  for (;;) {
    const token = randomBytes(24).toString('base64url')
    if (/[A-Za-z\d]$/.test(token)) return token
  }
}

/**
 * The token to look up for any text, without what stood behind a link that was pasted, such as a full stop. A text that
 * cannot be a token, which PostgreSQL may refuse, becomes no link's token.
 */
export function asLinkToken(text: unknown): string {
  return /^([\w-]{32})(?![A-Za-z\d])/.exec(typeof text === 'string' ? text : '')?.[1] ?? ''
}

/** A decided night that is shared, by its token; undefined when there is none, or its group does not share. */
export async function findShared(db: Queries, token: string) {
  const row = await db
    .selectFrom('nights')
    .select(['night_id', 'host_steam_id', 'starts_at', 'zone', 'group_id'])
    .where('share_token', '=', token)
    .where('status', '=', 'decided')
    .executeTakeFirst()
  if (!row) return undefined
  const group = await findGroupRow(db, row.group_id)
  if (group?.shares === 0) return undefined
  const count = await countOf(
    db.selectFrom('night_people').where('night_id', '=', row.night_id).where('answer', '=', 'in'),
  )
  return { ...row, name: group?.name ?? null, in: count }
}

/** Sets or removes the link of a locked night. */
export async function setShareToken(tx: Tx, nightId: number, token: string | null): Promise<void> {
  // It is in nothing that is cached.
  await tx.updateTable('nights').set({ share_token: token }).where('night_id', '=', nightId).execute()
}

/** Changes what a locked group chooses; when it stops sharing, its links are gone for good. */
export async function changeNightSettings(
  tx: Tx,
  groupId: number,
  change: { not_tonight_forbids?: boolean | undefined; shares?: boolean | undefined },
): Promise<void> {
  const { not_tonight_forbids, shares } = change
  changed(tx, 'group', [groupId])
  const values: Updateable<GroupsTable> = {
    ...(not_tonight_forbids !== undefined && { not_tonight_forbids: not_tonight_forbids ? 1 : 0 }),
    ...(shares !== undefined && { shares: shares ? 1 : 0 }),
  }
  if (Object.keys(values).length > 0)
    await tx.updateTable('groups').set(values).where('group_id', '=', groupId).execute()
  if (shares !== false) return
  await tx
    .updateTable('nights')
    .set({ share_token: null })
    .where('group_id', '=', groupId)
    .where('share_token', 'is not', null)
    .execute()
}

const DAY_MS = 24 * 60 * 60_000
/** How long nights stay in a calendar after their start, or after they were cancelled. */
const LISTED_MS = 30 * DAY_MS
/** More than anyone answers. */
const NIGHTS_LISTED = 500

export type CalendarFeedRow = Selectable<CalendarFeedsTable>

/** The address of a user's calendar; undefined while it is switched off. */
export function findFeedOf(db: Queries | Tx, steamId: SteamId): Promise<CalendarFeedRow | undefined> {
  return db.selectFrom('calendar_feeds').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
}

/** The owner of a calendar; undefined when no calendar has this token. */
export async function ownerOfFeed(db: Queries, token: string): Promise<SteamId | undefined> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('steam_id')
    .where('token', '=', token)
    .executeTakeFirst()
  return row?.steam_id
}

/** Gives a user's calendar an address; the one before is no longer valid. The user must be locked. */
export async function renewFeed(tx: Tx, row: CalendarFeedRow): Promise<void> {
  await deleteFeed(tx, row.steam_id)
  await tx.insertInto('calendar_feeds').values(row).execute()
}

/** Switches a user's calendar off. */
export async function deleteFeed(tx: Tx, steamId: SteamId): Promise<void> {
  await tx.deleteFrom('calendar_feeds').where('steam_id', '=', steamId).execute()
}

/** The planned nights of a user's calendar: those they have not said no to, and have answered first (NIGHT-65). */
export function listCalendarNights(
  db: Queries,
  steamId: SteamId,
  now: number,
): Promise<Selectable<NightsTable>[]> {
  const since = now - LISTED_MS
  return db
    .selectFrom('nights')
    .innerJoin('night_people as mine', 'mine.night_id', 'nights.night_id')
    .selectAll('nights')
    .where('mine.steam_id', '=', steamId)
    .where('mine.gone', '=', 0)
    .where((eb) => eb.or([eb('mine.answer', 'is', null), eb('mine.answer', '!=', 'out')]))
    .where('nights.planned', '=', 1)
    .where((eb) =>
      eb.or([
        eb.and([eb('nights.status', '!=', 'cancelled'), eb('nights.starts_at', '>', since)]),
        eb.and([eb('nights.status', '=', 'cancelled'), eb('nights.ended_at', '>', since)]),
      ]),
    )
    .orderBy((eb) => eb.case().when('mine.answer', 'is', null).then(1).else(0).end())
    .orderBy('nights.starts_at', 'desc')
    .orderBy('nights.night_id')
    .limit(NIGHTS_LISTED)
    .execute()
}
