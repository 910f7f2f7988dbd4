/** What a new person does next, from an empty dashboard to a filled one (LOOK-1). */
import type { SyncStatus } from '#shared/contract/sync.ts'

/**
 * The step that is next: 'private' where the platform refuses and only the person can change that, 'reading' while it
 * is done for them (SYNC-18).
 */
export type FirstStep =
  | { step: 'games' | 'friends'; isPrivate: boolean; isReading: boolean }
  /** `areGamesPrivate`: the first step was passed over, because the platform refuses (LOOK-30). */
  | { step: 'libraries'; read: number; total: number; areGamesPrivate: boolean }
  | { step: 'group'; areGamesPrivate: boolean }

/**
 * The next step of a first run; undefined when there is none left, or not all is known yet.
 * @param status what has been synced; undefined while that is not known
 * @param games how many games are stored, friends and groups likewise; undefined while that is not known
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
  // What was read before a person made it private is still there: nothing is in the way then.
  // Who keeps games private may go on: friends and groups are of use without them.
  const areGamesPrivate = games === 0 && status.games.status === 'private'
  if (games === 0 && status.games.status !== 'ok' && !(areGamesPrivate && friends > 0))
    return { step: 'games', isPrivate: areGamesPrivate, isReading: isPending(status.games) }
  if (friends === 0 && status.friends.status !== 'ok')
    return {
      step: 'friends',
      isPrivate: status.friends.status === 'private',
      isReading: isPending(status.friends),
    }
  // Without a friend there is nobody to make a group with.
  if (groups > 0 || friends === 0) return undefined
  const { read, total, waiting } = status.libraries
  return waiting > 0
    ? { step: 'libraries', read, total, areGamesPrivate }
    : { step: 'group', areGamesPrivate }
}

/** What is known to be private is named so, also while somebody has it read again. */
function isPending({ status, reading }: SyncStatus['games']): boolean {
  return status === 'never' && reading
}
