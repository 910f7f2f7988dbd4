/** Why a group's number of common games may be another one for others (GPAGE-19). */
import type { GroupMember } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { nameOf } from './name.tsx'

/**
 * Empty where everybody sees the same.
 * @param without members whom others count, and the user does not
 * @param onlyMine members whom the user counts, and others do not
 */
export function whyOthersDiffer({
  without,
  onlyMine,
}: Record<'without' | 'onlyMine', GroupMember[]>): string {
  const [first, ...rest] = without.length > 0 ? without : onlyMine
  if (!first) return ''
  const names = rest.length > 0 ? `${nameOf(first)} +${rest.length}` : nameOf(first)
  return messages.group[without.length > 0 ? 'without' : 'onlyMine']({ names })
}
