/** The dialog in which a game night is started (NIGHT-92, NIGHT-93, NIGHT-1). */
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import type { Friend, SteamId } from '#shared/entities.ts'
import { NIGHT_PLAYERS_MAX, NIGHT_TITLE_MAX } from '#shared/limits.ts'
import type { Repeat } from '#shared/nights/repeats.ts'
import { serverNow } from '../../clock.ts'
import { failedOutcome } from '../call-action.ts'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries, groupsToAnswer } from '../../data/groups.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { hereZone } from '../../format.ts'
import { useStartNight } from '../../data/nights.ts'
import { nightTime, nightDates, nightSeries, nightStart as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { isTooLong } from '../../ui/forms/required-text.ts'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { Select, TextField } from '../../ui/forms/field.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { repeatText } from '../../ui/words/night-series.ts'
import { localTime, zoneHint } from '../../ui/words/night-time.ts'
import { PeoplePicker } from '../../ui/people/people-picker.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { Toggle } from '../../ui/forms/toggle.tsx'
import { type Proposal, proposalBody, ProposedTimes } from './proposed-times.tsx'
import { partsOf } from '../nights/night-lists.ts'
import { mayStartAt, proposedTime } from './start-time.ts'
import type { StartAs, StartWith } from './start-with.ts'

export function StartNightDialog({
  startWith,
  startAs,
  open,
  onClose,
}: DialogState & { startWith: StartWith; startAs?: StartAs }) {
  return (
    <Dialog open={open} title={text.title} onClose={onClose}>
      <StartForm startWith={startWith} startAs={startAs} />
    </Dialog>
  )
}

const MOST_FRIENDS = NIGHT_PLAYERS_MAX - 1

/** What a choice opens may be below the window, or behind the buttons at its foot. */
const bringIntoView = (opened: HTMLElement | null) => opened?.scrollIntoView({ block: 'nearest' })

function StartForm({ startWith, startAs }: { startWith: StartWith; startAs: StartAs | undefined }) {
  const starting = useStartNight()
  const action = useAsyncAction()
  const navigate = useNavigate()
  const [now] = useState(() => serverNow())
  const who = useWho(startWith, now)
  const [when, setWhen] = useState<keyof typeof text.whens>(startAs ? 'planned' : 'now')
  const isPlanned = when === 'planned'
  const [time, setTime] = useState(() => localTime(startAs?.at ?? proposedTime(now)))
  const [repeat, setRepeat] = useState<RepeatChoice>('once')
  const [proposal, setProposal] = useState<Proposal>({ times: [], deadline: '' })
  const [title, setTitle] = useState(startAs?.title ?? '')
  const at = Date.parse(time)
  const isTimeWrong = isPlanned && !mayStartAt(at, now)
  const dates = when === 'dates' ? proposalBody(proposal, now) : undefined
  const isIncomplete = isTimeWrong || (when === 'dates' && !dates)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const people = who.asked
    if (!people || isIncomplete || isTooLong(title, NIGHT_TITLE_MAX)) return
    void action.start(async () => {
      try {
        const night = await starting.mutateAsync({
          ...people,
          ...(isPlanned && { starts_at: new Date(at).toISOString() }),
          ...(isPlanned && repeat !== 'once' && { repeat: { every: repeat, zone: hereZone() } }),
          ...dates,
          zone: hereZone(),
          ...(title.trim() !== '' && { title: title.trim() }),
        })
        // Whoever starts a night tells the others next.
        await navigate(`/nights/${night.night_id}`, { state: { tell: true } })
        return undefined
      } catch (error) {
        return failedOutcome(text.failed, error)
      }
    })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {who.field}
      <div className="grid gap-1.5">
        <p aria-hidden className="text-sm font-medium text-soft">
          {text.when}
        </p>
        <Segmented legend={text.when} options={text.whens} value={when} onChange={setWhen} />
        {isPlanned && (
          <TextField
            label={text.time}
            type="datetime-local"
            required
            min={localTime(now)}
            value={time}
            className="mt-2"
            hint={zoneHint(at, now)}
            error={isTimeWrong ? text.timeWrong : undefined}
            onChange={(event) => setTime(event.target.value)}
          />
        )}
        {isPlanned && <RepeatField value={repeat} at={at} onChange={setRepeat} />}
        {when === 'dates' && (
          <div ref={bringIntoView} className="scroll-mb-24">
            <ProposedTimes value={proposal} now={now} onChange={setProposal} />
          </div>
        )}
      </div>
      <TextField
        label={text.name}
        autoComplete="off"
        placeholder={nightTime.untitled}
        maxCharacters={NIGHT_TITLE_MAX}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      {/* In sight however long the list of friends is. */}
      <div className="sticky bottom-0 -mx-5 -mb-5 grid gap-3 border-t border-line/60 bg-surface px-5 py-4">
        <OutcomeNotice outcome={action.outcome} />
        <Button
          type="submit"
          variant="primary"
          disabled={who.asked === undefined || isIncomplete}
          busy={action.busy}
          busyLabel={text.starting}
        >
          {{ now: text.startNow, planned: text.plan, dates: nightDates.propose.submit }[when]}
        </Button>
      </div>
    </form>
  )
}

