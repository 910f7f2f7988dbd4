/** Libraries of several people as one viewer may use them. */
import type { LibraryStatus, SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import type { Library } from '../library/library.ts'
import { visibleLibraries } from './access.ts'

/**
 * Known, readable and visible libraries by their owners' ids, in the order of `owners` (CONTRACT.md 'Unknown
 * libraries'): a library that is private now is not part of any answer, whatever was stored before.
 */
export async function readVisibleLibraries(
  deps: Pick<Deps, 'database' | 'recall'>,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<Map<SteamId, Library>> {
  const visible = await visibleLibraries(deps, viewer, owners)
  const people = await deps.recall.people(owners)
  return deps.recall.libraries(
    [...people.values()].filter((person) => person.library_status === 'ok' && visible.has(person.steam_id)),
  )
}

/** Why somebody's library is not known, as a list of people tells it. */
export function statusShown(row: {
  library_visibility: 'connected' | 'groups' | 'nobody'
  library_status: 'ok' | 'private' | null
}): LibraryStatus {
  return row.library_visibility === 'nobody' ? 'hidden' : (row.library_status ?? 'never')
}
