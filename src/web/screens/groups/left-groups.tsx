/**
 * Groups that the user left or declined, with buttons to come back or forget them (MEM-12, MEM-15).
 * Requirements: GLIST-10, GLIST-11.
 */
import { UserPlus, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { LeftGroup } from '#shared/entities.ts'
import { useForgetLeftGroup, useJoinGroup } from '../../data/groups.ts'
import { failureText, isNotFound } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { useFocusWhenSet, useWasEverTrue } from '../../ui/focus.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Name } from '../../ui/name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const texts = messages.groups.left

type Result = 'back' | 'forgotten'
/** The outcome of a row that is gone, shown above the list. */
type Ended = { group: LeftGroup; result: Result } | { failure: Outcome }

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
          {ended && 'result' in ended && (
            <Sentence text={texts[ended.result]} values={{ group: <Name>{ended.group.name}</Name> }} />
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
  const forgetting = useForgetLeftGroup(steamId)
  const task = useAsyncAction()
  const [pending, setPending] = useState<Result>()
  const [isAsking, setAsking] = useState(false)
  const id = useId()

  function start(chosen: Result) {
    setPending(chosen)
    void task.start(async (): Promise<Outcome | undefined> => {
      try {
        await (chosen === 'back' ? joining : forgetting).mutateAsync(group.group_id)
        onEnd({ group, result: chosen })
        return undefined
      } catch (error) {
        const isGone = isNotFound(error)
        const failure: Outcome = {
          tone: 'error',
          text: chosen === 'back' ? texts.comeBackFailed : texts.forgetFailed,
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
        <div className="flex flex-wrap gap-2">
          <Button
            icon={<UserPlus aria-hidden />}
            aria-describedby={id}
            busy={task.busy && pending === 'back'}
            busyLabel={texts.comingBack}
            disabled={task.busy}
            onClick={() => start('back')}
          >
            {texts.comeBack}
          </Button>
          <Button
            variant="quiet"
            icon={<X aria-hidden />}
            aria-describedby={id}
            aria-haspopup="dialog"
            busy={task.busy && pending === 'forgotten'}
            busyLabel={texts.forgetting}
            disabled={task.busy}
            onClick={() => setAsking(true)}
          >
            {texts.forget}
          </Button>
        </div>
      </div>
      <OutcomeNotice outcome={task.outcome} />
      <ConfirmDialog
        open={isAsking}
        title={texts.forgetTitle}
        confirmLabel={texts.forget}
        onConfirm={() => start('forgotten')}
        onClose={() => setAsking(false)}
      >
        <p>
          <Sentence
            text={texts.forgetConsequence}
            values={{ group: <Name className="font-semibold text-ink">{group.name}</Name> }}
          />
        </p>
      </ConfirmDialog>
    </li>
  )
}
