/** Names of people and games: any text at all, never markup, never longer than their place. */
import type { Person } from '#shared/entities.ts'

/** Isolates a name from the direction and the marks of the text around it. */
export function Name({ children, className = '' }: { children: string; className?: string }) {
  return <bdi className={`any-name ${className}`}>{children}</bdi>
}

/** A character that leaves ink: no control, no blank, none that fonts leave out (such as the fillers people are called by). */
const visible = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The name, unless there is nothing of it to see. */
export function visibleName(name: string | null | undefined): string | undefined {
  return name && visible.test(name) ? name : undefined
}

/** What a person is called: the display name, or the steam id where there is none to see (ENT-16). */
export function nameOf(person: Pick<Person, 'display_name' | 'steam_id'>): string {
  return visibleName(person.display_name) ?? person.steam_id
}

/** Friend search: a case-insensitive substring of what the person is called (PAGE-10). */
export function isCalled(person: Pick<Person, 'display_name' | 'steam_id'>, search: string): boolean {
  return nameOf(person).toLowerCase().includes(search.trim().toLowerCase())
}
