/** Groups that the user left or declined, each with a button to come back (MEM-12, GLIST-10). */
import { UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import type { LeftGroup } from '#shared/entities.ts'
import { useJoinGroup } from '../../data/groups.ts'
import { failureText, isNotFound } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { useFocusWhenSet, useWasEverTrue } from '../../ui/focus.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Name } from '../../ui/name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const texts = messages.groups.left

/** The outcome of a row that is gone, shown above the list. */
type Ended = { group: LeftGroup } | { failure: Outcome }

/** The card; nothing if the user has left no group. */
export function LeftGroups({ groups }: { groups: readonly LeftGroup[] }) {
  const [ended, setEnded] = useState<Ended>()
  const box = useFocusWhenSet<HTMLDivElement>(ended)
  const wasEver = useWasEverTrue(groups.length > 0)
  if (!wasEver) return null
  return (
    <Card title={texts.title}>
      <div ref={box} tabIndex={-1} className="grid gap-3 focus-visible:outline-none">
        <Notice tone="success">
          {ended && 'group' in ended && (
            <Sentence text={texts.back} values={{ group: <Name>{ended.group.name}</Name> }} />
          )}
        </Notice>
        <OutcomeNotice outcome={ended && 'failure' in ended ? ended.failure : undefined} />
        {groups.length > 0 && (
          <>
            <p className="text-sm text-soft">{texts.hint}</p>
            <ul
              aria-label={texts.title}
              className="-mx-2 grid max-h-[24rem] gap-1 overflow-y-auto overscroll-contain px-2"
            >
              {groups.map((group) => (
                <Row key={group.group_id} group={group} onEnd={setEnded} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  )
}

function Row({ group, onEnd }: { group: LeftGroup; onEnd: (ended: Ended) => void }) {
  const { steamId } = useSignedIn()
  const joining = useJoinGroup(steamId)
  const task = useAsyncAction()
  const id = useId()

  function comeBack() {
    void task.start(async (): Promise<Outcome | undefined> => {
      try {
        await joining.mutateAsync(group.group_id)
        onEnd({ group })
        return undefined
      } catch (error) {
        const isGone = isNotFound(error)
        const failure: Outcome = {
          tone: 'error',
          text: texts.comeBackFailed,
          reason: isGone ? texts.gone : failureText(error, messages.somethingWrong),
        }
        if (!isGone) return failure
        onEnd({ failure })
        return undefined
      }
    })
  }

  return (
    <li className="grid min-w-0 gap-2 py-1">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p id={id} className="min-w-0 flex-1 basis-40 leading-snug font-medium">
          <Name className="line-clamp-2">{group.name}</Name>
        </p>
        <Button
          icon={<UserPlus aria-hidden />}
          aria-describedby={id}
          busy={task.busy}
          busyLabel={texts.comingBack}
          onClick={comeBack}
        >
          {texts.comeBack}
        </Button>
      </div>
      <OutcomeNotice outcome={task.outcome} />
    </li>
  )
}
