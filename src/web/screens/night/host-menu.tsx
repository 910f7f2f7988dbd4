/** What the host of a night, and the owner of its group, can change, end and cancel (NIGHT-87). */
import { Dices, Flag } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { NIGHT_START_AHEAD_MS, NIGHT_START_PAST_MS, NIGHT_TITLE_MAX } from '#shared/limits.ts'
import { serverNow } from '../../clock.ts'
import { failedOutcome, useCallAction } from '../../layout/call-action.ts'
import { type Night, useCancelNight, useChangeNight } from '../../data/nights.ts'
import { hereZone } from '../../format.ts'
import { nightTime } from '../../messages.ts'
import { nights, nightSeries } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { isTooLong } from '../../ui/characters.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { dayAndClock, localTime, zoneHint } from '../../ui/night-time.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { votesOf } from './night-view.ts'
import { StopRepeating } from './stop-repeating.tsx'
import { useCloseNight } from './use-close-night.ts'

const text = nights.host

export function HostMenu({ night, open, onClose }: { night: Night; open: boolean; onClose: () => void }) {
  const cancelling = useCancelNight(night.night_id)
  const cancel = useCallAction()
  const [isAsked, setAsked] = useState(false)
  const { voted, all } = votesOf(night.people)
  const { steamId: me } = useSignedIn()
  const now = useNow()
  return (
    <>
      <Dialog
        open={open}
        title={night.host_steam_id === me ? text.title : text.titleOfOwner}
        onClose={onClose}
      >
        <EditNight night={night} onSaved={onClose} />
        {night.status === 'open' && <EndVote night={night} missing={all - voted} onEnded={onClose} />}
        <StopRepeating night={night} onStopped={onClose} />
        <OutcomeNotice outcome={cancel.outcome} />
        <Button
          variant="danger"
          busy={cancel.busy}
          busyLabel={text.cancelling}
          onClick={() => setAsked(true)}
        >
          {text.cancel}
        </Button>
      </Dialog>
      <ConfirmDialog
        open={isAsked}
        title={text.cancelTitle}
        confirmLabel={text.cancel}
        closeLabel={text.keep}
        onConfirm={cancel.run(() => cancelling.mutateAsync(undefined).then(() => onClose()), {
          failed: text.cancelFailed,
        })}
        onClose={() => setAsked(false)}
      >
        <p>{text.cancelText}</p>
        {night.series && (
          <p>
            {nightSeries.cancelsOne({
              when: dayAndClock(new Date(night.series.next_starts_at), now),
            })}
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}

function EditNight({ night: current, onSaved }: { night: Night; onSaved: () => void }) {
  // As it was when the form opened: what others change later must not look like a change made here.
  const [night] = useState(current)
  const changing = useChangeNight(night.night_id)
  const action = useAsyncAction()
  const [title, setTitle] = useState(night.title ?? '')
  const [time, setTime] = useState(localTime(night.starts_at))
  const [forbids, setForbids] = useState(night.forbids)
  const [faces, setFaces] = useState(night.faces)
  const [anySize, setAnySize] = useState(night.any_size)
  const [now] = useState(() => serverNow())
  // Not once someone has voted by the other rule (NIGHT-3).
  const canForbid = night.status === 'open' && !night.people.some(({ voted }) => voted)
  const isTimeChanged = time !== localTime(night.starts_at)
  const at = Date.parse(time)
  const isTimeWrong = isTimeChanged && !(at >= now - NIGHT_START_PAST_MS && at <= now + NIGHT_START_AHEAD_MS)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isTimeWrong || isTooLong(title, NIGHT_TITLE_MAX)) return
    void action.start(async () => {
      try {
        // Only what was changed here: somebody else may have changed the rest.
        await changing.mutateAsync({
          ...(title.trim() !== (night.title ?? '') && { title: title.trim() || null }),
          ...(isTimeChanged && { starts_at: new Date(at).toISOString(), zone: hereZone() }),
          ...(forbids !== night.forbids && { forbids }),
          ...(faces !== night.faces && { faces }),
          ...(anySize !== night.any_size && { any_size: anySize }),
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
      {canForbid && (
        <Toggle checked={forbids} onChange={setForbids}>
          {text.forbids}
        </Toggle>
      )}
      {night.status === 'open' && (
        <Toggle checked={anySize ?? false} onChange={setAnySize}>
          {text.anySize}
        </Toggle>
      )}
      <Toggle checked={faces ?? false} onChange={setFaces}>
        {text.faces}
      </Toggle>
      <OutcomeNotice outcome={action.outcome} />
      <Button type="submit" busy={action.busy} busyLabel={text.saving}>
        {text.save}
      </Button>
      {night.series && <p className="text-sm text-soft">{nightSeries.changesOne}</p>}
    </form>
  )
}

function EndVote({ night, missing, onEnded }: { night: Night; missing: number; onEnded: () => void }) {
  const { busy, outcome, close } = useCloseNight(night)
  return (
    <section aria-label={text.endTitle} className="grid gap-3 border-t border-line/60 pt-4">
      <h3 className="font-semibold">{text.endTitle}</h3>
      {missing > 0 && <p className="text-sm text-amber">{text.missing({ count: missing })}</p>}
      <div className="grid gap-1">
        <Button
          icon={<Flag aria-hidden />}
          busy={busy}
          busyLabel={text.closing}
          onClick={() => close('votes', onEnded)}
        >
          {text.close}
        </Button>
        <p className="text-sm text-soft">{text.closeHint}</p>
      </div>
      <div className="grid gap-1">
        <ConfirmButton
          icon={<Dices aria-hidden />}
          disabled={busy}
          question={text.drawTitle}
          consequence={text.byDrawHint}
          onConfirm={() => close('draw', onEnded)}
        >
          {text.byDraw}
        </ConfirmButton>
        <p className="text-sm text-soft">{text.byDrawHint}</p>
      </div>
      <OutcomeNotice outcome={outcome} />
    </section>
  )
}
