/**
 * The members of a group, with Remove and Leave (GPAGE-8, PERM-13).
 * Requirements: LOOK-14.
 */
import { LogOut, UserMinus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Group, GroupMember } from '#shared/entities.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { hasJoined, missingMembers, type MissingReason } from '../../data/common-games.ts'
import { useLeaveGroup, useRemoveMember } from '../../data/groups.ts'
import { group as groupTexts, library as libraryTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { ConfirmDialog } from '../../ui/frames/dialog.tsx'
import { Loaded, type Loadable } from '../../ui/frames/loaded.tsx'
import { Name, nameOf, PersonLink } from '../../ui/people/name.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { SyncedAgo } from '../../ui/words/relative-time.tsx'

const texts = groupTexts

/** As many as fit into the height of the list. */
const SKELETON_ROWS_MAX = 8

/**
 * The user's membership. While leaving and afterwards nothing of the group is requested, because it would be refused.
 * 'gone': the group was deleted.
 */
export type MembershipState = 'member' | 'leaving' | 'left' | 'gone'

/** @param onLeave called when leaving the group starts, succeeds or fails */
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
  const [selected, setSelected] = useState<GroupMember>()
  const [removing, setRemoving] = useState<readonly string[]>([])
  const box = useRef<HTMLDivElement>(null)
  const result = useRef<HTMLDivElement>(null)
  const isLeaving = selected?.steam_id === me
  const isOwner = group.owner_steam_id === me
  // Like the server: the longest-standing other member who has joined.
  const newOwner = members.data?.find((member) => member.steam_id !== me && hasJoined(member))
  const isDeleting = isLeaving && isOwner && !newOwner
  const reasons = new Map(
    missingMembers(members.data ?? [], me).map(({ member, reason }) => [member.steam_id, reason]),
  )

  // With fewer members the games above are more, and have moved the card.
  useEffect(() => {
    if (task.outcome) result.current?.scrollIntoView({ block: 'nearest' })
  }, [task.outcome])

  async function leave(): Promise<Outcome | undefined> {
    onLeave('leaving')
    try {
      await leaving.mutateAsync(group.group_id)
      onLeave(isOwner && !newOwner ? 'gone' : 'left')
      return undefined
    } catch (error) {
      onLeave('member')
      return failedOutcome(texts.leaveFailed, error)
    } finally {
      setRemoving((others) => others.filter((other) => other !== me))
    }
  }

  async function remove({ steam_id: steamId }: GroupMember): Promise<Outcome> {
    try {
      await removal.mutateAsync({ groupId: group.group_id, steamId })
      // The row is gone, and with it the button that had the focus.
      box.current?.focus()
      return { tone: 'success', text: texts.memberRemoved }
    } catch (error) {
      return failedOutcome(texts.memberRemoveFailed, error)
    } finally {
      setRemoving((others) => others.filter((other) => other !== steamId))
    }
  }

  return (
    <Card
      title={texts.members}
      action={
        group.joined &&
        group.member_count > 1 && <InviteByLink target={{ kind: 'group', id: group.group_id }} />
      }
    >
      <div ref={box} tabIndex={-1} className="grid scroll-mt-24 gap-3 focus-visible:outline-none">
        <div ref={result} className={`scroll-mt-24 scroll-mb-4 ${task.outcome ? '' : '-mb-3'}`}>
          <OutcomeNotice outcome={task.outcome} />
        </div>
        <Loaded
          query={members}
          failed={texts.membersFailed}
          skeleton={<ListSkeleton rows={Math.min(group.member_count, SKELETON_ROWS_MAX)} />}
        >
          {(list) => (
            <ul
              aria-label={texts.members}
              className="-mx-2 grid auto-rows-max max-h-[30rem] gap-0.5 overflow-y-auto overscroll-contain px-2"
            >
              {list.map((member) => (
                <Row
                  key={member.steam_id}
                  member={member}
                  isOwner={member.steam_id === group.owner_steam_id}
                  isMe={member.steam_id === me}
                  reason={reasons.get(member.steam_id)}
                  isBusy={removing.includes(member.steam_id)}
                  onRemove={() => setSelected(member)}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      <ConfirmDialog
        open={selected !== undefined}
        title={isLeaving ? texts.leaveTitle : texts.removeTitle}
        confirmLabel={isDeleting ? texts.leaveAndDelete : isLeaving ? texts.leave : texts.remove}
        onConfirm={() => {
          if (!selected) return
          setRemoving((others) => [...others, selected.steam_id])
          void task.queue(() => (selected.steam_id === me ? leave() : remove(selected)))
        }}
        onClose={() => setSelected(undefined)}
      >
        {isLeaving ? (
          <Consequence group={group} newOwner={newOwner} isOwner={isOwner} />
        ) : (
          <p>
            <Sentence
              text={texts.removeConsequence}
              values={{
                member: <Name className="font-semibold text-ink">{selected ? nameOf(selected) : ''}</Name>,
              }}
            />
          </p>
        )}
      </ConfirmDialog>
    </Card>
  )
}

/** What leaving means for the user and, if they own the group, for the other members. */
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
        <Sentence text={texts.leaveDeletes} values={{ group: name }} />
      </p>
    )
  return (
    <div className="grid gap-2">
      <p>
        <Sentence text={texts.leaveConsequence} values={{ group: name }} />
      </p>
      {isOwner && newOwner && (
        <p>
          <Sentence
            text={texts.leaveNewOwner}
            values={{ member: <Name className="font-semibold text-ink">{nameOf(newOwner)}</Name> }}
          />
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
  /** Why the member's games are not counted. */
  reason: MissingReason | undefined
  isBusy: boolean
  onRemove: () => void
}) {
  const removes = texts.removeNamed({ name: nameOf(member) })
  return (
    <li className="flex min-h-14 min-w-0 items-center gap-3 py-1">
      <Avatar src={member.avatar_url} size="small" />
      <div className="min-w-0 flex-1">
        <p className="min-w-0 leading-snug font-medium">
          <PersonLink
            steamId={member.steam_id}
            className="-my-2.75 inline-block py-2.75 align-bottom underline-offset-4 hover:underline"
          >
            <Name className="line-clamp-2">{nameOf(member)}</Name>
          </PersonLink>{' '}
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
        <Button
          variant="quiet"
          className="px-3!"
          icon={isMe ? <LogOut aria-hidden /> : <UserMinus aria-hidden />}
          // 'Remove' in every row but the owner's (GPAGE-8).
          aria-label={
            isBusy ? undefined : isMe ? (isOwner ? texts.leave : `${removes}: ${texts.leave}`) : removes
          }
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
  return reason === undefined ? <SyncedAgo at={library_synced_at} /> : libraryTexts.member[reason]
}
