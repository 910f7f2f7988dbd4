/** Having been added to a group: by whom, and the answer to it (CONTRACT.md 'Membership'). */
import { Check, UserPlus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Group } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'
import { GroupPicture } from './group-picture.tsx'
import { Name, nameOf } from './name.tsx'
import { Notice } from './notice.tsx'
import { OutcomeNotice, useTask } from './task.tsx'

const texts = messages.invitation

type Way = 'join' | 'decline'
/** Each resolves with why it failed, undefined when it did not. */
export type Answers = Record<Way, (groupId: number) => Promise<string | undefined>>

/** Invitations shown at once: one may have hundreds. */
const SHOWN = 3

/**
 * The groups that one was added to and has not joined, each with Join and Decline, and what came of the last answer.
 * Nothing where there are none.
 */
export function Invitations({ groups, answers }: { groups: readonly Group[]; answers: Answers }) {
  const box = useRef<HTMLElement>(null)
  const [last, setLast] = useState<{ group: Group; way: Way }>()
  const open = groups.filter((group) => group.joined === false)
  if (open.length === 0 && last === undefined) return null

  function answered(group: Group, way: Way) {
    setLast({ group, way })
    // The button that had the focus is gone with its row.
    box.current?.focus()
  }

  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={texts.title}
      className="grid min-w-0 gap-3 focus-visible:outline-none"
    >
      <Notice tone="success">
        {last?.way === 'join' && (
          <>
            {texts.joined} <Name>{last.group.name}</Name>.
          </>
        )}
      </Notice>
      <Notice tone="info">
        {last?.way === 'decline' && (
          <Declined key={last.group.group_id} group={last.group} answers={answers} onAnswered={answered} />
        )}
      </Notice>
      {open.length > 0 && (
        <ul className="grid gap-3">
          {open.slice(0, SHOWN).map((group) => (
            <Invitation key={group.group_id} group={group} answers={answers} onAnswered={answered} />
          ))}
        </ul>
      )}
      {open.length > SHOWN && <p className="text-sm text-soft">{texts.more(open.length - SHOWN)}</p>}
    </section>
  )
}

type AnswerProps = { group: Group; answers: Answers; onAnswered: (group: Group, way: Way) => void }

function Invitation({ group, answers, onAnswered }: AnswerProps) {
  const id = useId()
  return (
    <li className="grid min-w-0 gap-3 rounded-control border border-violet/40 bg-violet-deep/15 p-3.5">
      <div className="flex min-w-0 items-center gap-3">
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
          variant="primary"
          icon={<Check aria-hidden />}
          aria-describedby={describedBy}
          busy={task.busy && way === 'join'}
          busyLabel={texts.joining}
          disabled={task.busy}
          onClick={() => answer('join')}
        >
          {texts.join}
        </Button>
        <Button
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
        {texts.declined} <Name>{group.name}</Name>.
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
  const task = useTask()
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
