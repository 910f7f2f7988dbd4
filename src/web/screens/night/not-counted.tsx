/** Those who are in and whose games are not known, with the way out (NIGHT-83). */
import { Link } from 'react-router'
import type { SteamId } from '#shared/entities.ts'
import type { NightPlayer } from '#shared/nights/entities.ts'
import type { Night } from '../../data/nights.ts'
import { nights, library as libraryTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Fold } from '../../ui/fold.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { PrivateHelp } from '../../ui/private-help.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const text = nights.notCounted
const reasons = ['never', 'private', 'hidden', 'notIn'] as const
type Reason = (typeof reasons)[number]
const link =
  'inline-flex min-h-11 items-center justify-self-start font-semibold text-mint underline-offset-4 hover:underline'

/** Nothing when every library is known. */
export function NotCounted({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const people = night.people.filter(({ steam_id }) => night.unknown.includes(steam_id))
  if (people.length === 0) return null
  return (
    <Fold
      isSmall
      title={
        <span className="line-clamp-1 text-amber">
          <Sentence
            text={text.more}
            values={{ name: <Name>{nameOf(people[0]!)}</Name>, rest: people.length - 1 }}
          />
        </span>
      }
    >
      {reasons.map((reason) => (
        <Reasoned
          key={reason}
          reason={reason}
          people={people.filter((person) => reasonOf(person, me) === reason)}
        />
      ))}
    </Fold>
  )
}

/**
 * Of whoever has not said 'in', only friends and members see games. A library that I may see, but that is not counted, is
 * hidden from others of the night.
 */
function reasonOf({ steam_id, answer, library_status }: NightPlayer, me: SteamId): Reason {
  if (library_status !== 'ok' && library_status !== 'hidden') return library_status
  return answer === 'in' || steam_id === me ? 'hidden' : 'notIn'
}

function Reasoned({ reason, people }: { reason: Reason; people: Night['people'] }) {
  const { steamId: me } = useSignedIn()
  if (people.length === 0) return null
  const isMe = people.some(({ steam_id }) => steam_id === me)
  return (
    <div className="grid text-sm">
      <ul className="font-medium">
        {people.map((person) => (
          <li key={person.steam_id}>
            {person.steam_id === me && reason !== 'notIn' ? (
              libraryTexts.mine[reason]
            ) : (
              <OfOther person={person} reason={reason} />
            )}
          </li>
        ))}
      </ul>
      <p className="text-soft">{text.remedy[reason]}</p>
      {reason === 'private' ? (
        <PrivateHelp people={people} />
      ) : (
        isMe && reason !== 'notIn' && <WayOut reason={reason} />
      )}
    </div>
  )
}

function OfOther({ person, reason }: { person: NightPlayer; reason: Reason }) {
  const sentence = reason === 'notIn' ? text.notIn : libraryTexts.theirs[reason]
  return <Sentence text={sentence} values={{ name: <Name>{nameOf(person)}</Name> }} />
}

function WayOut({ reason }: { reason: 'never' | 'hidden' }) {
  return (
    <Link to={reason === 'never' ? '/my_games' : '/account'} className={link}>
      {reason === 'never' ? text.toMyGames : text.toAccount}
    </Link>
  )
}
