/** Names of players and games, which can be any text (PLAT-37), and links to players (LIST-8). */
import { Link, type LinkProps } from 'react-router'
import type { Player } from '#shared/entities.ts'
import { nameOf } from '#shared/names.ts'
import { nightLists as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Sentence } from '../words/sentence.tsx'

export { nameOf, visibleName } from '#shared/names.ts'

/** Names in a sentence; the rest are counted. */
const NAMES = 6

/** Isolates a name from the text direction around it and limits it to its box. */
export function Name({ children, className = '' }: { children: string; className?: string }) {
  return <bdi className={`any-name ${className}`}>{children}</bdi>
}

/** The names of several people, for a sentence. */
export function Names({ people }: { people: readonly Player[] }) {
  const rest = people.length - NAMES
  const names = (
    <>
      {people.slice(0, NAMES).map((person, nth) => (
        <span key={person.steam_id}>
          {nth > 0 && ', '}
          <Name className="inline!">{nameOf(person)}</Name>
        </span>
      ))}
    </>
  )
  return rest > 0 ? <Sentence text={text.more} values={{ names, count: rest }} /> : names
}

/** A link to a person's games. */
export function PersonLink({ steamId, ...rest }: Omit<LinkProps, 'to'> & { steamId: string }) {
  const { steamId: me } = useSignedIn()
  return <Link {...rest} to={steamId === me ? '/my_games' : `/friends/${steamId}/games`} />
}
