/**
 * Libraries of several people, as far as one viewer may see them.
 * Requirements: VIS-3, VIS-9.
 */
import type { Friend, LibraryStatus, SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import type { Playtimes } from '../library/library.ts'
import type { CachedPerson } from '../cache/people-cache.ts'
import { hiddenAppids } from '../storage/hidden-games.ts'
import { type MayShow, visibility, visibilityOfFriends } from './access.ts'

/** A person whose library is readable and visible to the viewer; the games that others hide are not in it (VIS-8). */
export type ReadableLibrary = { person: CachedPerson; library: Playtimes }

/**
 * Those of `owners` whose libraries are known, readable and visible, in the same order (API-28). A library that is
 * private now is left out, even if its games are still stored.
 */
export async function readVisibleLibraries(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<ReadableLibrary[]> {
  const people = await deps.readCache.people(owners, { games: true })
  return visibleLibrariesOf(deps, viewer, people, await visibility(deps, viewer, people))
}

/** Like {@link readVisibleLibraries}, for the viewer's friends. */
export async function readLibrariesOfFriends(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
): Promise<{ friends: readonly CachedPerson[]; readable: ReadableLibrary[] }> {
  const friends = await deps.readCache.friends(viewer, { games: true })
  const mayShow = await visibilityOfFriends(deps, viewer, friends)
  return { friends, readable: await visibleLibrariesOf(deps, viewer, friends, mayShow) }
}

/** Like {@link readVisibleLibraries}, for people already read. */
export async function visibleLibrariesOf(
  deps: Pick<Deps, 'readCache'>,
  viewer: SteamId,
  people: readonly (CachedPerson | undefined)[],
  mayShow: MayShow,
): Promise<ReadableLibrary[]> {
  const shown: CachedPerson[] = []
  for (const person of people) if (person?.library_status === 'ok' && mayShow(person)) shown.push(person)
  await deps.readCache.loadLibraries(shown)
  const found: ReadableLibrary[] = []
  for (const person of shown) {
    const library = person.steam_id === viewer ? person.library : person.libraryForOthers
    if (library) found.push({ person, library })
  }
  return found
}

/** A person's library status as lists of people show it: 'hidden' from viewers who may not see the library. */
export function statusShown(
  row: { library_status: 'ok' | 'private' | null },
  mayShow: boolean,
): LibraryStatus {
  return mayShow ? (row.library_status ?? 'never') : 'hidden'
}

/**
 * The game that a person is playing, as far as others may know it: it would reveal part of a hidden library (VIS-4), or
 * a hidden game (VIS-10). A game of unknown appid could be one of the hidden ones.
 */
export function gamePlayed(
  person: Pick<CachedPerson, 'playing' | 'playing_appid' | 'hidden_appids'>,
  mayShow: boolean,
): Pick<Friend, 'playing' | 'playing_appid'> {
  const { playing, playing_appid, hidden_appids } = person
  const isHidden =
    hidden_appids !== null && (playing_appid === null || hiddenAppids(hidden_appids).includes(playing_appid))
  return mayShow && !isHidden ? { playing, playing_appid } : { playing: null, playing_appid: null }
}
