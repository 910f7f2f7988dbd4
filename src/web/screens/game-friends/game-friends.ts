/** Logic of the screen Friends Who Play. */
import type { Friend, LibraryStatus } from '#shared/entities.ts'

type Unknown = Exclude<LibraryStatus, 'ok'>
const reasonsInOrder: readonly Unknown[] = ['private', 'never', 'hidden']

/** Friends whose libraries are not known: the total, and the number for each reason that occurs. */
export function unknownLibraries(friends: readonly Friend[]): {
  total: number
  reasons: [Unknown, number][]
} {
  const reasons = reasonsInOrder
    .map((reason): [Unknown, number] => [
      reason,
      friends.filter((friend) => friend.library_status === reason).length,
    ])
    .filter(([, count]) => count > 0)
  return { total: reasons.reduce((sum, [, count]) => sum + count, 0), reasons }
}

/**
 * Reads the navigation state of ROUTE-10, myPlaytime (minutes) and gameName. Validated, because browsers keep it in the
 * history across versions of this page.
 */
export function readNavigationState(state: unknown): { myPlaytime?: number; gameName?: string } {
  const { myPlaytime, gameName } = (state ?? {}) as Record<string, unknown>
  return {
    ...(typeof myPlaytime === 'number' && myPlaytime >= 0 && { myPlaytime }),
    ...(typeof gameName === 'string' && gameName !== '' && { gameName }),
  }
}
