/** Why a group's number of common games may be another one for others (GPAGE-19). */
import type { countedOf } from '../data/common-games.ts'
import { messages } from '../messages.ts'
import { nameOf } from './name.tsx'

/** Empty where everybody sees the same. */
export function whyOthersDiffer({ without, onlyMine }: ReturnType<typeof countedOf>): string {
  const [first, ...rest] = without.length > 0 ? without : onlyMine
  if (!first) return ''
  const names = rest.length > 0 ? `${nameOf(first)} +${rest.length}` : nameOf(first)
  return messages.group[without.length > 0 ? 'without' : 'onlyMine']({ names })
}
