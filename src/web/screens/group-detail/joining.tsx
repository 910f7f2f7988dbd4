/** Joining a group one was added to, and coming back to one that one has just left (MEM-8, MEM-10). */
import { DoorOpen, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Group } from '#shared/entities.ts'
import { useForgetGroup, useInvitationAnswers, useJoinGroup } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { useFocusAfter, useWasEver } from '../../ui/after-answer.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AnswerButtons } from '../../ui/invitation.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'

const texts = messages.group
const asking = messages.invitation

/** Join and Decline for who was added and has not joined; nothing for others. */
export function JoinBanner({ group, onDeclined }: { group: Group; onDeclined: () => void }) {
  const { steamId } = useSignedIn()
  const answers = useInvitationAnswers(steamId)
  const [answer, setAnswer] = useState<'joined'>()
  const box = useFocusAfter<HTMLElement>(answer)
  const isAsked = group.joined === false
  const wasAsked = useWasEver(isAsked)
  if (!wasAsked) return null

  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={asking.title}
      className="grid min-w-0 gap-3 focus-visible:outline-none"
    >
      <Notice tone="success">
        {answer && (
          <>
            {asking.joined} <Name>{group.name}</Name>
          </>
        )}
      </Notice>
      {isAsked && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 rounded-card border border-violet/45 bg-violet-deep/20 p-5">
          <div id="invitation" className="grid min-w-0 flex-1 basis-72 gap-1">
            <p className="font-semibold">
              {group.added_by ? (
                <>
                  <Name>{nameOf(group.added_by)}</Name> {asking.addedYou}
                </>
              ) : (
                asking.youWereAdded
              )}
            </p>
            <p className="max-w-[75ch] text-sm text-soft">{asking.consequence}</p>
          </div>
          <AnswerButtons
            group={group}
            answers={answers}
            describedBy="invitation"
            onAnswered={(_, way) => (way === 'join' ? setAnswer('joined') : onDeclined())}
          />
        </div>
      )}
    </section>
  )
}

/** After leaving, or declining: the way back. Nothing of the group is asked for any more. */
export function Left({ groupId, name, onBack }: { groupId: number; name: string; onBack: () => void }) {
  const { steamId } = useSignedIn()
  const joining = useJoinGroup(steamId)
  const forget = useForgetGroup()
  const task = useAsyncAction()
  useEffect(() => forget(groupId), [forget, groupId])

  async function comeBack(): Promise<Outcome | undefined> {
    try {
      await joining.mutateAsync(groupId)
      onBack()
      return undefined
    } catch (error) {
      return {
        tone: 'error',
        text: texts.comeBackFailed,
        reason: failureText(error, messages.somethingWrong),
      }
    }
  }

  return (
    <Screen title={<Name>{name}</Name>} windowTitle={name}>
      <EmptyState
        icon={<DoorOpen />}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button
              icon={<UserPlus aria-hidden />}
              busy={task.busy}
              busyLabel={texts.comingBack}
              onClick={() => void task.start(comeBack)}
            >
              {texts.comeBack}
            </Button>
            <ButtonLink variant="primary" to="/groups">
              {texts.back}
            </ButtonLink>
          </div>
        }
      >
        <span role="status">{texts.left}</span> {texts.leftHint}
      </EmptyState>
      <OutcomeNotice outcome={task.outcome} />
    </Screen>
  )
}

/** The group is deleted: nothing of it is kept, and the Groups screen says so. */
export function Deleted({ groupId, name }: { groupId: number; name: string }) {
  const navigate = useNavigate()
  const forget = useForgetGroup()
  useEffect(() => {
    forget(groupId)
    void navigate('/groups', { replace: true, state: { deletedGroup: name } })
  }, [forget, groupId, name, navigate])
  return null
}
