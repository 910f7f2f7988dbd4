/** The people of a night by answer, with presence, words and who has voted (NIGHT-81). */
import { Check, ChevronDown, UserMinus } from 'lucide-react'
import { useId, useState } from 'react'
import type { NightPlayer } from '#shared/nights/entities.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useRemoveFromNight } from '../../data/nights.ts'
import { nightDates, nights, group as groupTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Avatar, presenceOf, presenceText } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { isPast } from '../../ui/night-time.ts'
import { PersonLink } from '../../ui/person-link.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { anchors } from './anchors.ts'
import { AskPeople } from './ask-people.tsx'
import { isAhead, type PeoplePart, peopleParts } from './night-view.ts'
import { NotCounted } from './not-counted.tsx'

const text = nights.people
const parts = ['in', 'maybe', 'out', 'none'] as const
const datingParts = ['none', 'out'] as const
/** While its date is being found, nobody has an answer to the night but 'out'. */
const partName = (part: PeoplePart, { status }: Pick<Night, 'status'>) =>
  part === 'none' && status === 'dating' ? nightDates.asked : text.parts[part]
/** People of a part that are shown until all are asked for. */
const SHOWN: Record<PeoplePart, number> = { in: 12, maybe: 8, out: 4, none: 4 }
const dots: Record<PeoplePart, string> = {
  in: 'bg-mint',
  maybe: 'bg-amber',
  out: 'bg-rose',
  none: 'border-2 border-edge',
}

export function People({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const byAnswer = peopleParts(night, me)
  const removal = useRemoveFromNight(night.night_id)
  const action = useCallAction()
  const [removing, setRemoving] = useState<NightPlayer>()
  const [isUnfolded, unfold] = useState(false)
  const list = useId()
  const isOpen = night.status === 'open'
  const now = useNow()
  const isOver = isPast(night, now)
  const isLater = isAhead(night, now)
  const leads = !isOver && night.my.leads

  return (
    <Card
      id={anchors.people}
      title={night.status === 'dating' ? nightDates.people : text.title}
      className="max-xl:gap-2! max-xl:px-3! max-xl:py-1.5! max-xl:[&>header]:sr-only"
    >
      <Summary
        night={night}
        byAnswer={byAnswer}
        isLater={isLater}
        isUnfolded={isUnfolded}
        listId={list}
        onToggle={() => unfold(!isUnfolded)}
      />
      {/* Folded on small screens, where the shortlist follows: it would move whenever someone answers (NIGHT-84). */}
      <div id={list} className={`grid gap-4 ${isUnfolded ? '' : 'max-xl:hidden'}`}>
        {!isOver && night.status !== 'dating' && <NotCounted night={night} />}
        {parts.map((part) => (
          <Part
            key={part}
            part={part}
            name={partName(part, night)}
            people={byAnswer[part]}
            hostId={night.host_steam_id}
            showsVotes={isOpen && part === 'in'}
            isLater={isLater}
            onRemove={leads ? setRemoving : undefined}
          />
        ))}
        {leads && night.group === null && <AskPeople night={night} />}
      </div>
      <OutcomeNotice outcome={action.outcome} />
      <ConfirmDialog
        open={removing !== undefined}
        title={text.removeTitle}
        confirmLabel={groupTexts.remove}
        onConfirm={() =>
          removing &&
          action.run(() => removal.mutateAsync(removing.steam_id), { failed: text.removeFailed })()
        }
        onClose={() => setRemoving(undefined)}
      >
        <p>
          {removing && (
            <Sentence
              text={text.removeConsequence}
              values={{ name: <Name className="font-semibold text-ink">{nameOf(removing)}</Name> }}
            />
          )}
        </p>
      </ConfirmDialog>
    </Card>
  )
}

const AVATARS = 7

/** On small screens: numbers by answer, where there is room who is in with a tick for each vote, and the button that shows all. */
function Summary({
  night,
  byAnswer,
  isLater,
  isUnfolded,
  listId,
  onToggle,
}: {
  night: Night
  byAnswer: Record<PeoplePart, NightPlayer[]>
  isLater: boolean
  isUnfolded: boolean
  listId: string
  onToggle: () => void
}) {
  const rest = byAnswer.in.length - AVATARS
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 xl:hidden">
      {/* Two lines have room, so that nothing below moves when somebody answers. */}
      <p className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-xs leading-5 font-semibold tabular-nums sm:text-sm">
        {(night.status === 'dating' ? datingParts : parts).map((part) => (
          <span key={part} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`forced-color-adjust-none size-2.5 rounded-round ${dots[part]}`} />
            {partName(part, night)} {byAnswer[part].length}
          </span>
        ))}
        {night.unknown.length > 0 && night.status === 'open' && <NotCountedNames night={night} />}
      </p>
      <div className="flex shrink-0 items-center gap-3">
        <span aria-hidden className="flex items-center pl-0.5 max-lg:hidden">
          {byAnswer.in.slice(0, AVATARS).map((person) => (
            <span key={person.steam_id} className="relative -mr-1.5">
              <Avatar
                src={person.avatar_url}
                size="small"
                presence={isLater ? undefined : presenceOf(person)}
              />
              {person.voted && (
                <span className="absolute -right-1 -bottom-1 z-10 grid size-4.5 place-items-center rounded-round bg-mint text-ground">
                  <Check className="size-3" strokeWidth={4} />
                </span>
              )}
            </span>
          ))}
          {rest > 0 && <span className="ml-4 text-sm font-semibold tabular-nums">+{rest}</span>}
        </span>
        <Button
          variant="quiet"
          className="shrink-0 px-2!"
          icon={<ChevronDown aria-hidden className={`transition ${isUnfolded ? 'rotate-180' : ''}`} />}
          aria-expanded={isUnfolded}
          aria-controls={listId}
          onClick={onToggle}
        >
          {text.everyone}
        </Button>
      </div>
    </div>
  )
}

