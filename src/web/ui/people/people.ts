/** The order and the search of people where one or several are chosen (PAGE-20), and whom lists count (GPAGE-19). */
import type { Friend, GroupMember } from '#shared/entities.ts'
import { comparable, compareNames, matcherOf, nameOf, visibleName } from '#shared/names.ts'
import { group } from 'virtual:texts'

/** Nothing visible before it, and a letter or a digit. */
const startsWithLetter = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*[\p{L}\p{N}]/u

/** In game, then online or looking for company, then busy, away or snoozing, then offline (PLAT-27). */
export function presenceRank({ personastate, playing }: Friend): number {
  if (playing !== null) return 0
  if (personastate <= 0) return 3
  return personastate >= 2 && personastate <= 4 ? 2 : 1
}

/** The order of lists of friends (FRI-7, DASH-5): by presence, and within equals as given. */
export function inOrderOfPresence(friends: readonly Friend[]): Friend[] {
  return friends.toSorted((a, b) => presenceRank(a) - presenceRank(b))
}

/** Whether a friend can be chosen for anything: not those who are on my list alone (PERM-20). */
export const canBeChosen = ({ connected }: Friend) => connected !== false

/**
 * Whoever can be chosen, and is likely to be, comes first (PAGE-20): by presence, then by name. Names that begin with
 * punctuation, a symbol or an emoji come after the others of the same presence, and people without a name last.
 */
export function inPickingOrder(friends: readonly Friend[]): Friend[] {
  return friends
    .filter(canBeChosen)
    .map((friend) => ({
      friend,
      name: nameOf(friend),
      presence: presenceRank(friend),
      odd: nameRank(friend),
    }))
    .sort((a, b) => a.presence - b.presence || a.odd - b.odd || compareNames(a.name, b.name))
    .map(({ friend }) => friend)
}

function nameRank(friend: Friend): number {
  const name = visibleName(friend.display_name)
  if (name === undefined) return 2
  return startsWithLetter.test(name) ? 0 : 1
}

/** The people who match a search (PAGE-10): names that begin with it before names that contain it (PAGE-20). */
export function peopleMatching(people: readonly Friend[], search: string): readonly Friend[] {
  if (search.trim() === '') return people
  const matches = matcherOf(search)
  const matching = people.filter((person) => matches(nameOf(person)))
  const wanted = comparable(search)
  const begins = (person: Friend) =>
    comparable(nameOf(person)).some((form) => wanted.some((part) => form.startsWith(part)))
  return [...matching.filter(begins), ...matching.filter((person) => !begins(person))]
}

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
  return (without.length > 0 ? group.without : group.onlyMine)({ names })
}
