/** People: everybody who signed in, is a friend or a member. */
import type { SteamId } from '#shared/entities.ts'
import type { Insertable, Selectable } from 'kysely'
import { inChunks } from '../database/chunks.ts'
import { deletedAmong } from './deleted-accounts.ts'
import { preparedList } from '../database/prepared.ts'
import type { LibrariesTable, PeopleTable, Queries, Tx } from '../database/schema.ts'

export type PersonRow = Selectable<PeopleTable>

/** One person, if known. */
export function findPerson(db: Queries | Tx, steamId: SteamId): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where('steam_id', '=', steamId).executeTakeFirst()
}

/** Whether somebody is known here and their account, if they had one, not deleted. */
export async function isStillHere(db: Queries | Tx, steamId: SteamId): Promise<boolean> {
  const person = await findPerson(db, steamId)
  return person !== undefined && person.deleted_at === null
}

/** Those of `steamIds` who are known, by id. */
export async function readPeople(
  db: Queries | Tx,
  steamIds: readonly SteamId[],
): Promise<Map<SteamId, PersonRow>> {
  const rows = await inChunks(steamIds, (ids) =>
    db.selectFrom('people').selectAll().where('steam_id', 'in', ids).execute(),
  )
  return new Map(rows.map((row) => [row.steam_id, row]))
}

/**
 * Holds people against deletion, and against others who hold them, until the end of the transaction, in one order so
 * that two who hold the same people do not wait for each other. Those who are not known are missing.
 */
export async function lockPeople(tx: Tx, steamIds: readonly SteamId[]): Promise<Map<SteamId, PersonRow>> {
  const rows = await inChunks([...new Set(steamIds)].sort(), (ids) =>
    tx
      .selectFrom('people')
      .selectAll()
      .where('steam_id', 'in', ids)
      .orderBy('steam_id')
      .forNoKeyUpdate()
      .execute(),
  )
  return new Map(rows.map((row) => [row.steam_id, row]))
}

/** Somebody, and how their library stands; the last five are null while nobody asked for it. */
export type PersonWithLibrary = Omit<PersonRow, 'signed_in_at' | 'profile_at' | 'deleted_at'> & {
  library_version: number | null
  library_status: LibrariesTable['status'] | null
  library_synced_at: number | null
  library_checked_at: number | null
  total_minutes: number | null
}

/** Those of `steamIds` who are known, with how their libraries stand; in no order. */
export const readPeopleWithLibraries: (
  db: Queries | Tx,
  steamIds: readonly SteamId[],
) => Promise<PersonWithLibrary[]> = preparedList((db, ids) =>
  db
    .selectFrom('people')
    .leftJoin('libraries', 'libraries.steam_id', 'people.steam_id')
    .where('people.steam_id', 'in', ids)
    .select([
      'people.steam_id',
      'people.display_name',
      'people.avatar_url',
      'people.personastate',
      'people.playing',
      'people.friends_status',
      'people.friends_at',
      'people.library_visibility',
      'libraries.version as library_version',
      'libraries.status as library_status',
      'libraries.synced_at as library_synced_at',
      'libraries.checked_at as library_checked_at',
      'libraries.total_minutes',
    ]),
)

export type ProfileToSave = {
  steamId: SteamId
  displayName: string | null
  avatarUrl: string | null
  personastate: number
  playing: string | null
}

/**
 * Keeps what the platform says of people, at time `at`. A name or avatar that is known is never replaced by
 * nothing; of somebody named twice the last counts, and of deleted accounts nothing is kept. Deletions must be held off
 * (`accounts.ts`).
 */
export async function saveProfiles(
  db: Queries | Tx,
  profiles: readonly ProfileToSave[],
  at: number,
): Promise<void> {
  const unique = [...new Map(profiles.map((profile) => [profile.steamId, profile])).values()]
  // So that those who are deleted have rows that say so.
  await ensurePeople(
    db,
    unique.map((profile) => profile.steamId),
  )
  await inChunks(unique.sort(inLockOrder), (chunk) =>
    db
      .insertInto('people')
      .values(
        chunk.map((profile) => ({
          ...blankPerson(profile.steamId),
          display_name: profile.displayName,
          avatar_url: profile.avatarUrl,
          personastate: profile.personastate,
          playing: profile.playing,
          profile_at: at,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('steam_id')
          .doUpdateSet((eb) => ({
            display_name: eb.fn.coalesce('excluded.display_name', 'people.display_name'),
            avatar_url: eb.fn.coalesce('excluded.avatar_url', 'people.avatar_url'),
            personastate: eb.ref('excluded.personastate'),
            playing: eb.ref('excluded.playing'),
            profile_at: eb.ref('excluded.profile_at'),
          }))
          .where('people.deleted_at', 'is', null),
      )
      .execute(),
  )
}

/**
 * Makes sure that each id has a row, without touching those that have one; in the order of saveProfiles. The row of a
 * deleted account says that it is one. Deletions must be held off (`accounts.ts`).
 */
export async function ensurePeople(db: Queries | Tx, steamIds: readonly SteamId[]): Promise<void> {
  const ids = [...new Set(steamIds)].sort()
  const known = await inChunks(ids, (chunk) =>
    db.selectFrom('people').select('steam_id').where('steam_id', 'in', chunk).execute(),
  )
  const knownIds = new Set(known.map((row) => row.steam_id))
  const missing = ids.filter((id) => !knownIds.has(id))
  const deleted = await deletedAmong(db, missing)
  await inChunks(missing, (chunk) =>
    db
      .insertInto('people')
      .values(
        chunk.map((id) => {
          const deletedAt = deleted.get(id)
          return deletedAt === undefined ? blankPerson(id) : bareDeletedPerson(id, deletedAt)
        }),
      )
      .onConflict((conflict) => conflict.column('steam_id').doNothing())
      .execute(),
  )
}

/** Sets who may see somebody's library; of a deleted account nobody does. */
export async function setLibraryVisibility(
  db: Queries | Tx,
  steamId: SteamId,
  visibility: PeopleTable['library_visibility'],
): Promise<void> {
  await db
    .updateTable('people')
    .set({ library_visibility: visibility })
    .where('steam_id', '=', steamId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Notes how reading somebody's friend list went; `at` is kept as it is for a private answer (null). */
export async function setFriendsSynced(
  db: Queries | Tx,
  steamId: SteamId,
  status: PeopleTable['friends_status'],
  at: number | null,
): Promise<void> {
  await db
    .updateTable('people')
    .set({ friends_status: status, ...(at !== null && { friends_at: at }) })
    .where('steam_id', '=', steamId)
    .execute()
}

/** The row of a deleted account: the id, and that nobody sees anything of it. */
export function bareDeletedPerson(steamId: SteamId, deletedAt: number): Insertable<PeopleTable> {
  return { ...blankPerson(steamId), library_visibility: 'nobody', deleted_at: deletedAt }
}

/** Two servers that write overlapping sets of people must lock the rows in one order, or they deadlock. */
function inLockOrder(a: ProfileToSave, b: ProfileToSave): number {
  return a.steamId < b.steamId ? -1 : 1
}

function blankPerson(steamId: SteamId): Insertable<PeopleTable> {
  return {
    steam_id: steamId,
    display_name: null,
    avatar_url: null,
    personastate: 0,
    playing: null,
    profile_at: null,
    friends_status: 'never',
    friends_at: null,
    signed_in_at: null,
    library_visibility: 'connected',
    deleted_at: null,
  }
}
