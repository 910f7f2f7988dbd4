/** Accepting an invitation, and coming back to a group that the user has just left (MEM-7, MEM-10). */
import { DoorOpen, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Group } from '#shared/entities.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { useForgetGroup, useInvitationActions, useJoinGroup } from '../../data/groups.ts'
import { group as groupTexts, invitation as invitationTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, Notice } from '../../ui/forms/async-action.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState } from '../../ui/frames/loaded.tsx'
import { useFocusWhenSet, useWasEverTrue } from '../../ui/focus.ts'
import { InvitationButtons } from '../../ui/people/invitation.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'

const texts = groupTexts

/** Join and Decline for a member who has not joined; nothing for others. */
export function JoinBanner({ group, onDeclined }: { group: Group; onDeclined: () => void }) {
  const { steamId } = useSignedIn()
  const actions = useInvitationActions(steamId)
  const [reply, setReply] = useState<'joined'>()
  const box = useFocusWhenSet<HTMLElement>(reply)
  const isInvited = group.joined === false
  const wasInvited = useWasEverTrue(isInvited)
  if (!wasInvited) return null

  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={invitationTexts.title}
      className="grid min-w-0 gap-3 focus-visible:outline-none"
    >
      <Notice tone="success">
        {reply && <Sentence text={invitationTexts.joined} values={{ group: <Name>{group.name}</Name> }} />}
      </Notice>
      {isInvited && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 rounded-card border border-violet/45 bg-violet-deep/20 p-5">
          <div id="invitation" className="grid min-w-0 flex-1 basis-72 gap-1">
            <p className="font-semibold">
              {group.added_by ? (
                <Sentence
                  text={invitationTexts.addedYou}
                  values={{ person: <Name>{nameOf(group.added_by)}</Name> }}
                />
              ) : (
                invitationTexts.youWereAdded
              )}
            </p>
            <p className="max-w-[75ch] text-sm text-soft">{invitationTexts.consequence}</p>
          </div>
          <InvitationButtons
            group={group}
            actions={actions}
            describedBy="invitation"
            onReplied={(_, sent) => (sent === 'join' ? setReply('joined') : onDeclined())}
          />
        </div>
      )}
    </section>
  )
}

/** Shown after leaving or declining, with a button to come back. The group is no longer requested. */
export function Left({ groupId, name, onBack }: { groupId: number; name: string; onBack: () => void }) {
  const { steamId } = useSignedIn()
  const joining = useJoinGroup(steamId)
  const forget = useForgetGroup()
  const task = useCallAction()
  useEffect(() => forget(groupId), [forget, groupId])

  const comeBack = task.run(() => joining.mutateAsync(groupId).then(() => onBack()), {
    failed: texts.comeBackFailed,
  })

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
              onClick={comeBack}
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

/** After the group was deleted: drops its data and navigates to the Groups screen. */
export function Deleted({ groupId }: { groupId: number }) {
  const navigate = useNavigate()
  const forget = useForgetGroup()
  useEffect(() => {
    forget(groupId)
    void navigate('/groups', { replace: true })
  }, [forget, groupId, navigate])
  return null
}