function NotCountedNames({ night: { people, unknown } }: { night: Night }) {
  const first = people.find(({ steam_id }) => unknown.includes(steam_id))
  if (!first) return null
  return (
    // The words around the name keep their width.
    <span className="inline-flex max-w-full min-w-0 gap-1 whitespace-nowrap text-amber">
      <Sentence
        text={nights.notCounted.more}
        values={{
          name: <Name className="line-clamp-1 min-w-0 wrap-anywhere whitespace-normal">{nameOf(first)}</Name>,
          rest: unknown.length - 1,
        }}
      />
    </span>
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
  onRemove,
}: {
  part: PeoplePart
  name: string
  people: readonly NightPlayer[]
  hostId: string | null
  showsVotes: boolean
  isLater: boolean
  onRemove: ((person: NightPlayer) => void) | undefined
}) {
  const [isAllShown, showAll] = useState(false)
  const { steamId: me } = useSignedIn()
  if (people.length === 0) return null
  // One more row takes no more room than the button.
  const shown = isAllShown || people.length <= SHOWN[part] + 1 ? people : people.slice(0, SHOWN[part])
  return (
    <section aria-label={name} className="grid min-w-0 gap-1.5">
      <h3 className="flex items-center gap-2 text-sm font-semibold">
        <span aria-hidden className={`forced-color-adjust-none size-2.5 rounded-round ${dots[part]}`} />
        {name} <span className="font-normal text-soft tabular-nums">{people.length}</span>
      </h3>
      <ul aria-label={name} className="-mx-2 grid">
        {shown.map((person) => (
          <li key={person.steam_id} className="flex min-w-0 items-center">
            <Row
              person={person}
              isHost={person.steam_id === hostId}
              showsVote={showsVotes}
              isLater={isLater}
            />
            {onRemove && person.steam_id !== me && (
              <IconButton label={text.remove({ name: nameOf(person) })} onClick={() => onRemove(person)}>
                <UserMinus aria-hidden />
              </IconButton>
            )}
          </li>
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
    <PersonLink
      steamId={person.steam_id}
      className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-1.5 transition hover:bg-raised/70"
    >
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
      </span>
      {showsVote && person.voted && (
        <span className="shrink-0 text-mint" title={text.voted}>
          <Check aria-hidden className="size-5" strokeWidth={3} />
          <span className="sr-only">, {text.voted}</span>
        </span>
      )}
    </PersonLink>
  )
}
