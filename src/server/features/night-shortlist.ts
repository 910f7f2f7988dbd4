/** What those who are in could play (NIGHT-9, NIGHT-20 to NIGHT-23). */
import type { SteamId } from '#shared/entities.ts'
import { NEAR_MISS_LACKING_MAX, NIGHT_NEAR_MISSES_MAX } from '#shared/limits.ts'
import type { NightNearMiss } from '#shared/nights/entities.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import type { CachedPerson } from '../cache/people-cache.ts'
import { filterableSummary } from '../catalogue/catalogue.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { nearMissesInSteps, sharedGamesInSteps } from '../library/algebra.ts'
import { findGame, type Library } from '../library/library.ts'
import { type ShortlistEntry, shortlistInSteps } from '../library/shortlist.ts'
import { inSlices } from '../library/slices.ts'
import { picksOfGroup } from '../storage/night-votes.ts'
import type { NightPersonRow, NightRow } from '../storage/nights.ts'
import { type PersonWithLibrary, readPeopleWithLibraries } from '../storage/people.ts'
import { countingInNight } from './access.ts'

type NightDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>
type Night = Pick<NightRow, 'night_id' | 'group_id'>

/** The libraries of those who are in that are known and count, and the others of them. */
type NightLibraries = {
  known: { person: CachedPerson; library: Library }[]
  unknown: SteamId[]
}

/** The games that a vote of these people is about. */
export type Shortlist = {
  entries: ShortlistEntry[]
  total: number
  /** By {@link basisOf}: the list is valid while it is the same. */
  basis: string
}

/** Steam ids of those who are in. */
export function idsIn(people: readonly Pick<NightPersonRow, 'steam_id' | 'answer'>[]): SteamId[] {
  return people.filter(({ answer }) => answer === 'in').map(({ steam_id }) => steam_id)
}

/** Reads the libraries of those who are in, as they count for everyone of the night. */
export async function readNightLibraries(
  { database, readCache }: Pick<Deps, 'database' | 'readCache'>,
  groupId: number | null,
  ids: readonly SteamId[],
): Promise<NightLibraries & { basis: string }> {
  const people = (await readCache.people(ids)).filter((person) => person !== undefined)
  const counts = await countingInNight(database.queries, groupId, people)
  const libraries = await Promise.all(
    people.map(async (person) =>
      person.library_status === 'ok' && counts(person) ? readCache.wholeLibrary(person, 'others') : undefined,
    ),
  )
  const known: NightLibraries['known'] = []
  const unknown: SteamId[] = []
  for (const [nth, person] of people.entries()) {
    const library = libraries[nth]
    if (library) known.push({ person, library })
    else unknown.push(person.steam_id)
  }
  return { known, unknown, basis: basisText(people, counts) }
}

/** The shortlist of those who are in; `ids` may be empty. */
export async function readShortlist(
  deps: NightDeps,
  night: Night,
  ids: readonly SteamId[],
): Promise<Shortlist & NightLibraries> {
  const { database, catalogue, clock } = deps
  const { known, unknown, basis } = await readNightLibraries(deps, night.group_id, ids)
  const shared = await inSlices(sharedGamesInSteps(known.map(({ library }) => library)))
  const games = await catalogue.games(shared.map((game) => game.appid))
  const { pickedAt, playedTogetherAt } =
    night.group_id === null
      ? { pickedAt: NO_PICKS, playedTogetherAt: NO_PICKS }
      : await picksOfGroup(database.queries, night.group_id, night.night_id)
  const list = await inSlices(
    shortlistInSteps({
      people: ids.length,
      libraries: known.map(({ person, library }) => ({ library, at: person.library_synced_at ?? 0 })),
      shared,
      games,
      pickedAt,
      playedTogetherAt,
      now: clock(),
    }),
  )
  return { ...list, known, unknown, basis }
}
const NO_PICKS: ReadonlyMap<number, number> = new Map()

/** Games for several players that one or two of those who are in lack, with who lacks them. */
export async function readNearMisses(
  { catalogue }: Pick<Deps, 'catalogue'>,
  { known }: NightLibraries,
): Promise<NightNearMiss[]> {
  const found = await inSlices(
    nearMissesInSteps(
      known.map(({ library }) => library),
      NEAR_MISS_LACKING_MAX,
    ),
  )
  const games = await catalogue.games(found.map((game) => game.appid))
  return found
    .map((miss, row) => ({ ...miss, details: games[row]!.details }))
    .filter(({ details }) => isPlayableTogether(details))
    .slice(0, NIGHT_NEAR_MISSES_MAX)
    .map(({ details, minutes }) => ({
      ...filterableSummary(details),
      lacking: known.filter((_, nth) => minutes[nth] === undefined).map(({ person }) => person.steam_id),
      is_free: details.is_free,
    }))
}

/** Who of those who are in has a game, and who does not; the others' libraries are not known. */
export function readyFor({ known }: NightLibraries, appid: number): { ready: SteamId[]; lacking: SteamId[] } {
  const has = ({ library }: NightLibraries['known'][number]) => findGame(library, appid) !== undefined
  const idsOf = (of: NightLibraries['known']) => of.map(({ person }) => person.steam_id)
  return { ready: idsOf(known.filter(has)), lacking: idsOf(known.filter((one) => !has(one))) }
}

/** What a shortlist of these people is made of, read in a transaction that relies on one made before. */
export async function basisOf(tx: Tx | Queries, night: Night, ids: readonly SteamId[]): Promise<string> {
  const byId = new Map((await readPeopleWithLibraries(tx, ids)).map((person) => [person.steam_id, person]))
  const people = ids.map((id) => byId.get(id)).filter((person) => person !== undefined)
  return basisText(people, await countingInNight(tx, night.group_id, people))
}

function basisText(
  people: readonly PersonWithLibrary[],
  counts: (person: PersonWithLibrary) => boolean,
): string {
  return JSON.stringify(
    people.map((person) => [
      person.steam_id,
      person.library_version,
      person.library_synced_at,
      person.library_status,
      person.hidden_appids,
      counts(person),
    ]),
  )
}
