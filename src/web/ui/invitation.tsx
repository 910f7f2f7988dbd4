/** Having been added to a group: by whom, and the answer to it (MEM-10). */
import { Check, UserPlus, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Group } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { useFocusAfter, useWasEver } from './after-answer.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { GroupPicture } from './group-picture.tsx'
import { Name, nameOf } from './name.tsx'
import { Notice } from './notice.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from './async-action.tsx'

const texts = messages.invitation

type Way = 'join' | 'decline'
/** Each resolves with why it failed, undefined when it did not. */
export type Answers = Record<Way, (groupId: number) => Promise<string | undefined>>

/**
 * The groups that one was added to and has not joined, each with Join and Decline, and what came of the last answer.
 * Nothing where there are none.
 * @param rows shown at once: one may have a hundred
 * @param onDeclineAll offers to decline all where there are more than `rows`; resolves as {@link Answers} do
 */
export function Invitations({
  groups,
  answers,
  rows,
  onDeclineAll,
}: {
  groups: readonly Group[]
  answers: Answers
  rows: number
  onDeclineAll?: () => Promise<string | undefined>
}) {
  const [last, setLast] = useState<{ group: Group; way: Way } | 'all declined'>()
  const box = useFocusAfter<HTMLElement>(last)
  const open = groups.filter((group) => group.joined === false)
  const wasAsked = useWasEver(open.length > 0)
  if (!wasAsked) return null

  const answered = (group: Group, way: Way) => setLast({ group, way })
  const one = last === 'all declined' ? undefined : last

  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={texts.title}
      className="grid min-w-0 gap-3 focus-visible:outline-none"
    >
      <Notice tone="success">
        {one?.way === 'join' && (
          <>
            {texts.joined} <Name>{one.group.name}</Name>
          </>
        )}
      </Notice>
      <Notice tone="info">
        {last === 'all declined'
          ? texts.declinedAll
          : one?.way === 'decline' && (
              <Declined key={one.group.group_id} group={one.group} answers={answers} onAnswered={answered} />
            )}
      </Notice>
      {open.length > 0 && (
        <ul className="grid gap-3">
          {open.slice(0, rows).map((group) => (
            <Invitation key={group.group_id} group={group} answers={answers} onAnswered={answered} />
          ))}
        </ul>
      )}
      {open.length > rows && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-soft">{texts.more(open.length - rows)}</p>
          {onDeclineAll && (
            <DeclineAll
              count={open.length}
              decline={onDeclineAll}
              onDeclined={() => setLast('all declined')}
            />
          )}
        </div>
      )}
    </section>
  )
}

function DeclineAll({
  count,
  decline,
  onDeclined,
}: {
  count: number
  decline: () => Promise<string | undefined>
  onDeclined: () => void
}) {
  const task = useAsyncAction()
  const [isAsking, setAsking] = useState(false)

  async function declineAll(): Promise<Outcome | undefined> {
    const reason = await decline()
    if (reason !== undefined) return { tone: 'error', text: texts.declineFailed, reason }
    onDeclined()
    return undefined
  }

  return (
    <div className="grid gap-3">
      <Button
        variant="quiet"
        icon={<X aria-hidden />}
        aria-haspopup="dialog"
        busy={task.busy}
        busyLabel={texts.decliningAll}
        onClick={() => setAsking(true)}
      >
        {texts.declineAll}
      </Button>
      <OutcomeNotice outcome={task.outcome} />
      <ConfirmDialog
        open={isAsking}
        title={texts.declineAllTitle}
        confirmLabel={texts.declineAll}
        onConfirm={() => void task.start(declineAll)}
        onClose={() => setAsking(false)}
      >
        <p>{texts.declineAllConsequence(count)}</p>
      </ConfirmDialog>
    </div>
  )
}

type AnswerProps = { group: Group; answers: Answers; onAnswered: (group: Group, way: Way) => void }

function Invitation({ group, answers, onAnswered }: AnswerProps) {
  const id = useId()
  return (
    <li className="flex min-w-0 flex-wrap items-center justify-between gap-3 rounded-control border border-violet/40 bg-violet-deep/15 p-3">
      <div className="flex min-w-0 flex-1 basis-56 items-center gap-3">
        <GroupPicture group={group} className="size-11 rounded-control text-sm" />
        <p id={id} className="min-w-0 flex-1 text-sm leading-snug">
          {group.added_by ? (
            <>
              <Name className="font-semibold">{nameOf(group.added_by)}</Name> {texts.addedYouTo}
            </>
          ) : (
            texts.youWereAddedTo
          )}{' '}
          <Name className="font-semibold">{group.name}</Name>
        </p>
      </div>
      <AnswerButtons group={group} answers={answers} onAnswered={onAnswered} describedBy={id} />
    </li>
  )
}

/** Join and Decline, and what went wrong beside them. */
export function AnswerButtons({
  group,
  answers,
  onAnswered,
  describedBy,
}: AnswerProps & { describedBy: string }) {
  const { task, way, answer } = useAnswer({ group, answers, onAnswered })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Check aria-hidden className="text-mint" />}
          aria-describedby={describedBy}
          busy={task.busy && way === 'join'}
          busyLabel={texts.joining}
          disabled={task.busy}
          onClick={() => answer('join')}
        >
          {texts.join}
        </Button>
        <Button
          variant="quiet"
          aria-describedby={describedBy}
          busy={task.busy && way === 'decline'}
          busyLabel={texts.declining}
          disabled={task.busy}
          onClick={() => answer('decline')}
        >
          {texts.decline}
        </Button>
      </div>
      <OutcomeNotice outcome={task.outcome} />
    </div>
  )
}

/** What was declined, and the way back. */
function Declined({ group, answers, onAnswered }: AnswerProps) {
  const { task, answer } = useAnswer({ group, answers, onAnswered })
  return (
    <div className="grid justify-items-start gap-2">
      <p>
        {texts.declined} <Name>{group.name}</Name>
      </p>
      <Button
        icon={<UserPlus aria-hidden />}
        busy={task.busy}
        busyLabel={texts.joining}
        onClick={() => answer('join')}
      >
        {texts.joinAfterAll}
      </Button>
      <OutcomeNotice outcome={task.outcome} />
    </div>
  )
}

function useAnswer({ group, answers, onAnswered }: AnswerProps) {
  const task = useAsyncAction()
  const [way, setWay] = useState<Way>()

  function answer(chosen: Way) {
    setWay(chosen)
    void task.start(async () => {
      const reason = await answers[chosen](group.group_id)
      if (reason === undefined) {
        onAnswered(group, chosen)
        return undefined
      }
      return { tone: 'error', text: chosen === 'join' ? texts.joinFailed : texts.declineFailed, reason }
    })
  }
  return { task, way, answer }
}
