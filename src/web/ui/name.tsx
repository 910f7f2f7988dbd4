/** Names of players and games, which can be any text (PLAT-37), and links to players (LIST-8). */
import { Link, type LinkProps } from 'react-router'
import { useSignedIn } from '../session.ts'

/** Names of people and games, which can be any text (PLAT-37). */
export { nameOf, visibleName } from '#shared/names.ts'

/** Isolates a name from the text direction around it and limits it to its box. */
export function Name({ children, className = '' }: { children: string; className?: string }) {
  return <bdi className={`any-name ${className}`}>{children}</bdi>
}

/** A link to a person's games. */
export function PersonLink({ steamId, ...rest }: Omit<LinkProps, 'to'> & { steamId: string }) {
  const { steamId: me } = useSignedIn()
  return <Link {...rest} to={steamId === me ? '/my_games' : `/friends/${steamId}/games`} />
}
