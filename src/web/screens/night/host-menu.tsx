/** Leaving a night (NIGHT-81); for its leaders also the vote, its settings and its end (NIGHT-87), and that of its series (SERIES-11). */
import { UserMinus, DoorOpen } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { NIGHT_START_AHEAD_MS, NIGHT_START_PAST_MS, NIGHT_TITLE_MAX } from '#shared/limits.ts'
import type { NightPlayer } from '#shared/nights/entities.ts'
import { serverNow } from '../../clock.ts'
import { failedOutcome, useCallAction } from '../../layout/call-action.ts'
import {
  type Night,
  useCancelNight,
  useChangeNight,
  useRemoveFromNight,
  useLeaveNight,
  useStopRepeating,
} from '../../data/nights.ts'
import { hereZone } from '../../format.ts'
import { messages, nightTime, group as groupTexts, nights, nightSeries as seriesText } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button, IconButton } from '../../ui/forms/button.tsx'
import { isTooLong } from '../../ui/forms/required-text.ts'
import { ConfirmDialog, Dialog } from '../../ui/frames/dialog.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { Fold } from '../../ui/frames/fold.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { dayAndClock, isPast, localTime, zoneHint } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { Toggle } from '../../ui/forms/toggle.tsx'
import { CloseVote } from './close-vote.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'

const text = nights.host

export function HostMenu({
  night,
  open,
  onClose,
  onLeft,
}: {
  night: Night
  open: boolean
  onClose: () => void
  onLeft: () => void
}) {
  const { steamId: me } = useSignedIn()
  const now = useNow()
  const leads = night.my.leads && !isPast(night, now)
  return (
    <Dialog
      open={open}
      title={!leads ? text.more : night.host_steam_id === me ? text.title : text.titleOfOwner}
      closeLabel={messages.close}
      onClose={onClose}
    >
      <div className="flex flex-wrap gap-3">
        {leads && night.status === 'open' && (
          <CloseVote night={night} variant="secondary" onClosed={onClose} />
        )}
        {!isPast(night, now) && <LeaveNight night={night} onLeft={onLeft} />}
      </div>
      {leads && (
        <>
          <Fold isSmall title={text.settings}>
            <EditNight night={night} onSaved={onClose} />
          </Fold>
          <RemovePeople night={night} />
          <StopRepeating night={night} onStopped={onClose} />
          <CancelNight night={night} onCancelled={onClose} />
        </>
      )}
    </Dialog>
  )
}

