/** The sorts of a group's common games. */
import type { SharedGame } from '#shared/entities.ts'
import { groupSorts, group as groupTexts } from '../../more-messages.ts'
import type { Sorts } from '../../ui/game-shelf.tsx'
import { byName } from '../../ui/game-view.ts'

const text = groupTexts.sorts

/** The response is sorted by total hours, largest first. */
export const sorts: Sorts<SharedGame, keyof typeof text | 'least'> = {
  hours: { text: text.hours, order: undefined },
  even: { text: text.even, order: (a, b) => players(b) - players(a) },
  alphabetical: { text: text.alphabetical, order: byName },
  least: { text: groupSorts.least, order: (a, b) => a.total_playtime - b.total_playtime },
}

/** The number of members who have played a game. */
export function players({ playtimes }: SharedGame): number {
  return Object.values(playtimes).filter((minutes) => minutes > 0).length
}
