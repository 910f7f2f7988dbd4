/** The members of a group, and taking one out of it or leaving (GPAGE-8 to GPAGE-11, PERM-13). */
import { LogOut, UserMinus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Group, GroupMember } from '#shared/entities.ts'
import { hasJoined, missingMembers, type MissingReason } from '../../data/common-games.ts'
import { useLeaveGroup, useRemoveMember } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Loaded, type Loadable } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'

const texts = messages.group

/**
 * Who is leaving, or has left, asks for nothing of the group any more: it would be refused. 'gone': the group is
 * deleted.
 */
export type MembershipState = 'member' | 'leaving' | 'left' | 'gone'

/** @param onLeave told how far one has come in leaving the group oneself */
export function MembersCard({
  group,
  members,
  onLeave,
}: {
  group: Group
  members: Loadable<GroupMember[]>
  onLeave: (state: MembershipState) => void
}) {
  const { steamId: me } = useSignedIn()
  const removal = useRemoveMember(me)
  const leaving = useLeaveGroup(me)
  const task = useAsyncAction()
  const [asked, setAsked] = useState<GroupMember>()
  const [removing, setRemoving] = useState<readonly string[]>([])
  const box = useRef<HTMLDivElement>(null)
  const isLeaving = asked?.steam_id === me
  const isOwner = group.owner_steam_id === me
  // As the server does it: who has been in longest of those who have joined.
  const newOwner = members.data?.find((member) => member.steam_id !== me && hasJoined(member))
  const isDeleting = isLeaving && isOwner && !newOwner
  const reasons = new Map(
    missingMembers(members.data ?? [], me).map(({ member, reason }) => [member.steam_id, reason]),
  )

  async function leave(): Promise<Outcome | undefined> {
    onLeave('leaving')
    try {
      await leaving.mutateAsync(group.group_id)
      onLeave(isOwner && !newOwner ? 'gone' : 'left')
      return undefined
    } catch (error) {
      onLeave('member')
      return { tone: 'error', text: texts.leaveFailed, reason: failureText(error, messages.somethingWrong) }
    } finally {
      setRemoving((others) => others.filter((other) => other !== me))
    }
  }

  async function remove({ steam_id: steamId }: GroupMember): Promise<Outcome> {
    try {
      await removal.mutateAsync({ groupId: group.group_id, steamId })
      // The button that had the focus is gone with its row.
      box.current?.focus()
      return { tone: 'success', text: texts.memberRemoved }
    } catch (error) {
      return {
        tone: 'error',
        text: texts.memberRemoveFailed,
        reason: failureText(error, messages.somethingWrong),
      }
    } finally {
      setRemoving((others) => others.filter((other) => other !== steamId))
    }
  }

  return (
    <Card title={texts.members}>
      <div
        ref={box}
        id="members"
        tabIndex={-1}
        className="grid scroll-mt-24 gap-3 focus-visible:outline-none"
      >
        <OutcomeNotice outcome={task.outcome} />
        <Loaded query={members} failed={texts.membersFailed} skeleton={<ListSkeleton rows={3} />}>
          {(list) => (
            <ul
              aria-label={texts.members}
              className="-mx-2 grid max-h-[30rem] gap-0.5 overflow-y-auto overscroll-contain px-2"
            >
              {list.map((member) => (
                <Row
                  key={member.steam_id}
                  member={member}
                  isOwner={member.steam_id === group.owner_steam_id}
                  isMe={member.steam_id === me}
                  reason={reasons.get(member.steam_id)}
                  isBusy={removing.includes(member.steam_id)}
                  onRemove={() => setAsked(member)}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        title={isLeaving ? texts.leaveTitle : texts.removeTitle}
        confirmLabel={isDeleting ? texts.leaveAndDelete : isLeaving ? texts.leave : texts.remove}
        onConfirm={() => {
          if (!asked) return
          setRemoving((others) => [...others, asked.steam_id])
          void task.queue(() => (asked.steam_id === me ? leave() : remove(asked)))
        }}
        onClose={() => setAsked(undefined)}
      >
        {isLeaving ? (
          <Consequence group={group} newOwner={newOwner} isOwner={isOwner} />
        ) : (
          <p>
            <Name className="font-semibold text-ink">{asked ? nameOf(asked) : ''}</Name>{' '}
            {texts.removeConsequence}
          </p>
        )}
      </ConfirmDialog>
    </Card>
  )
}

/** What leaving means for oneself and, where one owns the group, for everybody else. */
function Consequence({
  group,
  newOwner,
  isOwner,
}: {
  group: Group
  newOwner: GroupMember | undefined
  isOwner: boolean
}) {
  const name = <Name className="font-semibold text-ink">{group.name}</Name>
  if (isOwner && !newOwner)
    return (
      <p>
        {name} {texts.leaveDeletes}
      </p>
    )
  return (
    <div className="grid gap-2">
      <p>
        {name} {texts.leaveConsequence}
      </p>
      {isOwner && newOwner && (
        <p>
          <Name className="font-semibold text-ink">{nameOf(newOwner)}</Name> {texts.leaveNewOwner}
        </p>
      )}
    </div>
  )
}

function Row({
  member,
  isOwner,
  isMe,
  reason,
  isBusy,
  onRemove,
}: {
  member: GroupMember
  isOwner: boolean
  isMe: boolean
  /** Why their games are not counted. */
  reason: MissingReason | undefined
  isBusy: boolean
  onRemove: () => void
}) {
  const id = useId()
  return (
    <li className="flex min-h-14 min-w-0 items-center gap-3 py-1">
      <Avatar src={member.avatar_url} size="small" />
      <div className="min-w-0 flex-1">
        <p id={id} className="min-w-0 leading-snug font-medium">
          <Name className="line-clamp-2">{nameOf(member)}</Name>{' '}
          {isOwner && <span className="text-sm whitespace-nowrap text-mint">{texts.owner}</span>}{' '}
          {isMe && (
            <span className="rounded-round bg-violet-deep/50 px-2 py-0.5 text-xs whitespace-nowrap">
              {texts.you}
            </span>
          )}
        </p>
        <p className="text-xs text-soft">
          {!hasJoined(member) && (
            <span className="text-violet">{isMe ? texts.notJoinedMe : texts.notJoined}</span>
          )}
          {!hasJoined(member) && reason !== 'unjoined' && ' · '}
          {reason !== 'unjoined' && <LibraryAge member={member} reason={reason} />}
        </p>
      </div>
      {(isMe || !isOwner) && (
        // The name is the button's description: those of others all read 'Remove' (GPAGE-9).
        <Button
          variant="quiet"
          className="px-3!"
          icon={isMe ? <LogOut aria-hidden /> : <UserMinus aria-hidden />}
          aria-describedby={id}
          aria-haspopup="dialog"
          busy={isBusy}
          busyLabel={isMe ? texts.leaving : texts.removing}
          onClick={onRemove}
        >
          {isMe ? texts.leave : texts.remove}
        </Button>
      )}
    </li>
  )
}

/** How old a member's library is, or why it is not known. */
function LibraryAge({
  member: { library_synced_at },
  reason,
}: {
  member: GroupMember
  reason: Exclude<MissingReason, 'unjoined'> | undefined
}) {
  if (reason !== undefined) return texts.library[reason]
  return (
    <>
      {messages.sync.synced} {library_synced_at !== null && <RelativeTime time={library_synced_at} />}
    </>
  )
}
