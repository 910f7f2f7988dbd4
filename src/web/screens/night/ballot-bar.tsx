/** The bar below the shortlist: my vote and its changes, how many have voted, and the host's end of it (NIGHT-85). */
import { useId, useState } from 'react'
import { Info, ListRestart, Vote } from 'lucide-react'
import { NIGHT_MARKS_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { type Night, useVote } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/async-action.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { anchors } from './anchors.ts'
import { useCloseNight } from './use-close-night.ts'
import { votesOf } from './night-view.ts'
import type { ballotOf } from './night-view.ts'

const text = nights.bar

export function BallotBar({
  night,
  ballot,
  canVote,
  isChanged,
  fresh,
  onNewOrder,
  onRest,
  onClear,
  onUndo,
  onVoted,
}: {
  night: Night
  ballot: ReturnType<typeof ballotOf>
  canVote: boolean
  /** Whether my marks are others than those that I voted with. */
  isChanged: boolean
  /** How many games came since I voted. */
  fresh: number
  /** Given when the list is shown in an order that is out of date. */
  onNewOrder: (() => void) | undefined
  /** Marks the other games 'fine'. */
  onRest: () => void
  onClear: () => void
  /** Goes back to the marks that I voted with. */
  onUndo: () => void
  onVoted: () => void
}) {
  const voting = useVote(night.night_id)
  const action = useAsyncAction()
  const { voted, all } = votesOf(night.people)
  const unanswered = night.people.filter(({ answer }) => answer === null).length
  const count = night.shortlist.length
  const { listed, waiting } = ballot
  const hasVoted = night.my.voted
  const [isAboutOpen, setAboutOpen] = useState(false)
  const aboutId = useId()
  const about = [
    canVote && !hasVoted && nights.list.hidden,
    canVote && text.changeable,
    !hasVoted && unanswered > 0 && text.unanswered({ count: unanswered }),
    waiting.length > 0 && text.waiting({ count: waiting.length }),
  ].filter((sentence) => sentence !== false)
  if (all === 0 && !onNewOrder) return null

  const vote = () =>
    void action.start(async () => {
      try {
        await voting.mutateAsync([...listed, ...waiting].slice(0, NIGHT_MARKS_MAX))
        onVoted()
        // The button has gone; the page stays where it is.
        document.getElementById(anchors.vote)?.focus({ preventScroll: true })
        return undefined
      } catch (error) {
        return failedOutcome(text.failed, error)
      }
    })

  return (
    <div
      id={anchors.vote}
      role="group"
      tabIndex={-1}
      aria-label={text.label}
      className="frosted sticky bottom-3 z-10 grid gap-2 rounded-card bg-deep! px-3 py-2.5 sm:px-4"
    >
      <OutcomeNotice outcome={action.outcome} />
      {/* Here, because above the list it would move it. */}
      {onNewOrder && (
        <Button variant="quiet" icon={<ListRestart aria-hidden />} onClick={onNewOrder}>
          {nights.list.newOrder}
        </Button>
      )}
      <div id={aboutId} hidden={!isAboutOpen} className="text-sm text-soft">
        {about.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {canVote && <p className="hidden [@media(hover:hover)]:block">{nights.list.keys}</p>}
      </div>
      <div className="flex items-center justify-between gap-x-1.5 sm:gap-x-3">
        <div className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-xs leading-5 tabular-nums sm:text-sm">
          {canVote && !hasVoted && (
            <p className="truncate font-semibold">{text.marked({ marked: listed.length, all: count })}</p>
          )}
          {hasVoted && (
            <p className={`font-semibold ${isChanged ? 'text-amber' : 'text-mint'}`}>
              {isChanged ? text.unsent : text.youVoted}
            </p>
          )}
          <p className="truncate text-soft">{text.voted({ voted, all })}</p>
          {fresh > 0 && <p className="font-semibold text-violet">{text.fresh({ count: fresh })}</p>}
        </div>
        {about.length > 0 && (
          <IconButton
            label={text.about}
            aria-expanded={isAboutOpen}
            aria-controls={aboutId}
            className="-mx-1"
            onClick={() => setAboutOpen(!isAboutOpen)}
          >
            <Info aria-hidden />
          </IconButton>
        )}
        <div className="flex flex-wrap items-center justify-end gap-1.5 max-sm:[&_button]:px-2.5">
          {canVote && hasVoted && isChanged && (
            <Button variant="quiet" onClick={onUndo}>
              {text.undo}
            </Button>
          )}
          {canVote && !hasVoted && listed.length > 0 && listed.length === count && (
            <Button variant="quiet" onClick={onClear}>
              {text.clear}
            </Button>
          )}
          {canVote && listed.length < count && (
            <Button variant="quiet" onClick={onRest}>
              {text.rest}
            </Button>
          )}
          {canVote && (!hasVoted || isChanged) && (
            <Button
              data-vote
              variant="primary"
              // Without it on phones, where the counts need the room.
              icon={<Vote aria-hidden className="max-sm:hidden" />}
              disabled={!hasVoted && listed.length === 0}
              busy={action.busy}
              busyLabel={text.voting}
              onClick={vote}
            >
              {hasVoted ? text.change : text.vote}
            </Button>
          )}
          {night.my.leads && (!canVote || (hasVoted && !isChanged)) && (
            <HostEnd night={night} voted={voted} all={all} />
          )}
        </div>
      </div>
    </div>
  )
}

/** Moves the focus to the button that votes, or to the bar while nothing is marked. */
export function focusVote(): void {
  const bar = document.getElementById(anchors.vote)
  const button = bar?.querySelector<HTMLElement>('[data-vote]:enabled')
  ;(button ?? bar)?.focus()
}

/** The host ends the vote from here once there is nothing to mark any more. */
function HostEnd({ night, voted, all }: { night: Night; voted: number; all: number }) {
  const missing = all - voted
  const { busy, outcome, close } = useCloseNight(night)
  const [asked, setAsked] = useState<'votes' | 'draw'>()
  return (
    <>
      <OutcomeNotice outcome={outcome} />
      <Button
        variant="quiet"
        // There it is in the menu only.
        className="max-sm:hidden"
        disabled={busy}
        title={nights.host.byDrawHint}
        onClick={() => setAsked('draw')}
      >
        {nights.host.byDraw}
      </Button>
      <Button
        // Of one person it is no vote yet.
        variant={missing === 0 && all > 1 ? 'primary' : 'secondary'}
        title={nights.host.closeHint}
        busy={busy}
        busyLabel={nights.host.closing}
        onClick={() => (missing > 0 ? setAsked('votes') : close('votes'))}
      >
        {nights.host.close}
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        title={asked === 'draw' ? nights.host.drawTitle : nights.host.closeEarly}
        isHarmless
        confirmLabel={asked === 'draw' ? nights.host.byDraw : nights.host.close}
        onConfirm={() => asked && close(asked)}
        onClose={() => setAsked(undefined)}
      >
        {missing > 0 && <p>{nights.host.missing({ count: missing })}</p>}
        <p>{asked === 'draw' ? nights.host.byDrawHint : nights.host.closeHint}</p>
      </ConfirmDialog>
    </>
  )
}
