/** What the screen of friends who play a game works out by itself. */
import type { Friend, LibraryStatus } from '#shared/entities.ts'

type Unknown = Exclude<LibraryStatus, 'ok'>
const reasonsInOrder: readonly Unknown[] = ['private', 'never', 'hidden']

/** Friends whose libraries are not known: how many in all, and how many for each reason that occurs. */
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
 * The navigation state of ROUTE-10, myPlaytime (minutes) and gameName. A browser keeps it with its history, also over
 * versions of this page, so it is looked at before it is believed.
 */
export function carriedState(state: unknown): { myPlaytime?: number; gameName?: string } {
  const { myPlaytime, gameName } = (state ?? {}) as Record<string, unknown>
  return {
    ...(typeof myPlaytime === 'number' && myPlaytime >= 0 && { myPlaytime }),
    ...(typeof gameName === 'string' && gameName !== '' && { gameName }),
  }
}