type Asked = { group_id: number; except?: SteamId[] } | { steam_ids: SteamId[] }

/** Who is asked: `asked` is undefined where too many are chosen, and while friends who could be chosen are not known. */
function useWho(startWith: StartWith, now: number) {
  const { steamId } = useSignedIn()
  const groups = useQuery({ ...groupsQueries.list(steamId), enabled: startWith === 'any' })
  const nights = useQuery({ ...nightListQueries.mine(steamId), enabled: startWith === 'any' }).data?.nights
  const isOfGroup = typeof startWith === 'object' && 'group' in startWith
  const friends = useQuery({ ...friendsQueries.stored(steamId), enabled: !isOfGroup })
  const [picked, setChosen] = useState<readonly SteamId[]>(
    typeof startWith === 'object' && 'friends' in startWith ? startWith.friends.slice(0, MOST_FRIENDS) : [],
  )
  // Whom one played with may not be a friend any more.
  const list = friends.data?.friends
  const chosen = list ? picked.filter((id) => list.some(({ steam_id }) => steam_id === id)) : picked
  const [choice, setChoice] = useState<string>()
  const [leftOut, setLeftOut] = useState<{ groupId: number; ids: readonly SteamId[] }>()
  const atFirst = useLeftOutAtFirst(startWith)
  const leftOutOf = (groupId: number) =>
    (leftOut?.groupId === groupId ? leftOut.ids : isOfGroup ? atFirst.ids : undefined) ?? []
  const ofGroup = (groupId: number): Asked => {
    const except = leftOutOf(groupId)
    return { group_id: groupId, ...(except.length > 0 && { except: [...except] }) }
  }
  const leaveOut = (groupId: number) => (
    <LeaveOut
      key={groupId}
      groupId={groupId}
      leftOut={leftOutOf(groupId)}
      isFailed={atFirst.isFailed}
      onChange={(ids) => setLeftOut({ groupId, ids })}
    />
  )

  if (isOfGroup) {
    const { group_id, name } = startWith.group
    const field = (
      <div className="grid gap-1">
        <p className="text-soft">
          <Sentence
            text={text.everyoneIn}
            values={{ group: <Name className="font-semibold text-ink">{name}</Name> }}
          />
        </p>
        {leaveOut(group_id)}
      </div>
    )
    return { field, asked: atFirst.ids ? ofGroup(group_id) : undefined }
  }
  // Among friends one chooses friends, whatever groups are known from other screens.
  const joined = startWith === 'any' ? (groups.data ?? []).filter((group) => group.joined) : []
  const [first] = groupsToAnswer(joined, partsOf(nights ?? [], now).current)
  const selected = choice ?? (first ? optionOf(first) : 'friends')
  const isGroup = selected !== 'friends'
  const isTooMany = chosen.length > MOST_FRIENDS
  const hint = isTooMany ? text.tooMany({ max: MOST_FRIENDS }) : chosen.length === 0 ? text.byLink : undefined
  const field = (
    <div className="grid gap-3">
      {joined.length > 0 && (
        <Select label={text.who} options={optionsOf(joined)} value={selected} onChange={setChoice} />
      )}
      {isGroup && leaveOut(Number(selected.slice(1)))}
      {!isGroup && (
        <>
          <Loaded query={friends} failed={text.friendsFailed} skeleton={<ListSkeleton rows={5} />}>
            {({ friends: all }) => (
              <Friends
                friends={all}
                chosen={chosen}
                onToggle={(id) =>
                  setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
                }
              />
            )}
          </Loaded>
          {/* Its room is there always, so that the form does not move while one chooses. */}
          <p role="status" className={`min-h-5 text-sm ${isTooMany ? 'text-rose' : 'text-soft'}`}>
            {!friends.isPending && hint}
          </p>
        </>
      )}
    </div>
  )
  const asked: Asked | undefined = isGroup
    ? ofGroup(Number(selected.slice(1)))
    : friends.isPending || isTooMany
      ? undefined
      : { steam_ids: [...chosen] }
  return { field, asked }
}

