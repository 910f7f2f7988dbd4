/**
 * What the players of a night could play (NIGHT-9, NIGHT-20 to NIGHT-23, NIGHT-122).
 * Requirements: NIGHT-112.
 */
import type { ElsewherePlace, SteamId } from '#shared/entities.ts'
import { NEAR_MISS_LACKING_MAX, NIGHT_NEAR_MISSES_MAX } from '#shared/limits.ts'
import type { NightNearMiss } from '#shared/nights/entities.ts'
import { isAddedGame, isPlayableTogether, isTooSmall, mayBeGame } from '#shared/playable.ts'
import { type CachedPlayer, elsewhereOf, gamesOf, readCachedPlayers } from '../../cache/read-cache.ts'
import { filterableSummary, type GameDetails, playersMaxOf } from '../../catalogue/catalogue.ts'
import { column } from '../../database/chunks.ts'
import type { Tx } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { commonAndNearInSteps, nearMisses } from '../../library/algebra.ts'
import { findGame, indexOfGame, type Library, withGames } from '../../library/library.ts'
import { mayBePlayedTogether, rankShortlist, type Shortlist as Games } from '../../library/shortlist.ts'
import { inSlices, mapInSlices } from '../../library/slices.ts'
import { readAddedAppids, readCorrections } from '../../storage/groups/games.ts'
import { type NightPlayerRow, type NightRow, picksOfGroup, unpackMarks } from '../../storage/nights/nights.ts'
import { countingInNight, countsOutside, visibility } from '../access.ts'
import { asCorrected } from '../groups/games.ts'
import { elsewhereAmong, ownersElsewhere } from '../players/visible-libraries.ts'

/** What reading a list needs. `tx`: a transaction that relies on the list. */
export type NightDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'> & { tx?: Tx }
type Night = Pick<NightRow, 'night_id' | 'group_id'>

/** For a transaction that relies on a list: current data, but for who is connected with whom, which the caches know. */
export function withCurrentData(deps: NightDeps, tx: Tx): NightDeps & { tx: Tx } {
  const readCache = {
    ...deps.readCache,
    async players(ids: readonly SteamId[]) {
      const byId = await readCachedPlayers(tx, ids)
      return ids.map((id) => byId.get(id))
    },
    corrections: (groupId: number) => readCorrections(tx, groupId),
    addedAppids: (groupId: number) => readAddedAppids(tx, groupId),
  }
  return { ...deps, readCache, tx }
}

/** A player with what they own elsewhere, if they let it count. */
type Owner = { player: CachedPlayer; elsewhere: ReadonlyMap<number, ElsewherePlace> }

/** Some players whose known libraries count, and those without one. */
export type NightLibraries = {
  /** `library` includes `elsewhere`. */
  known: (Owner & { library: Library })[]
  unknown: Owner[]
}
const NOBODY: NightLibraries = { known: [], unknown: [] }

/** The games that a vote of those who are in is about. */
export type Shortlist = {
  games: Games
  known: NightLibraries['known']
  /** How many of the known libraries, the first ones, decide what is listed. */
  deciding: number
  unknown: SteamId[]
  /** Those who are in and whose libraries are not known. */
  inUnknown: Owner[]
}

export type Coming = Pick<NightPlayerRow, 'steam_id' | 'answer' | 'marks'>

export function idsIn(players: readonly Pick<NightPlayerRow, 'steam_id' | 'answer'>[]): SteamId[] {
  return players.filter(({ answer }) => answer === 'in').map(({ steam_id }) => steam_id)
}

/** Reads libraries as they count for everyone of the night. */
export async function readNightLibraries(
  { database, readCache, tx }: Pick<NightDeps, 'database' | 'readCache' | 'tx'>,
  groupId: number | null,
  ids: readonly SteamId[],
): Promise<NightLibraries> {
  const players = await readCache.players(ids)
  const found = players.filter((player) => player !== undefined)
  return librariesOf(players, await countingInNight(tx ?? database.queries, groupId, found))
}

/**
 * The libraries of those who are in the database, without the games that players hide, also from themselves: what one hides,
 * the night must not know (VIS-8).
 */
