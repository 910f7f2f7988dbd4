/** Links to people: to their games, and for the user to their own (LIST-8). */
import { Link, type LinkProps } from 'react-router'
import { useSignedIn } from '../session.ts'

/** A link to a person's games. */
export function PersonLink({ steamId, ...rest }: Omit<LinkProps, 'to'> & { steamId: string }) {
  const { steamId: me } = useSignedIn()
  return <Link {...rest} to={steamId === me ? '/my_games' : `/friends/${steamId}/games`} />
}
