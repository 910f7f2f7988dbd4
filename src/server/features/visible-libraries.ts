/** Libraries of several people as one viewer may use them: decoded, and for the rest why not. */
import type { LibraryStatus, SteamId } from '#shared/entities.ts'
import type { Library } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import { readLibraries } from '../storage/libraries.ts'
import type { Queries, Tx } from '../storage/schema.ts'
import { visibleLibraries } from './access.ts'

/**
 * Known, readable and visible libraries by their owners' ids, and every owner's status (CONTRACT.md 'Unknown
 * libraries'): a library that is private now is not part of any answer, whatever was stored before.
 */
export async function readVisibleLibraries(
  db: Queries | Tx,
  viewer: SteamId,
  owners: readonly SteamId[],
): Promise<{ libraries: Map<SteamId, Library>; statuses: Map<SteamId, LibraryStatus> }> {
  const visible = await visibleLibraries(db, viewer, owners)
  const rows = await readLibraries(db, owners)
  const libraries = new Map<SteamId, Library>()
  const statuses = new Map<SteamId, LibraryStatus>()
  for (const id of owners) {
    const row = rows.get(id)
    const status = visible.has(id) ? (row?.status ?? 'never') : 'hidden'
    statuses.set(id, status)
    if (status === 'ok' && row?.packed) libraries.set(id, unpackLibrary(row.packed))
  }
  return { libraries, statuses }
}

/** Why somebody's library is not known, as a list of people tells it. */
export function statusShown(row: {
  library_visibility: 'connected' | 'groups' | 'nobody'
  library_status: 'ok' | 'private' | null
}): LibraryStatus {
  return row.library_visibility === 'nobody' ? 'hidden' : (row.library_status ?? 'never')
}
