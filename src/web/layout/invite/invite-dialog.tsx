/** The link by which people join: copied, scanned, renewed and switched off (NIGHT-95, NIGHT-150). */
import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Invite } from '#shared/contract/invites.ts'
import { useCallAction } from '../call-action.ts'
import { isToBeTold, tellText, tellTextForDiscord } from '../night-start/tell-text.ts'
import { inviteQuery, type InviteTarget, useCreateInvite, useSwitchOffInvite } from '../../data/invites.ts'
import type { Night } from '../../data/nights.ts'
import { messages, invites as text, nightTell, pickToPaste } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { CopyText, SecretLinkButtons } from '../../ui/forms/copy-text.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { dayAndClock } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { QrCode } from './qr-code.tsx'

type Invites = { target: InviteTarget; night?: Night | undefined }

export function InviteDialog({ target, night, open, onClose }: DialogState & Invites) {
  return (
    <Dialog open={open} title={text.title[target.kind]} closeLabel={messages.close} onClose={onClose}>
      <InviteContent target={target} night={night} />
    </Dialog>
  )
}

function InviteContent({ target, night }: Invites) {
  const query = useQuery(inviteQuery(target))
  const creating = useCreateInvite()
  const switchingOff = useSwitchOffInvite(target)
  const { busy, outcome, run } = useCallAction()
  const failed = text.changeFailed
  const now = useNow()
  const invite = query.data
  const create = run(() => creating.mutateAsync(target), { failed })
  // It is made when it is first needed, which is now; not again after it was switched off here.
  const isToMake = useRef(true)
  useEffect(() => {
    // What is being read could be from before it was made.
    if (invite === undefined || query.isFetching || !isToMake.current) return
    isToMake.current = false
    if (invite === null) create()
  })
  return (
    <>
      <p className="text-soft">{text.explained[target.kind]}</p>
      <Loaded query={query} failed={text.failed} skeleton={<TheLink night={night} now={now} />}>
        {(known) =>
          (known !== null || outcome === undefined) && (
            <TheLink invite={known ?? undefined} night={night} now={now} />
          )
        }
      </Loaded>
      <OutcomeNotice outcome={outcome} />
      {invite === null && outcome !== undefined && (
        <Button
          variant="primary"
          icon={<Link2 aria-hidden />}
          busy={busy}
          busyLabel={text.creating}
          onClick={create}
        >
          {text.create}
        </Button>
      )}
      {(invite ?? (outcome === undefined && !query.isError)) && (
        <div className="border-t border-line/60 pt-4">
          <SecretLinkButtons
            texts={text}
            busy={busy || !invite}
            onRenew={run(() => creating.mutateAsync(target), { done: text.renewed, failed })}
            onSwitchOff={run(() => switchingOff.mutateAsync(), { done: text.switchedOff, failed })}
          />
        </div>
      )}
    </>
  )
}

/** @param invite undefined until it is there: it then takes its room, unseen */
function TheLink({
  invite,
  night,
  now,
}: {
  invite?: Invite | undefined
  night: Night | undefined
  now: number
}) {
  const { steamId } = useSignedIn()
  // As long as a real one, which may need a second line.
  const url = invite?.url ?? `${location.origin}/join/${'aM7_wie4'.repeat(4)}`
  const time = invite && (
    <time dateTime={invite.expires_at} className="font-semibold text-ink">
      {dayAndClock(new Date(invite.expires_at), now)}
    </time>
  )
  return (
    <div className={`grid gap-4 ${invite ? '' : 'invisible'}`}>
      {night && isToBeTold(night, now) && (
        <CopyText
          label={nightTell.label}
          copy={nightTell.copy}
          value={tellText(night, url, now)}
          isLong
          isMain
          other={{ copy: pickToPaste.copyForDiscord, value: tellTextForDiscord(night, url, now) }}
        />
      )}
      <CopyText label={text.link} copy={text.copy} value={url} />
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text={url} label={text.code} className="size-44 rounded-control" />
        <div className="grid min-w-0 flex-1 basis-40 gap-2 text-sm text-soft">
          <p>{text.codeHint}</p>
          {/* Room for a name of usual length. */}
          <p className="min-h-10">
            {invite &&
              (invite.created_by.steam_id === steamId ? (
                <Sentence text={text.validUntilMine} values={{ time }} />
              ) : (
                <Sentence
                  text={text.validUntil}
                  values={{ time, name: <Name>{nameOf(invite.created_by)}</Name> }}
                />
              ))}
          </p>
        </div>
      </div>
    </div>
  )
}
