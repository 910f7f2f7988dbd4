/**
 * For the leaders of a night: ending its vote, after a question that says who is missing and what would be picked
 * (NIGHT-87), and reopening it (NIGHT-126).
 */
import { Dices, Flag, ListRestart } from 'lucide-react'
import { useState } from 'react'
import { isolated } from '#shared/names.ts'
import type { NightPlayer, ShortlistEntry } from '#shared/nights/entities.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useChangeNight, useCloseVote, useDraw, useReopenVote } from '../../data/nights.ts'
import { formatList } from '../../format.ts'
import { nights, wizard } from 'virtual:texts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Dialog, ConfirmDialog } from '../../ui/frames/dialog.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { isForAll, leading, votesOf } from './night-view.ts'

const text = nights.host
/** Players named who have not answered; more are counted. */
const NAMED = 5

export function CloseVote({
  night,
  variant,
  onClosed,
}: {
  night: Night
  variant: 'primary' | 'secondary'
  onClosed?: () => void
}) {
  const closing = useCloseVote(night.night_id)
  const changing = useChangeNight(night.night_id)
  const drawing = useDraw(night.night_id)
  const { busy, outcome, run } = useCallAction()
  const [isOpen, setOpen] = useState(false)
  const { games, missed } = leading(night)

  /** A chosen draw is confirmed, so it happens at once. After a tie the host sees the odds first. */
  const close = (by: 'votes' | 'draw', anyOwner = false) =>
    run(
      async () => {
        if (anyOwner) await changing.mutateAsync({ any_owner: true })
        const { status } = await closing.mutateAsync(by)
        onClosed?.()
        // If this fails, the page has a button to draw.
        if (by === 'draw' && status === 'tied') await drawing.mutateAsync()
      },
      { failed: text.closeFailed },
    )()
  const chosen = (...how: Parameters<typeof close>) => {
    setOpen(false)
    close(...how)
  }

  return (
    <>
      <OutcomeNotice outcome={outcome} />
      <Button
        variant={variant}
        icon={<Flag aria-hidden className="max-sm:hidden" />}
        aria-haspopup="dialog"
        busy={busy}
        busyLabel={text.closing}
        onClick={() => setOpen(true)}
      >
        {text.close}
      </Button>
      <Dialog open={isOpen} title={text.closeTitle} onClose={() => setOpen(false)}>
        <div className="grid gap-2 text-soft">
          <Missing night={night} />
          {games.length > 0 && (
            <p className="font-semibold text-ink">{text.leading({ games: namesOf(games) })}</p>
          )}
          {[...games, ...missed].map((game) => (
            <Lacking key={game.appid} night={night} game={game} />
          ))}
          {missed.length > 0 ? (
            <p>{text.onlyMissed}</p>
          ) : (
            <p>
              <b>{text.close}:</b> {text.closeHint}{' '}
              {!night.any_owner && night.shortlist.some((game) => !isForAll(game)) && text.onlyAll}
            </p>
          )}
          <p>
            <b>{text.byDraw}:</b> {text.byDrawHint}
          </p>
        </div>
        <footer className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" data-first-focus onClick={() => setOpen(false)}>
            {wizard.cancel}
          </Button>
          <Button icon={<Dices aria-hidden />} onClick={() => chosen('draw')}>
            {text.byDraw}
          </Button>
          {missed.length > 0 && (
            <Button onClick={() => chosen('votes', true)}>
              {text.closeWith({ games: namesOf(missed) })}
            </Button>
          )}
          <Button variant="primary" onClick={() => chosen('votes')}>
            {missed.length > 0 ? text.closeOnlyAll : text.close}
          </Button>
        </footer>
      </Dialog>
    </>
  )
}

export function namesOf(games: readonly ShortlistEntry[]): string {
  return formatList(games.slice(0, 3).map(({ name }) => isolated(name)))
}

/** Who has not answered, how much of the list they lack, and how many who are in have not voted. */
function Missing({ night }: { night: Night }) {
  const { people, shortlist, counted, my } = night
  const unanswered = people.filter(({ answer }) => answer === null)
  const { voted, all } = votesOf(people)
  const lackedBy = (person: NightPlayer) =>
    shortlist.filter(({ lacking }) => lacking.includes(person.steam_id)).length
  const shown = unanswered.slice(0, NAMED)
  const notDeciding = shown.filter(
    (person) => lackedBy(person) > 0 && my.pick_counts?.includes(person.steam_id) === false,
  )
  return (
    <>
      {unanswered.length > 0 && (
        <div className="grid gap-1 text-amber">
          <p className="font-semibold">{text.unanswered({ count: unanswered.length })}</p>
          <ul className="text-sm">
            {shown.map((person) => (
              <li key={person.steam_id}>
                <Name className="font-semibold">{nameOf(person)}</Name>
                {' · '}
                {counted.includes(person.steam_id)
                  ? text.lacksOf({ count: lackedBy(person), all: shortlist.length })
                  : text.notKnown}
              </li>
            ))}
            {unanswered.length > NAMED && <li>+{unanswered.length - NAMED}</li>}
          </ul>
          {notDeciding.length > 0 && (
            <p className="text-sm">
              {text.notDeciding({ count: notDeciding.length, names: namesIn(notDeciding) })}
            </p>
          )}
        </div>
      )}
      {all > voted && <p className="text-amber">{text.missing({ count: all - voted })}</p>}
    </>
  )
}

const namesIn = (people: readonly NightPlayer[]) =>
  formatList(people.map((person) => isolated(nameOf(person))))

function Lacking({ night, game }: { night: Night; game: ShortlistEntry }) {
  const people = night.people.filter(({ steam_id }) => game.lacking.includes(steam_id))
  if (people.length === 0) return null
  return (
    <p className="text-amber">
      {text.lack({ count: people.length, names: namesIn(people), game: isolated(game.name) })}
      {game.is_free === true && ` ${nights.pick.free}.`}
    </p>
  )
}

/** Nothing when it cannot be reopened. */
export function ReopenVote({ night }: { night: Night }) {
  const reopening = useReopenVote(night.night_id)
  const { busy, outcome, run } = useCallAction()
  const [isAsked, setAsked] = useState(false)
  const { status } = night
  if (!night.can_reopen || !night.my.leads || (status !== 'tied' && status !== 'decided')) return null
  return (
    <>
      <Button
        variant="quiet"
        icon={<ListRestart aria-hidden />}
        busy={busy}
        busyLabel={text.reopening}
        onClick={() => setAsked(true)}
      >
        {text.reopen}
      </Button>
      <OutcomeNotice outcome={outcome} />
      <ConfirmDialog
        open={isAsked}
        title={text.reopenTitle}
        isHarmless
        confirmLabel={text.reopen}
        onConfirm={run(() => reopening.mutateAsync(), { failed: text.reopenFailed })}
        onClose={() => setAsked(false)}
      >
        <p>{text.reopenText[status]}</p>
      </ConfirmDialog>
    </>
  )
}
