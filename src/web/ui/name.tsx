/** Names of people and games, which can be any text (PLAT-37). */
export { nameOf, visibleName } from '#shared/names.ts'

/** Isolates a name from the text direction around it and limits it to its box. */
export function Name({ children, className = '' }: { children: string; className?: string }) {
  return <bdi className={`any-name ${className}`}>{children}</bdi>
}