export function librariesOf(
  players: readonly (CachedPlayer | undefined)[],
  mayCount: (player: CachedPlayer) => boolean,
): NightLibraries {
  const known: NightLibraries['known'] = []
  const unknown: Owner[] = []
  for (const player of players) {
    if (!player) continue
    const counts = mayCount(player)
    const library = counts && player.library_status === 'ok' ? gamesOf(player, 'others') : undefined
    const elsewhere = counts ? elsewhereOf(player, library, 'others') : NOTHING
    if (library) known.push({ player, library: withGames(library, elsewhere.keys()), elsewhere })
    else unknown.push({ player, elsewhere })
  }
  return { known, unknown }
}
const NOTHING: Owner['elsewhere'] = new Map()

/**
 * The games that all who are in own or get for nothing; while none of their libraries is known, those of all
 * `others`. Games that none of the others lacks come first (NIGHT-122).
 * @param all players of the night; those who are in decide, and may be none
 * @param others those who have not said no, but are not in either, as far as the viewer may see their libraries
 */
export async function readShortlist(
  deps: NightDeps,
  night: Night,
  all: readonly Coming[],
  others: NightLibraries = NOBODY,
): Promise<Shortlist> {
  const { database, readCache, catalogue, clock, tx } = deps
  const { group_id, night_id } = night
  const ids = idsIn(all)
  const coming = await readNightLibraries(deps, group_id, ids)
  const known = [...coming.known, ...others.known]
  const unknown = [...coming.unknown, ...others.unknown].map(({ player }) => player.steam_id)
  const deciding = coming.known.length > 0 ? coming.known : known
  const found = await inSlices(
    commonAndNearInSteps(
      deciding.map(({ library }) => library),
      NEAR_MISS_LACKING_MAX,
    ),
  )
  const added = group_id === null ? [] : await readCache.addedAppids(group_id)
  const details = await catalogue.games([...column(found, 'appid'), ...added], tx)
  const games = await rankShortlist({
    players: ids.length + others.known.length + others.unknown.length,
    libraries: known.map(({ player, library }) => ({ library, at: player.library_synced_at ?? 0 })),
    elsewhere: column(coming.unknown, 'elsewhere'),
    games: asCorrected(
      details.filter((game, nth) => found[nth]?.missing === 0 || game.details.is_free === true),
      await correctionsOf(deps, night),
    ),
    marked: tx ? markedByOwners(all, coming) : NO_MARKS,
    pickedAt: group_id === null ? NO_PICKS : await picksOfGroup(tx ?? database.queries, group_id, night_id),
    now: clock(),
  })
  return { games, known, deciding: deciding.length, unknown, inUnknown: coming.unknown }
}
const NO_PICKS: ReadonlyMap<number, number> = new Map()
const NO_MARKS: ReadonlySet<number> = new Set()

/**
 * Games marked by players whose libraries count, and who therefore own what is listed. Others must not learn by their
 * marks whether somebody owns a game (NIGHT-124).
 */
function markedByOwners(players: readonly Coming[], { known }: NightLibraries): Set<number> {
  const owners = new Set(known.map(({ player }) => player.steam_id))
  return new Set(
    players
      .filter(({ steam_id, answer, marks }) => answer === 'in' && marks !== null && owners.has(steam_id))
      .flatMap(({ marks }) => unpackMarks(marks)!.map(({ appid }) => appid)),
  )
}

/**
 * Games for several players that one or two lack, with who lacks them; without free games, and those on the list.
 * @param shown those of the list's libraries that the viewer may see
 */
