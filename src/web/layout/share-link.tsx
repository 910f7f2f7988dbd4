/** A public link: created, copied and switched off (NIGHT-107). */
import { useQuery } from '@tanstack/react-query'
import { Link2, Link2Off } from 'lucide-react'
import { useCallAction } from './call-action.ts'
import { linkQuery, type PublicLink, useChangeLink } from '../data/nights-outside.ts'
import { nightShare as text } from 'virtual:texts'
import { useFocusWhenSet } from '../ui/focus.ts'
import { OutcomeNotice } from '../ui/forms/async-action.tsx'
import { Button } from '../ui/forms/button.tsx'
import { ConfirmButton } from '../ui/forms/confirm-button.tsx'
import { CopyText } from '../ui/forms/copy-text.tsx'
import { Loaded } from '../ui/frames/loaded.tsx'
import { Loading, Skeleton } from '../ui/frames/skeletons.tsx'

type ShareLinkProps = { link: PublicLink; explained: string; mayCreate?: boolean }

/** @param explained what the page behind it shows */
export function ShareLink({ link, explained, mayCreate = true }: ShareLinkProps) {
  const query = useQuery(linkQuery(link))
  const changing = useChangeLink(link)
  const intro = useFocusWhenSet<HTMLParagraphElement>(changing.isSuccess ? changing.submittedAt : undefined)
  const skeleton = <Skeleton className="h-11 rounded-control" />
  const { busy, outcome, run } = useCallAction()
  const failed = text.changeFailed

  return (
    <>
      <p ref={intro} tabIndex={-1} className="text-soft focus-visible:outline-none">
        {explained}
      </p>
      <Loaded query={query} failed={text.failed} skeleton={<Loading>{skeleton}</Loading>}>
        {(known) =>
          known ? (
            <CopyText label={text.link} copy={text.copy} value={known.url} />
          ) : (
            <p className="text-sm text-soft">
              {outcome === undefined && text.none} {!mayCreate && text.onlyIn}
            </p>
          )
        }
      </Loaded>
      <OutcomeNotice outcome={outcome} />
      {query.data === null && mayCreate && (
        <Button
          variant="primary"
          icon={<Link2 aria-hidden />}
          busy={busy}
          busyLabel={text.creating}
          onClick={run(() => changing.mutateAsync(true), { failed })}
        >
          {text.create}
        </Button>
      )}
      {query.data && (
        <ConfirmButton
          variant="danger"
          icon={<Link2Off aria-hidden />}
          busy={busy}
          busyLabel={text.switchingOff}
          question={text.switchOffTitle}
          consequence={text.switchOffText}
          onConfirm={run(() => changing.mutateAsync(false), { done: text.switchedOff, failed })}
        >
          {text.switchOff}
        </ConfirmButton>
      )}
    </>
  )
}
