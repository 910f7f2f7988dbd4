/** The public link to a pick: created, copied and switched off, and its picture (NIGHT-107). */
import { useQuery } from '@tanstack/react-query'
import { Image, Link2, Link2Off } from 'lucide-react'
import { useState } from 'react'
import type { Share } from '#shared/contract/share.ts'
import { failureText } from '../../data/http.ts'
import type { Night } from '../../data/nights.ts'
import { shareQuery, useShare, useStopSharing } from '../../data/nights-outside.ts'
import { messages } from '../../messages.ts'
import { gamePage } from '../../messages/game.ts'
import { nightShare as text } from '../../messages/night-share.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/async-action.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import type { DialogState } from '../../ui/lazy-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'

export function ShareDialog({ night, open, onClose }: DialogState & { night: Night }) {
  return (
    <Dialog open={open} title={text.title} closeLabel={messages.close} onClose={onClose}>
      <ShareContent night={night} />
    </Dialog>
  )
}

function ShareContent({ night: { night_id, my } }: { night: Night }) {
  const query = useQuery(shareQuery(night_id))
  const sharing = useShare(night_id)
  const stopping = useStopSharing(night_id)
  const action = useAsyncAction()
  const [isAsking, setAsking] = useState(false)
  const share = query.data
  const isIn = my.answer === 'in'

  const run = (work: () => Promise<unknown>, done?: string) => () =>
    void action.start(async () => {
      try {
        await work()
        return done === undefined ? undefined : { tone: 'success', text: done }
      } catch (error) {
        return { tone: 'error', text: text.changeFailed, reason: failureText(error, messages.somethingWrong) }
      }
    })

  return (
    <>
      <p className="text-soft">{text.explained}</p>
      <Loaded query={query} failed={text.failed} skeleton={<LinkSkeleton />}>
        {(known) =>
          known ? (
            <TheLink share={known} />
          ) : (
            <p className="text-sm text-soft">
              {action.outcome === undefined && text.none} {!isIn && text.onlyIn}
            </p>
          )
        }
      </Loaded>
      <OutcomeNotice outcome={action.outcome} />
      {share === null && isIn && (
        <Button
          variant="primary"
          icon={<Link2 aria-hidden />}
          busy={action.busy}
          busyLabel={text.creating}
          onClick={run(() => sharing.mutateAsync())}
        >
          {text.create}
        </Button>
      )}
      {share && (
        <Button
          variant="danger"
          icon={<Link2Off aria-hidden />}
          busy={action.busy}
          busyLabel={text.switchingOff}
          onClick={() => setAsking(true)}
        >
          {text.switchOff}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={text.switchOffTitle}
        confirmLabel={text.switchOff}
        onConfirm={run(() => stopping.mutateAsync(), text.switchedOff)}
        onClose={() => setAsking(false)}
      >
        <p>{text.switchOffText}</p>
      </ConfirmDialog>
    </>
  )
}

function TheLink({ share: { url, image_url } }: { share: Share }) {
  return (
    <div className="grid gap-2">
      <CopyText label={text.link} copy={text.copy} value={url} />
      <ButtonLink
        to={image_url}
        target="_blank"
        rel="noreferrer"
        className="justify-self-start"
        icon={<Image aria-hidden />}
      >
        {text.openPicture} <span className="sr-only">{gamePage.inNewTab}</span>
      </ButtonLink>
    </div>
  )
}

function LinkSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-11 rounded-control" />
    </Loading>
  )
}
