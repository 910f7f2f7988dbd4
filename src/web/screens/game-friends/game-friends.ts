/** Logic of the screen Friends Who Play. */
import type { Friend, FriendWithGame, LibraryStatus } from '#shared/entities.ts'
import { compareNames, matcherOf, nameOf } from '#shared/names.ts'
import { canBeChosen, presenceRank } from '../../ui/people/people.ts'
import { anyText, oneOf, type Params } from '../../ui/query-string.ts'

type Unknown = Exclude<LibraryStatus, 'ok'>
const reasonsInOrder: readonly Unknown[] = ['private', 'never', 'hidden']

/** Friends whose libraries are not known, without former ones: the total, and the number for each reason that occurs. */
export function unknownLibraries(friends: readonly Friend[]): {
  total: number
  reasons: [Unknown, number][]
} {
  const reasons = reasonsInOrder
    .map((reason): [Unknown, number] => [
      reason,
      friends.filter((friend) => canBeChosen(friend) && friend.library_status === reason).length,
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

type OwnerView = { search: string; sort: 'hours' | 'presence' | 'name' }

/** The names of the filters in the query string. */
export const ownerParams: Params<OwnerView> = {
  search: anyText,
  sort: oneOf(['hours', 'presence', 'name']),
}

/**
 * The friends that match a search (PAGE-10), parted into those who have played the game and those who own it and never
 * did (PLAY-6).
 * @param owners most played first
 * @param friends the stored friends, who know the presence
 */
export function ownersShown(
  owners: readonly FriendWithGame[],
  { search, sort }: OwnerView,
  friends: ReadonlyMap<string, Friend>,
): { plays: FriendWithGame[]; owns: FriendWithGame[] } {
  const presence = ({ steam_id }: FriendWithGame) => {
    const friend = friends.get(steam_id)
    return friend ? presenceRank(friend) : Infinity
  }
  const matches = matcherOf(search)
  const shown = owners.filter((owner) => matches(nameOf(owner)))
  if (sort === 'name') shown.sort((a, b) => compareNames(nameOf(a), nameOf(b)))
  if (sort === 'presence')
    shown.sort((a, b) => (presence(a) < presence(b) ? -1 : Number(presence(a) > presence(b))))
  return {
    plays: shown.filter((owner) => owner.playtime_minutes > 0),
    owns: shown.filter((owner) => owner.playtime_minutes === 0),
  }
}
