/** Invariants that hold in every database of the product, also after crashes. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { contract as api } from '#shared/contract/index.ts'
import { GROUP_MEMBERS_MAX } from '#shared/limits.ts'
import { totalMinutes } from '../../src/server/library/library.ts'
import { unpackLibrary } from '../../src/server/library/packed.ts'
import type { Database } from '../../src/server/database/database.ts'
import { type DatabaseOptions, openDatabase } from '../../src/server/database/open.ts'

/** All violated invariants, in words; empty when there are none. */
export async function brokenInvariants(database: Database): Promise<string[]> {
  return [
    ...(database.engine === 'sqlite' ? await damagedFile(database) : []),
    ...(await brokenGroups(database)),
    ...(await brokenNights(database)),
    ...(await brokenLibraries(database)),
    ...(await brokenRows(database)),
  ]
}

/** Opens a database that no server has open any more, expects all invariants of it, and does something else with it. */
export async function expectIntact<Found = void>(
  place: DatabaseOptions,
  also?: (database: Database) => Promise<Found>,
): Promise<Found> {
  const database = await openDatabase(place)
  try {
    expect(await brokenInvariants(database)).toEqual([])
    return (await also?.(database)) as Found
  } finally {
    await database.close()
  }
}

/** SQLite's own checks: pages, indexes and foreign keys. PostgreSQL checks foreign keys at every write. */
async function damagedFile({ queries }: Database): Promise<string[]> {
  const integrity = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(queries)
  const orphans = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(queries)
  return [
    ...integrity.rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok'),
    ...orphans.rows.map(({ table, parent }) => `a row of ${table} points to no row of ${parent}`),
  ]
}

async function brokenGroups({ queries }: Database): Promise<string[]> {
  const groups = await queries.selectFrom('groups').selectAll().execute()
  const members = await queries.selectFrom('group_members').select(['group_id', 'steam_id']).execute()
  const byGroup = Map.groupBy(members, (member) => Number(member.group_id))
  const nameOf = api.groups.create.body.shape.name
  return groups.flatMap(({ group_id, name, owner_steam_id, picture_url, picture_key }) => {
    const ids = byGroup.get(Number(group_id))?.map((member) => member.steam_id) ?? []
    return [
      ...(ids.includes(owner_steam_id) ? [] : [`group ${group_id} has an owner who is not a member`]),
      ...(ids.length <= GROUP_MEMBERS_MAX ? [] : [`group ${group_id} has ${ids.length} members`]),
      ...(nameOf.safeParse(name).data === name ? [] : [`group ${group_id} has an invalid name`]),
      ...((picture_url === null) === (picture_key === null)
        ? []
        : [`group ${group_id} has only one of picture URL and key`]),
    ]
  })
}

/** A decided night has a pick, which it keeps when it is cancelled, and a result when its vote has ended. */
async function brokenNights({ queries }: Database): Promise<string[]> {
  const nights = await queries.selectFrom('nights').selectAll().execute()
  const draws = await queries.selectFrom('night_draws').selectAll().orderBy('number').execute()
  const people = await queries.selectFrom('night_people').selectAll().execute()
  const drawsOf = Map.groupBy(draws, (draw) => Number(draw.night_id))
  const peopleOf = Map.groupBy(people, (person) => Number(person.night_id))
  return nights.flatMap(({ night_id, status, result, host_steam_id }) => {
    const numbers = drawsOf.get(Number(night_id))?.map((draw) => draw.number) ?? []
    const those = peopleOf.get(Number(night_id)) ?? []
    const isEnded = status === 'tied' || status === 'decided'
    const isConsistent =
      (status === 'cancelled' || (status === 'decided') === numbers.length > 0) &&
      numbers.every((number, nth) => number === nth + 1) &&
      (isEnded ? result !== null : status !== 'open' || result === null) &&
      (host_steam_id === null || those.some((person) => person.steam_id === host_steam_id)) &&
      those.every(({ marks, voted_at }) => (marks === null) === (voted_at === null))
    return isConsistent ? [] : [`game night ${night_id} is half done`]
  })
}

async function brokenLibraries({ queries }: Database): Promise<string[]> {
  const libraries = await queries.selectFrom('libraries').selectAll().execute()
  return libraries.flatMap(({ steam_id, packed, game_count, total_minutes }) => {
    if (packed === null) return game_count === 0 ? [] : [`${steam_id} has a count without games`]
    try {
      const library = unpackLibrary(packed)
      const fits = library.length === game_count && totalMinutes(library) === Number(total_minutes)
      return fits ? [] : [`the library of ${steam_id} does not match its row`]
    } catch (error) {
      return [`the library of ${steam_id} cannot be read: ${(error as Error).message}`]
    }
  })
}

async function brokenRows({ queries }: Database): Promise<string[]> {
  const sessions = await queries.selectFrom('sessions').select(['token_hash', 'kind']).execute()
  const pictures = await queries.selectFrom('pictures').selectAll().execute()
  const syncs = await queries.selectFrom('syncs').select(['result', 'counted']).execute()
  return [
    ...sessions
      .filter(
        ({ token_hash, kind }) => !/^[0-9a-f]{64}$/.test(token_hash) || !/^(handover|lasting)$/.test(kind),
      )
      .map(() => 'a session is invalid'),
    ...pictures
      .filter(({ bytes, content_type, source_url }) =>
        bytes ? content_type !== 'image/webp' : source_url === null,
      )
      .map(({ picture_key }) => `picture ${picture_key} is invalid`),
    ...syncs
      .filter(
        ({ result, counted }) =>
          !/^(running|ok|private|failed)$/.test(result) || (counted !== 0 && counted !== 1),
      )
      .map(() => 'a sync is invalid'),
  ]
}
