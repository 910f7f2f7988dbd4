/** The bar below the games: what comes next, my vote, how many have voted, who leads, and the end of the vote (NIGHT-85). */
import { ListRestart, Vote } from 'lucide-react'
import { NIGHT_MARKS_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { type Night, useVote } from '../../data/nights.ts'
import { nights } from 'virtual:texts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { dayAndClock } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { anchors, type ballotOf, isForAll, isToTell, leading, votesOf } from './night-view.ts'
import { CloseVote, namesOf } from './close-vote.tsx'

const text = nights.bar

export function BallotBar({
  night,
  ballot,
  canVote,
  isChanged,
  fresh,
  onNewOrder,
  onRest,
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
  /** Marks the other games that all have 'fine'. */
  onRest: () => void
  /** Goes back to the marks that I voted with. */
  onUndo: () => void
  onVoted: () => void
}) {
  const voting = useVote(night.night_id)
  const action = useAsyncAction()
  const now = useNow()
  const { voted, all } = votesOf(night.people)
  const { listed, waiting } = ballot
  const hasVoted = night.my.voted
  const isToVote = canVote && (!hasVoted || isChanged)
  const forAll = new Set(
    night.shortlist.filter((game) => night.any_owner || isForAll(game)).map(({ appid }) => appid),
  )
  const marked = listed.filter(({ appid }) => forAll.has(appid)).length
  // An answer may end the vote (NIGHT-16).
  const end =
    night.vote_closes_at !== null
      ? text.closesAt({ when: dayAndClock(new Date(night.vote_closes_at), now) })
      : night.my.answer === null && voted === all && all > 1 && text.completes
  const { games: best } = leading(night)
  const tells = isToTell(night)
  if (all === 0 && !onNewOrder && !tells) return null

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
      className="frosted sticky bottom-3 z-10 grid gap-2 rounded-card bg-deep! px-3 py-2 sm:px-4"
    >
      <OutcomeNotice outcome={action.outcome} />
      {/* Here, because above the list it would move it. */}
      {onNewOrder && (
        <Button variant="quiet" icon={<ListRestart aria-hidden />} onClick={onNewOrder}>
          {nights.list.newOrder}
        </Button>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <div className="flex flex-1 flex-wrap gap-x-3 max-sm:basis-full text-xs leading-5 tabular-nums sm:text-sm">
          {canVote && !hasVoted && (
            <p className="font-semibold whitespace-nowrap">{text.marked({ marked, all: forAll.size })}</p>
          )}
          {hasVoted && (
            <p className={`font-semibold whitespace-nowrap ${isChanged ? 'text-amber' : 'text-mint'}`}>
              {isChanged ? text.unsent : text.youVoted}
            </p>
          )}
          <p className="whitespace-nowrap text-soft">{text.voted({ voted, all })}</p>
          {best.length > 0 && <p className="font-semibold">{text.leading({ games: namesOf(best) })}</p>}
          {end && <p className="text-soft">{end}</p>}
          {fresh > 0 && <p className="font-semibold text-violet">{text.fresh({ count: fresh })}</p>}
          {waiting.length > 0 && !onNewOrder && (
            <p className="text-soft">{text.waiting({ count: waiting.length })}</p>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-1.5 max-sm:ml-auto max-sm:[&_button]:px-2.5">
          {tells && (
            <InviteByLink target={{ kind: 'night', id: night.night_id }} night={night} variant="primary" />
          )}
          {canVote && hasVoted && isChanged && (
            <Button variant="quiet" onClick={onUndo}>
              {text.undo}
            </Button>
          )}
          {canVote && marked < forAll.size && (
            <Button variant="quiet" onClick={onRest}>
              {text.rest}
            </Button>
          )}
          {isToVote && (
            <Button
              data-vote
              variant={tells ? 'secondary' : 'primary'}
              icon={<Vote aria-hidden className="max-sm:hidden" />}
              disabled={!hasVoted && listed.length === 0}
              busy={action.busy}
              busyLabel={text.voting}
              onClick={vote}
            >
              {hasVoted ? text.change : text.vote}
            </Button>
          )}
          {night.my.leads && !isToVote && (
            // Of one person it is no vote yet.
            <CloseVote night={night} variant={voted === all && all > 1 && !tells ? 'primary' : 'secondary'} />
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