function CancelNight({ night, onCancelled }: { night: Night; onCancelled: () => void }) {
  const cancelling = useCancelNight(night.night_id)
  const cancel = useCallAction()
  const [isAsked, setAsked] = useState(false)
  const now = useNow()
  return (
    <>
      <OutcomeNotice outcome={cancel.outcome} />
      <Button variant="danger" busy={cancel.busy} busyLabel={text.cancelling} onClick={() => setAsked(true)}>
        {text.cancel}
      </Button>
      <ConfirmDialog
        open={isAsked}
        title={text.cancelTitle}
        confirmLabel={text.cancel}
        closeLabel={text.keep}
        onConfirm={cancel.run(() => cancelling.mutateAsync(undefined).then(() => onCancelled()), {
          failed: text.cancelFailed,
        })}
        onClose={() => setAsked(false)}
      >
        <p>{text.cancelText}</p>
        {night.series && (
          <p>
            {seriesText.cancelsOne({
              when: dayAndClock(new Date(night.series.next_starts_at), now),
            })}
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}

/** Nothing while the leader is alone. */
function RemovePeople({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const removal = useRemoveFromNight(night.night_id)
  const action = useCallAction()
  const [removing, setRemoving] = useState<NightPlayer>()
  const others = night.people.filter(({ steam_id }) => steam_id !== me)
  if (others.length === 0) return null
  return (
    <Fold isSmall title={nights.people.removeSome}>
      <OutcomeNotice outcome={action.outcome} />
      <ul className="grid max-h-64 overflow-y-auto">
        {others.map((person) => (
          <li key={person.steam_id} className="flex min-w-0 items-center justify-between gap-2">
            <Name className="line-clamp-1 min-w-0">{nameOf(person)}</Name>
            <IconButton
              label={nights.people.remove({ name: nameOf(person) })}
              onClick={() => setRemoving(person)}
            >
              <UserMinus aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== undefined}
        title={nights.people.removeTitle}
        confirmLabel={groupTexts.remove}
        onConfirm={() =>
          removing &&
          action.run(() => removal.mutateAsync(removing.steam_id), { failed: nights.people.removeFailed })()
        }
        onClose={() => setRemoving(undefined)}
      >
        <p>
          {removing && (
            <Sentence
              text={nights.people.removeConsequence}
              values={{ name: <Name className="font-semibold text-ink">{nameOf(removing)}</Name> }}
            />
          )}
        </p>
      </ConfirmDialog>
    </Fold>
  )
}

function EditNight({ night: current, onSaved }: { night: Night; onSaved: () => void }) {
  // As it was when the form opened: what others change later must not look like a change made here.
  const [night] = useState(current)
  const changing = useChangeNight(night.night_id)
  const action = useAsyncAction()
  const [title, setTitle] = useState(night.title ?? '')
  const [time, setTime] = useState(localTime(night.starts_at))
  const endAt = night.vote_closes_at === null ? '' : localTime(night.vote_closes_at)
  const [voteEnd, setVoteEnd] = useState(endAt)
  const [rules, setRules] = useState({
    forbids: night.forbids,
    any_owner: night.any_owner,
    faces: night.faces,
  })
  const [now] = useState(() => serverNow())
  const isOpen = night.status === 'open'
  // Not once someone has voted by the other rule (NIGHT-3).
  const canForbid = isOpen && !night.people.some(({ voted }) => voted)
  const shown = ([canForbid && 'forbids', isOpen && 'any_owner', 'faces'] as const).filter(
    (rule) => rule !== false,
  )
  const isTimeChanged = time !== localTime(night.starts_at)
  const at = Date.parse(time)
  const isTimeWrong = isTimeChanged && !(at >= now - NIGHT_START_PAST_MS && at <= now + NIGHT_START_AHEAD_MS)
  const isEndWrong = voteEnd !== endAt && voteEnd !== '' && !(Date.parse(voteEnd) > now)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isTimeWrong || isEndWrong || isTooLong(title, NIGHT_TITLE_MAX)) return
    void action.start(async () => {
      try {
        // Only what was changed here: somebody else may have changed the rest.
        await changing.mutateAsync({
          ...(title.trim() !== (night.title ?? '') && { title: title.trim() || null }),
          ...(isTimeChanged && { starts_at: new Date(at).toISOString(), zone: hereZone() }),
          ...(voteEnd !== endAt && {
            vote_closes_at: voteEnd === '' ? null : new Date(Date.parse(voteEnd)).toISOString(),
          }),
          ...Object.fromEntries(
            shown.filter((rule) => rules[rule] !== night[rule]).map((rule) => [rule, rules[rule]]),
          ),
        })
        onSaved()
        return undefined
      } catch (error) {
        return failedOutcome(text.saveFailed, error)
      }
    })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label={text.name}
        autoComplete="off"
        placeholder={nightTime.untitled}
        maxCharacters={NIGHT_TITLE_MAX}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      {night.status !== 'dating' && (
        <TextField
          label={text.time}
          type="datetime-local"
          required
          value={time}
          hint={zoneHint(at, now)}
          error={isTimeWrong ? text.timeWrong : undefined}
          onChange={(event) => setTime(event.target.value)}
        />
      )}
      {isOpen && (
        <TextField
          label={text.voteEnd}
          type="datetime-local"
          value={voteEnd}
          hint={text.voteEndHint}
          error={isEndWrong ? text.timeWrong : undefined}
          onChange={(event) => setVoteEnd(event.target.value)}
        />
      )}
      {shown.map((rule) => (
        <Toggle
          key={rule}
          checked={rules[rule]}
          onChange={(checked) => setRules({ ...rules, [rule]: checked })}
        >
          {text.rules[rule]}
        </Toggle>
      ))}
      <OutcomeNotice outcome={action.outcome} />
      <Button type="submit" busy={action.busy} busyLabel={text.saving}>
        {text.save}
      </Button>
      {night.series && <p className="text-sm text-soft">{seriesText.changesOne}</p>}
    </form>
  )
}

const leaveText = nights.people

function LeaveNight({ night, onLeft }: { night: Night; onLeft: () => void }) {
  const { steamId: me } = useSignedIn()
  const leaving = useLeaveNight(me, night.night_id)
  const { busy, outcome, run } = useCallAction()
  const [isAsked, setAsked] = useState(false)
  const vote = !night.my.has_voted ? 'none' : night.status === 'open' ? 'open' : 'ended'
  return (
    <>
      <Button
        icon={<DoorOpen aria-hidden />}
        aria-haspopup="dialog"
        busy={busy}
        onClick={() => setAsked(true)}
      >
        {leaveText.leave}
      </Button>
      <OutcomeNotice outcome={outcome} />
      <ConfirmDialog
        open={isAsked}
        title={leaveText.leaveTitle}
        confirmLabel={groupTexts.leave}
        onConfirm={run(() => leaving.mutateAsync().then(onLeft), { failed: leaveText.leaveFailed })}
        onClose={() => setAsked(false)}
      >
        <p>
          {leaveText.leaveVote[vote]} {leaveText.leaveConsequence}
        </p>
        {/* A group's members are asked to the next nights, like before, and the host of a series starts them. */}
        {night.series && !night.group && !night.my.may_stop_repeating && <p>{seriesText.leavesChosen}</p>}
      </ConfirmDialog>
    </>
  )
}

/** @param onStopped called when the button is about to go */
function StopRepeating({ night, onStopped }: { night: Night; onStopped: () => void }) {
  const stopping = useStopRepeating(night.night_id)
  const { busy, outcome, run } = useCallAction()
  const { series } = night
  if (!series || !night.my.may_stop_repeating) return null
  return (
    <>
      <OutcomeNotice outcome={outcome} />
      <ConfirmButton
        busy={busy}
        busyLabel={seriesText.stopping}
        question={seriesText.stopTitle}
        consequence={seriesText.stopText}
        onConfirm={run(() => stopping.mutateAsync(series.series_id).then(onStopped), {
          failed: seriesText.stopFailed,
        })}
      >
        {seriesText.stop}
      </ConfirmButton>
    </>
  )
}
