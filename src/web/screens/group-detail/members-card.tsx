/** The members of a group, and taking one out of it or leaving (SPEC.md 2, 6, 8). */
import { UserMinus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Group, GroupMember } from '#shared/entities.ts'
import { useRemoveMember } from '../../data/groups.ts'
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
import { OutcomeNotice, useTask, type Outcome } from '../../ui/task.tsx'

const texts = messages.group

/** Who is leaving, or has left, asks for nothing of the group any more: it would be refused. */
export type Stay = 'member' | 'leaving' | 'left'

/** @param onLeave told how far one has come in leaving the group oneself */
export function MembersCard({
  group,
  members,
  onLeave,
}: {
  group: Group
  members: Loadable<GroupMember[]>
  onLeave: (stay: Stay) => void
}) {
  const { steamId: me } = useSignedIn()
  const removal = useRemoveMember(me)
  const task = useTask()
  const [asked, setAsked] = useState<GroupMember>()
  const [removing, setRemoving] = useState<readonly string[]>([])
  const box = useRef<HTMLDivElement>(null)
  const isLeaving = asked?.steam_id === me

  async function remove({ steam_id: steamId }: GroupMember): Promise<Outcome | undefined> {
    if (steamId === me) onLeave('leaving')
    try {
      await removal.mutateAsync({ groupId: group.group_id, steamId })
      if (steamId === me) {
        onLeave('left')
        return undefined
      }
      // The button that had the focus is gone with its row.
      box.current?.focus()
      return { tone: 'success', text: texts.memberRemoved }
    } catch (error) {
      if (steamId === me) onLeave('member')
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
        confirmLabel={isLeaving ? texts.leave : texts.remove}
        onConfirm={() => {
          if (!asked) return
          setRemoving((others) => [...others, asked.steam_id])
          void task.queue(() => remove(asked))
        }}
        onClose={() => setAsked(undefined)}
      >
        {isLeaving ? (
          <p>{texts.leaveConsequence}</p>
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

function Row({
  member,
  isOwner,
  isMe,
  isBusy,
  onRemove,
}: {
  member: GroupMember
  isOwner: boolean
  isMe: boolean
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
          <LibraryAge member={member} />
        </p>
      </div>
      {!isOwner && (
        // The name is the button's description: all of them read 'Remove' (SPEC.md 2).
        <Button
          variant="quiet"
          className="px-3!"
          icon={<UserMinus aria-hidden />}
          aria-describedby={id}
          busy={isBusy}
          busyLabel={texts.removing}
          onClick={onRemove}
        >
          {texts.remove}
        </Button>
      )}
    </li>
  )
}

/** How old a member's library is, or why it is not known. */
function LibraryAge({ member: { library_status, library_synced_at } }: { member: GroupMember }) {
  if (library_status !== 'ok') return texts.library[library_status]
  return (
    <>
      {messages.sync.synced} {library_synced_at !== null && <RelativeTime time={library_synced_at} />}
    </>
  )
}
