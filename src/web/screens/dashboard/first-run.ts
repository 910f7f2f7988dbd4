/** The next step of a new user, from an empty dashboard to a filled one (LOOK-31). */
import type { SyncStatus } from '#shared/contract/sync.ts'

/**
 * The next step. `isPrivate`: Steam refuses until the user changes a setting. `isSyncing`: the sync is already
 * running by itself (SYNC-18).
 */
export type FirstStep =
  | { step: 'games' | 'friends'; isPrivate: boolean; isSyncing: boolean }
  /** `areGamesPrivate`: the games step was skipped because Steam refuses (LOOK-11). */
  | { step: 'libraries'; read: number; total: number; areGamesPrivate: boolean }
  | { step: 'group'; areGamesPrivate: boolean }

/**
 * The next step of the first run; undefined if none is left, or while something has not been loaded yet.
 * @param games the number of stored games; friends and groups likewise
 */
export function firstStep({
  status,
  games,
  friends,
  groups,
}: {
  status: SyncStatus | undefined
  games: number | undefined
  friends: number | undefined
  groups: number | undefined
}): FirstStep | undefined {
  if (!status || games === undefined || friends === undefined || groups === undefined) return undefined
  // Games stored before they were made private count as synced. Private games do not block the next steps, because
  // friends and groups are useful without them.
  const areGamesPrivate = games === 0 && status.games.status === 'private'
  if (games === 0 && status.games.status !== 'ok' && !(areGamesPrivate && friends > 0))
    return { step: 'games', isPrivate: areGamesPrivate, isSyncing: isPending(status.games) }
  if (friends === 0 && status.friends.status !== 'ok')
    return {
      step: 'friends',
      isPrivate: status.friends.status === 'private',
      isSyncing: isPending(status.friends),
    }
  // A group needs at least one friend.
  if (groups > 0 || friends === 0) return undefined
  const { read, total, waiting } = status.libraries
  return waiting > 0
    ? { step: 'libraries', read, total, areGamesPrivate }
    : { step: 'group', areGamesPrivate }
}

/** Private data stays marked as private while it is synced again. */
function isPending({ status, reading }: SyncStatus['games']): boolean {
  return status === 'never' && reading
}
