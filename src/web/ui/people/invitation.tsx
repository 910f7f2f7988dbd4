/** Invitations: who added the user to a group, with Join and Decline (MEM-10). */
import { Check, UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { Group } from '#shared/entities.ts'
import { messages, invitation as texts } from 'virtual:texts'
import { useFocusWhenSet, useWasEverTrue } from '../focus.ts'
import { Button } from '../forms/button.tsx'
import { GroupPicture } from './group-picture.tsx'
import { Name, nameOf, PersonLink } from './name.tsx'
import { Notice, OutcomeNotice, useAsyncAction } from '../forms/async-action.tsx'
import { Sentence } from '../words/sentence.tsx'

type Reply = 'join' | 'decline'
/** Each resolves with why it failed, or undefined on success. */
export type InvitationActions = Record<Reply, (groupId: number) => Promise<string | undefined>>

/**
 * The groups that the user was added to and has not joined, each with Join and Decline, and the outcome of the last
 * reply. Nothing if there are none.
 * @param rows how many to show at once, of up to hundreds
 */
export function Invitations({
  groups,
  actions,
  rows,
}: {
  groups: readonly Group[]
  actions: InvitationActions
  rows: number
}) {
  const [last, setLast] = useState<{ group: Group; reply: Reply }>()
  const box = useFocusWhenSet<HTMLElement>(last)
  const open = groups.filter((group) => group.joined === false)
  const hadInvitations = useWasEverTrue(open.length > 0)
  if (!hadInvitations) return null

  const onReplied = (group: Group, reply: Reply) => setLast({ group, reply })

  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={texts.title}
      className="grid min-w-0 gap-3 focus-visible:outline-none"
    >
      <Notice tone="success">
        {last?.reply === 'join' && (
          <Sentence text={texts.joined} values={{ group: <Name>{last.group.name}</Name> }} />
        )}
      </Notice>
      <Notice tone="info">
        {last?.reply === 'decline' && (
          <Declined key={last.group.group_id} group={last.group} actions={actions} onReplied={onReplied} />
        )}
      </Notice>
      {open.length > 0 && (
        <ul className="grid gap-3">
          {open.slice(0, rows).map((group) => (
            <Invitation key={group.group_id} group={group} actions={actions} onReplied={onReplied} />
          ))}
        </ul>
      )}
      {open.length > rows && (
        <p className="text-sm text-soft">{messages.andMore({ count: open.length - rows })}</p>
      )}
    </section>
  )
}

type ReplyProps = {
  group: Group
  actions: InvitationActions
  onReplied: (group: Group, reply: Reply) => void
}

function Invitation({ group, actions, onReplied }: ReplyProps) {
  const id = useId()
  const name = (
    <Link to={`/groups/${group.group_id}`} className="font-semibold underline-offset-4 hover:underline">
      <Name>{group.name}</Name>
    </Link>
  )
  return (
    <li className="flex min-w-0 flex-wrap items-center justify-between gap-3 rounded-control border border-violet/40 bg-violet-deep/15 p-3">
      <div className="flex min-w-0 flex-1 basis-56 items-center gap-3">
        <GroupPicture group={group} className="size-11 rounded-control text-sm" />
        <p id={id} className="min-w-0 flex-1 text-sm leading-snug">
          {group.added_by ? (
            <Sentence
              text={texts.addedYouTo}
              values={{
                person: (
                  <PersonLink
                    steamId={group.added_by.steam_id}
                    className="font-semibold underline-offset-4 hover:underline"
                  >
                    <Name>{nameOf(group.added_by)}</Name>
                  </PersonLink>
                ),
                group: name,
              }}
            />
          ) : (
            <Sentence text={texts.youWereAddedTo} values={{ group: name }} />
          )}
        </p>
      </div>
      <InvitationButtons group={group} actions={actions} onReplied={onReplied} describedBy={id} />
    </li>
  )
}

/** Join and Decline, with the error of the last attempt. */
export function InvitationButtons({
  group,
  actions,
  onReplied,
  describedBy,
}: ReplyProps & { describedBy: string }) {
  const { task, reply, send } = useReply({ group, actions, onReplied })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Check aria-hidden className="text-mint" />}
          aria-describedby={describedBy}
          busy={task.busy && reply === 'join'}
          busyLabel={texts.joining}
          disabled={task.busy}
          onClick={() => send('join')}
        >
          {texts.join}
        </Button>
        <Button
          variant="quiet"
          aria-describedby={describedBy}
          busy={task.busy && reply === 'decline'}
          busyLabel={texts.declining}
          disabled={task.busy}
          onClick={() => send('decline')}
        >
          {texts.decline}
        </Button>
      </div>
      <OutcomeNotice outcome={task.outcome} />
    </div>
  )
}

/** The group that was declined, with a button to join it after all. */
function Declined({ group, actions, onReplied }: ReplyProps) {
  const { task, send } = useReply({ group, actions, onReplied })
  return (
    <div className="grid justify-items-start gap-2">
      <p>
        <Sentence text={texts.declined} values={{ group: <Name>{group.name}</Name> }} />
      </p>
      <Button
        icon={<UserPlus aria-hidden />}
        busy={task.busy}
        busyLabel={texts.joining}
        onClick={() => send('join')}
      >
        {texts.joinAfterAll}
      </Button>
      <OutcomeNotice outcome={task.outcome} />
    </div>
  )
}

function useReply({ group, actions, onReplied }: ReplyProps) {
  const task = useAsyncAction()
  const [reply, setReply] = useState<Reply>()

  function send(chosen: Reply) {
    setReply(chosen)
    void task.start(async () => {
      const reason = await actions[chosen](group.group_id)
      if (reason === undefined) {
        onReplied(group, chosen)
        return undefined
      }
      return { tone: 'error', text: chosen === 'join' ? texts.joinFailed : texts.declineFailed, reason }
    })
  }
  return { task, reply, send }
}
