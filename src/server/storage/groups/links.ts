/**
 * Links, whose secret tokens open what is behind them: invitations to a group or a game night (NIGHT-50 to NIGHT-58), and
 * years that are shared (LATELY-5, LATELY-6). A transaction that renews or switches one off, or lets somebody join by it, has
 * locked the group or the night.
 */
import type { SteamId } from '#shared/entities.ts'
import type { ExpressionBuilder } from 'kysely'
import type { Queries, Schema, Tx } from '../../database/schema.ts'
import { findGroupRow } from './group-row.ts'
import { findPlayer } from '../players/players.ts'
import { randomBytes } from 'node:crypto'

/** What a link is for. */
export type InviteTarget = { group_id: number } | { night_id: number }

export type InviteRow = NonNullable<Awaited<ReturnType<typeof readValid>>>

/** The link with this token, unless it has expired. */
export function findInvite(db: Queries | Tx, token: string, now: number) {
  return readValid(db, links(db).where('token', '=', asLinkToken(token)), now)
}

/** The link of a group or night, unless it has expired. */
export function findInviteOf(db: Queries | Tx, of: InviteTarget, now: number) {
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
export async function deleteLinksBy(tx: Tx, steamId: SteamId, of?: InviteTarget): Promise<void> {
  const theirs = tx.deleteFrom('invites').where('created_by', '=', steamId)
  await (of ? theirs.where(isOf(of)) : theirs).execute()
  if (of && !('group_id' in of)) return
  const years = tx.deleteFrom('year_links').where('created_by', '=', steamId)
  await (of ? years.where('group_id', '=', of.group_id) : years).execute()
}

/** Whose years: a user's own, or a group's. */
export type YearsOf = { steam_id: SteamId } | { group_id: number }

/** The link of a year; undefined when it is not shared. */
export function findYearLink(db: Queries | Tx, of: YearsOf, year: number) {
  const all = db.selectFrom('year_links').select('token')
  return all.where(areYearsOf(of)).where('year', '=', year).executeTakeFirst()
}

/** Switches the link of a year off, or of all years. */
export async function deleteYearLinks(tx: Tx, of: YearsOf, year?: number): Promise<void> {
  const all = tx.deleteFrom('year_links').where(areYearsOf(of))
  await (year === undefined ? all : all.where('year', '=', year)).execute()
}

function areYearsOf(of: YearsOf) {
  return (eb: ExpressionBuilder<Schema, 'year_links'>) =>
    'group_id' in of
      ? eb('group_id', '=', of.group_id)
      : eb.and([eb('created_by', '=', of.steam_id), eb('group_id', 'is', null)])
}

function isOf(of: InviteTarget) {
  return (eb: ExpressionBuilder<Schema, 'invites'>) =>
    'group_id' in of ? eb('group_id', '=', of.group_id) : eb('night_id', '=', of.night_id)
}

function links(db: Queries | Tx) {
  return db.selectFrom('invites').selectAll()
}

/** A link, unless it has expired. Group, night and player are read apart, because they are sharded differently. */
async function readValid(db: Queries | Tx, query: ReturnType<typeof links>, now: number) {
  const row = await query.executeTakeFirst()
  if (!row || row.expires_at <= now) return undefined
  const { token, created_by, group_id, night_id, expires_at } = row
  const group = await findGroupRow(db, group_id)
  const night =
    night_id === null
      ? undefined
      : await db
          .selectFrom('nights')
          .select(['night_id', 'group_id', 'status', 'title', 'starts_at', 'zone', 'faces'])
          .where('night_id', '=', night_id)
          .where('status', 'in', ['dating', 'open', 'tied', 'decided'])
          .executeTakeFirst()
  if (!group && !night) return undefined
  const creator = await findPlayer(db, created_by)
  if (!creator) return undefined
  // Of a group's link there is no night, of a night's no group.
  const { display_name, language } = creator
  return { token, created_by, display_name, language, group, night, expires_at }
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