/** Members who are left out when only some of a group are asked at first; `ids` is undefined while that is not known. */
function useLeftOutAtFirst(startWith: StartWith) {
  const { steamId } = useSignedIn()
  const of = typeof startWith === 'object' && 'group' in startWith && startWith.asked ? startWith : undefined
  const members = useQuery({ ...groupsQueries.members(of?.group.group_id ?? 0), enabled: of !== undefined })
  if (!of) return { ids: [], isFailed: false }
  const ids = members.data
    ?.map((member) => member.steam_id)
    .filter((id) => id !== steamId && !of.asked?.includes(id))
  return { ids, isFailed: members.isError }
}

/**
 * The other members of a group, to leave some of them out. They are loaded when that is opened.
 * @param isFailed they are needed and could not be loaded, which it then says
 */
function LeaveOut({
  groupId,
  leftOut,
  isFailed,
  onChange,
}: {
  groupId: number
  leftOut: readonly SteamId[]
  isFailed: boolean
  onChange: (leftOut: readonly SteamId[]) => void
}) {
  const { steamId } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const members = useQuery({ ...groupsQueries.members(groupId), enabled: isOpen })
  return (
    <details open={isOpen || isFailed} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 w-fit cursor-pointer items-center text-sm font-semibold text-mint underline-offset-4 hover:underline">
        {leftOut.length > 0 ? text.leftOut({ count: leftOut.length }) : text.leaveOut}
      </summary>
      <Loaded query={members} failed={text.membersFailed} skeleton={<ListSkeleton rows={3} />}>
        {(list) => (
          <fieldset className="flex max-h-64 min-w-0 flex-wrap gap-2 overflow-y-auto p-1">
            <legend className="sr-only">{text.isAsked}</legend>
            {list
              .filter((member) => member.steam_id !== steamId)
              .map((member) => (
                <Toggle
                  key={member.steam_id}
                  checked={!leftOut.includes(member.steam_id)}
                  onChange={(isAsked) =>
                    onChange(
                      isAsked
                        ? leftOut.filter((id) => id !== member.steam_id)
                        : [...leftOut, member.steam_id],
                    )
                  }
                >
                  {nameOf(member)}
                </Toggle>
              ))}
          </fieldset>
        )}
      </Loaded>
    </details>
  )
}

/** Not the bare id: keys of an object that look like numbers would come in their own order. */
const optionOf = ({ group_id }: { group_id: number }) => `g${group_id}`

function optionsOf(groups: readonly { group_id: number; name: string }[]): Record<string, string> {
  return {
    ...Object.fromEntries(groups.map((group) => [optionOf(group), group.name])),
    friends: text.friends,
  }
}

function Friends({
  friends,
  chosen,
  onToggle,
}: {
  friends: readonly Friend[]
  chosen: readonly SteamId[]
  onToggle: (steamId: SteamId) => void
}) {
  if (friends.length === 0)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-48 text-sm text-soft">{text.noFriends}</p>
        <ButtonLink to="/friends">{text.toFriends}</ButtonLink>
      </div>
    )
  return (
    <PeoplePicker
      friends={friends}
      chosen={chosen}
      onToggle={onToggle}
      label={text.find}
      listLabel={text.list}
    />
  )
}

type RepeatChoice = 'once' | Repeat

/**
 * Whether a planned night repeats, with when that is in words (SERIES-10).
 * @param at when the first night starts, in milliseconds; NaN while no time is chosen
 */
function RepeatField({
  value,
  at,
  onChange,
}: {
  value: RepeatChoice
  at: number
  onChange: (value: RepeatChoice) => void
}) {
  return (
    <div className="mt-2 grid gap-1.5">
      <Select label={nightSeries.label} options={nightSeries.choices} value={value} onChange={onChange} />
      {value !== 'once' && !Number.isNaN(at) && (
        <p className="text-sm text-soft">
          {repeatText({ every: value, zone: hereZone(), at })}. {nightSeries.explained}
        </p>
      )}
    </div>
  )
}
