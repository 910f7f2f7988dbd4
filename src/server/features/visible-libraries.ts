/** Libraries of several people as one viewer may use them. */
import type { LibraryStatus, SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import type { Playtimes } from '../library/library.ts'
import type { CachedPerson } from '../cache/people-cache.ts'
import { visibility } from './access.ts'

/** Somebody whose library may be used. */
export type ReadableLibrary = { person: CachedPerson; library: Playtimes }

/**
 * Those of `owners` whose libraries are known, readable and visible, in their order (API-28): a library that
 * is private now is not part of any answer, whatever was stored before.
 */
export async function readVisibleLibraries(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<ReadableLibrary[]> {
  return visibleLibrariesOf(deps, viewer, await deps.readCache.people(owners))
}

/** As {@link readVisibleLibraries} for people who were read already. */
export async function visibleLibrariesOf(
  deps: Pick<Deps, 'database' | 'readCache'>,
  viewer: SteamId,
  people: readonly (CachedPerson | undefined)[],
): Promise<ReadableLibrary[]> {
  const mayShow = await visibility(deps, viewer, people)
  const shown: CachedPerson[] = []
  for (const person of people) if (person?.library_status === 'ok' && mayShow(person)) shown.push(person)
  await deps.readCache.loadLibraries(shown)
  const found: ReadableLibrary[] = []
  for (const person of shown) if (person.library) found.push({ person, library: person.library })
  return found
}

/** Why somebody's library is not known, as a list of people tells those who may or may not see it. */
export function statusShown(
  row: { library_status: 'ok' | 'private' | null },
  mayShow: boolean,
): LibraryStatus {
  return mayShow ? (row.library_status ?? 'never') : 'hidden'
}
