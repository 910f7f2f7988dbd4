/** The public link to a pick: created, copied and switched off (NIGHT-107). */
import { useQuery } from '@tanstack/react-query'
import { Link2, Link2Off } from 'lucide-react'
import { useCallAction } from '../../layout/call-action.ts'
import type { Night } from '../../data/nights.ts'
import { shareQuery, useShare, useStopSharing } from '../../data/nights-outside.ts'
import { messages, nightShare as text, pickToPaste } from 'virtual:texts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { CopyText } from '../../ui/forms/copy-text.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Loading, Skeleton } from '../../ui/frames/skeletons.tsx'
import { discordText, pickText } from './pick-text.ts'

export function ShareDialog({ night, game, open, onClose }: DialogState & { night: Night; game: string }) {
  return (
    <Dialog open={open} title={text.title} closeLabel={messages.close} onClose={onClose}>
      <PickToPaste night={night} game={game} />
      {night.status === 'decided' && <ShareContent night={night} />}
    </Dialog>
  )
}

/** A line for a chat (NIGHT-105), with the public link once there is one: the night's page lets in its players only. */
function PickToPaste({ night, game }: { night: Night; game: string }) {
  const share = useQuery({ ...shareQuery(night.night_id), enabled: night.status === 'decided' }).data
  const url = share?.url ?? ''
  const now = useNow()
  return (
    <CopyText
      label={pickToPaste.label}
      copy={pickToPaste.copy}
      value={pickText(night, game, url, now)}
      isLong
      other={
        night.planned ? { copy: pickToPaste.copyForDiscord, value: discordText(night, game, url) } : undefined
      }
    />
  )
}

function ShareContent({ night: { night_id, my } }: { night: Night }) {
  const query = useQuery(shareQuery(night_id))
  const sharing = useShare(night_id)
  const stopping = useStopSharing(night_id)
  const { busy, outcome, run } = useCallAction()
  const failed = text.changeFailed
  const share = query.data
  const isIn = my.answer === 'in'

  return (
    <>
      <p className="text-soft">{text.explained}</p>
      <Loaded query={query} failed={text.failed} skeleton={<LinkSkeleton />}>
        {(known) =>
          known ? (
            <CopyText label={text.link} copy={text.copy} value={known.url} />
          ) : (
            <p className="text-sm text-soft">
              {outcome === undefined && text.none} {!isIn && text.onlyIn}
            </p>
          )
        }
      </Loaded>
      <OutcomeNotice outcome={outcome} />
      {share === null && isIn && (
        <Button
          variant="primary"
          icon={<Link2 aria-hidden />}
          busy={busy}
          busyLabel={text.creating}
          onClick={run(() => sharing.mutateAsync(), { failed })}
        >
          {text.create}
        </Button>
      )}
      {share && (
        <ConfirmButton
          variant="danger"
          icon={<Link2Off aria-hidden />}
          busy={busy}
          busyLabel={text.switchingOff}
          question={text.switchOffTitle}
          consequence={text.switchOffText}
          onConfirm={run(() => stopping.mutateAsync(), { done: text.switchedOff, failed })}
        >
          {text.switchOff}
        </ConfirmButton>
      )}
    </>
  )
}

function LinkSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-11 rounded-control" />
    </Loading>
  )
}
