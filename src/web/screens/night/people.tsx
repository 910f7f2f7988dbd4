/**
 * The people of a night by answer, with presence, words and who has voted, and whom nobody has told yet (NIGHT-81);
 * asking more (NIGHT-111), and who is not counted (NIGHT-83).
 */
import { Check, ChevronDown, UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import type { NightPlayer } from '#shared/nights/entities.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import type { Night } from '../../data/nights.ts'
import { nightDates, nights, library as libraryTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Avatar, presenceOf, presenceText } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { isPast } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { anchors, isAhead, type PeoplePart, peopleParts } from './night-view.ts'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'
import { Link } from 'react-router'
import type { SteamId } from '#shared/entities.ts'
import { Fold } from '../../ui/frames/fold.tsx'
import { PrivateHelp } from '../../ui/people/private-help.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'

const text = nights.people
const parts = ['in', 'maybe', 'out', 'none'] as const
const datingParts = ['none', 'out'] as const
/** While its date is being found, nobody has an answer to the night but 'out'. */
const partName = (part: PeoplePart, { status }: Pick<Night, 'status'>) =>
  part === 'none' && status === 'dating' ? nightDates.asked : text.parts[part]
/** People of a part that are shown until all are asked for. */
const SHOWN: Record<PeoplePart, number> = { in: 12, maybe: 8, out: 4, none: 8 }
const dots: Record<PeoplePart, string> = {
  in: 'bg-mint',
  maybe: 'bg-amber',
  out: 'bg-rose',
  none: 'border-2 border-edge',
}

export function People({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const byAnswer = peopleParts(night, me)
  const [isUnfolded, unfold] = useState(false)
  const list = useId()
  const now = useNow()
  const isOver = isPast(night, now)
  const isAway = night.people.some(({ reach }) => reach === 'away')

  return (
    <Card
      id={anchors.people}
      title={night.status === 'dating' ? nightDates.people : text.title}
      className="max-xl:gap-2! max-xl:px-3! max-xl:py-1.5! max-xl:[&>header]:sr-only"
    >
      <div className="flex min-h-11 items-center justify-between gap-3 xl:hidden">
        {/* Two lines have room, so that nothing below moves when somebody answers. */}
        <p className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-xs leading-5 font-semibold tabular-nums sm:text-sm">
          {(night.status === 'dating' ? datingParts : parts).map((part) => (
            <span key={part} className="inline-flex items-center gap-1.5">
              <span aria-hidden className={`forced-color-adjust-none size-2.5 rounded-round ${dots[part]}`} />
              {partName(part, night)} {byAnswer[part].length}
            </span>
          ))}
        </p>
        <Button
          variant="quiet"
          className="shrink-0 px-2!"
          icon={<ChevronDown aria-hidden className={`transition ${isUnfolded ? 'rotate-180' : ''}`} />}
          aria-expanded={isUnfolded}
          aria-controls={list}
          onClick={() => unfold(!isUnfolded)}
        >
          {text.everyone}
        </Button>
      </div>
      {/* Folded on small screens, where the games follow: it would move whenever someone answers (NIGHT-84). */}
      <div id={list} className={`grid gap-3 ${isUnfolded ? '' : 'max-xl:hidden'}`}>
        {parts.map((part) => (
          <Part
            key={part}
            part={part}
            name={partName(part, night)}
            people={byAnswer[part]}
            hostId={night.host_steam_id}
            showsVotes={night.status === 'open' && part === 'in'}
            isLater={isAhead(night, now)}
          />
        ))}
        {isAway && (
          <InviteByLink
            target={{ kind: 'night', id: night.night_id }}
            night={night}
            label={text.copyMessage}
            variant="quiet"
          />
        )}
        {!isOver && night.status !== 'dating' && <NotCounted night={night} />}
        {!isOver && night.my.leads && night.group === null && <AskPeople night={night} />}
      </div>
    </Card>
  )
}

/** Nothing where nobody gave this answer. */
function Part({
  part,
  name,
  people,
  hostId,
  showsVotes,
  isLater,
}: {
  part: PeoplePart
  name: string
  people: readonly NightPlayer[]
  hostId: string | null
  showsVotes: boolean
  isLater: boolean
}) {
  const [isAllShown, showAll] = useState(false)
  if (people.length === 0) return null
  // One more row takes no more room than the button.
  const shown = isAllShown || people.length <= SHOWN[part] + 1 ? people : people.slice(0, SHOWN[part])
  return (
    <section aria-label={name} className="grid min-w-0 gap-1">
      <h3 className="flex items-center gap-2 text-sm font-semibold">
        <span aria-hidden className={`forced-color-adjust-none size-2.5 rounded-round ${dots[part]}`} />
        {name} <span className="font-normal text-soft tabular-nums">{people.length}</span>
      </h3>
      <ul aria-label={name} className="grid gap-1">
        {shown.map((person) => (
          <Row
            key={person.steam_id}
            person={person}
            isHost={person.steam_id === hostId}
            showsVote={showsVotes}
            isLater={isLater}
          />
        ))}
      </ul>
      {(shown.length < people.length || isAllShown) && (
        <Button variant="quiet" className="justify-self-start px-2!" onClick={() => showAll(!isAllShown)}>
          {isAllShown ? text.fewer : text.showAll({ count: people.length })}
        </Button>
      )}
    </section>
  )
}

function Row({
  person,
  isHost,
  showsVote,
  isLater,
}: {
  person: NightPlayer
  isHost: boolean
  showsVote: boolean
  isLater: boolean
}) {
  const { steamId: me } = useSignedIn()
  const isMe = person.steam_id === me
  const presence = isLater ? undefined : presenceOf(person)
  return (
    <li className="flex min-h-11 min-w-0 items-center gap-3">
      <Avatar src={person.avatar_url} size="small" presence={presence} />
      <span className="grid min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2 text-sm">
          <Name className="line-clamp-1 min-w-0 font-semibold">{nameOf(person)}</Name>
          {isMe && <span className="shrink-0 text-xs text-soft">{nights.you}</span>}
          {isHost && <span className="shrink-0 text-xs text-violet">{text.host}</span>}
        </span>
        {person.word !== null && (
          <Name className="line-clamp-3 text-sm text-soft">{nights.quoted({ words: person.word })}</Name>
        )}
        {presence === 'playing' ? (
          <Name className="line-clamp-1 text-xs text-violet">{presenceText(person)}</Name>
        ) : (
          presence && <span className="sr-only">, {presenceText(person)}</span>
        )}
        {person.reach !== null && (
          <span className={`text-xs ${person.reach === 'away' ? 'text-amber' : 'text-soft'}`}>
            {text.reach[person.reach]}
          </span>
        )}
      </span>
      {showsVote && person.voted && (
        <span className="shrink-0 text-mint" title={text.voted}>
          <Check aria-hidden className="size-5" strokeWidth={3} />
          <span className="sr-only">, {text.voted}</span>
        </span>
      )}
    </li>
  )
}

const load = async () => (await import('./ask-people-dialog.tsx')).AskPeopleDialog

function AskPeople({ night }: { night: Night }) {
  const { open, dialog } = useLazyDialog(load, { night })
  return (
    <>
      <Button
        className="justify-self-start"
        icon={<UserPlus aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {text.ask}
      </Button>
      {dialog}
    </>
  )
}

const uncounted = nights.notCounted
const reasons = ['never', 'private', 'hidden', 'notIn'] as const
type Reason = (typeof reasons)[number]
const link =
  'inline-flex min-h-11 items-center justify-self-start font-semibold text-mint underline-offset-4 hover:underline'

/** Nothing when every library is known. */
function NotCounted({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const people = night.people.filter(({ steam_id }) => night.unknown.includes(steam_id))
  if (people.length === 0) return null
  return (
    <Fold
      isSmall
      title={
        <span className="line-clamp-1 text-amber">
          <Sentence
            text={uncounted.more}
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
 * Before somebody is in, only friends and members see their games. A visible library that is not counted is hidden from
 * others in the night.
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
      <p className="text-soft">{uncounted.remedy[reason]}</p>
      {reason === 'private' ? (
        <PrivateHelp people={people} />
      ) : (
        isMe && reason !== 'notIn' && <WayOut reason={reason} />
      )}
    </div>
  )
}

function OfOther({ person, reason }: { person: NightPlayer; reason: Reason }) {
  const sentence = reason === 'notIn' ? uncounted.notIn : libraryTexts.theirs[reason]
  return <Sentence text={sentence} values={{ name: <Name>{nameOf(person)}</Name> }} />
}

function WayOut({ reason }: { reason: 'never' | 'hidden' }) {
  return (
    <Link to={reason === 'never' ? '/my_games' : '/account'} className={link}>
      {reason === 'never' ? uncounted.toMyGames : uncounted.toAccount}
    </Link>
  )
}
