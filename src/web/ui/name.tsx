/** Names of people and games, which can be any text (PLAT-37). */
import type { Player } from '#shared/entities.ts'

/** Isolates a name from the text direction around it and limits it to its box. */
export function Name({ children, className = '' }: { children: string; className?: string }) {
  return <bdi className={`any-name ${className}`}>{children}</bdi>
}

/** A visible character: no control character, space or default-ignorable character such as the Hangul filler. */
const visible = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The name, or undefined if it has no visible character. */
export function visibleName(name: string | null | undefined): string | undefined {
  return name && visible.test(name) ? name : undefined
}

/** The display name, or the steam id if there is no visible one (ENT-16). */
export function nameOf(person: Pick<Player, 'display_name' | 'steam_id'>): string {
  return visibleName(person.display_name) ?? person.steam_id
}

/** Whether a search matches a person: a case-insensitive substring of {@link nameOf} (PAGE-10). */
export function matchesName(person: Pick<Player, 'display_name' | 'steam_id'>, search: string): boolean {
  return nameOf(person).toLowerCase().includes(search.trim().toLowerCase())
}