export async function readNearMisses(
  deps: Pick<Deps, 'catalogue' | 'readCache'>,
  night: Night,
  { known, unknown, deciding }: Pick<Shortlist, 'known' | 'unknown' | 'deciding'>,
  shown: Shortlist['known'],
): Promise<NightNearMiss[]> {
  // Somebody would play alone.
  if (shown.length < 3) return []
  const found = await nearMisses(
    shown.map(({ library }) => library),
    NEAR_MISS_LACKING_MAX,
  )
  const games = asCorrected(
    await deps.catalogue.games(found.map((game) => game.appid)),
    await correctionsOf(deps, night),
  )
  const isSmall = (details: GameDetails) => isTooSmall(details, known.length + unknown.length)
  const deciders = known.slice(0, deciding)
  const isListed = (details: GameDetails) =>
    mayBePlayedTogether(details) &&
    deciders.every(({ library }) => indexOfGame(library, details.appid) !== -1)
  const misses = await mapInSlices(found, ({ minutes }, row) => {
    const { details } = games[row]!
    return mayBeGame(details) && isPlayableTogether(details) && details.is_free !== true && !isListed(details)
      ? { details, minutes }
      : undefined
  })
  return (
    misses
      .filter((miss) => miss !== undefined)
      // Stable: otherwise fewest lacking first.
      .sort((a, b) => Number(isSmall(a.details)) - Number(isSmall(b.details)))
      .slice(0, NIGHT_NEAR_MISSES_MAX)
      .map(({ details, minutes }) => ({
        ...filterableSummary(details),
        lacking: shown.filter((_, nth) => minutes[nth] === undefined).map(({ player }) => player.steam_id),
        ...ownersElsewhere(elsewhereAmong(shown), details.appid),
        is_free: details.is_free,
      }))
  )
}

/** Who of some players has a game, and who does not; the others' libraries are not known. */
export function readyFor({ known }: Pick<NightLibraries, 'known'>, appid: number) {
  const has = ({ library }: NightLibraries['known'][number]) =>
    isAddedGame(appid) || findGame(library, appid) !== undefined
  const idsOf = (of: NightLibraries['known']) => of.map(({ player }) => player.steam_id)
  return { ready: idsOf(known.filter(has)), lacking: idsOf(known.filter((one) => !has(one))) }
}

/** Reads the libraries of those who have not said no and are not in either, as far as each of `viewers` may see them. */
export async function readExpected(
  { readCache }: Pick<NightDeps, 'readCache'>,
  all: readonly Coming[],
  viewers: readonly Pick<NightPlayerRow, 'steam_id'>[],
): Promise<NightLibraries> {
  const asked = all.filter(({ answer }) => answer === null || answer === 'maybe')
  const players = await readCache.players(column(asked, 'steam_id'))
  const shown = await Promise.all(viewers.map(({ steam_id }) => visibility(readCache, steam_id, players)))
  return librariesOf(players, (player) => shown.every((mayShow) => mayShow(player)))
}

/**
 * How many players who have not said no lack a game, among those whose library everyone connected with them may see.
 * Messages say it without names (NIGHT-68); the page of a link counts only who is in (NIGHT-76).
 */
export async function countLacking(
  { readCache }: Pick<NightDeps, 'readCache'>,
  all: readonly Pick<NightPlayerRow, 'steam_id' | 'answer'>[],
  appid: number,
): Promise<number> {
  const ids = all.filter(({ answer }) => answer !== 'out').map((one) => one.steam_id)
  return readyFor(librariesOf(await readCache.players(ids), countsOutside), appid).lacking.length
}

/** How many can play the games that the night's group has corrected (API-54). */
export async function correctionsOf(
  { readCache }: Pick<NightDeps, 'readCache'>,
  { group_id }: Pick<Night, 'group_id'>,
): ReturnType<NightDeps['readCache']['corrections']> {
  return group_id === null ? new Map() : readCache.corrections(group_id)
}

/** Whether a game may be drawn for those who are in now: it is not known to be for fewer (NIGHT-128). */
export async function fittingIn(
  deps: Pick<NightDeps, 'readCache'>,
  night: Pick<Night, 'group_id'>,
  players: readonly Pick<NightPlayerRow, 'steam_id' | 'answer'>[],
): Promise<(appid: number) => boolean> {
  const corrections = await correctionsOf(deps, night)
  const coming = idsIn(players).length
  return (appid) => !isTooSmall({ players_max: corrections.get(appid) ?? playersMaxOf(appid) }, coming)
}
