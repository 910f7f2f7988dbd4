/** Actions of the owner of a group: rename, game nights, hand over, delete (PERM-13). */
import { Crown, PencilLine, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Group, GroupMember } from '#shared/entities.ts'
import { GROUP_NAME_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { hasJoined } from '../../data/common-games.ts'
import { useDeleteGroup, useHandOverGroup, useRenameGroup } from '../../data/groups.ts'
import { group as groupTexts, groups } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { ConfirmDialog } from '../../ui/frames/dialog.tsx'
import { Select, TextField } from '../../ui/forms/field.tsx'
import { useFocusWhenSet } from '../../ui/focus.ts'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { useRequiredText } from '../../ui/forms/required-text.ts'
import { FormerMembers } from './former-members.tsx'
import type { MembershipState } from './members-card.tsx'
import { NightSettings } from './night-settings.tsx'

const texts = groupTexts

/**
 * For the owner only; after handing the group over it shows the outcome to the former owner.
 * @param onLeave called when the deletion of the group starts, succeeds or fails
 */
export function ManageGroupCard({
  group,
  members,
  onLeave,
}: {
  group: Group
  members: readonly GroupMember[]
  onLeave: (state: MembershipState) => void
}) {
  const { steamId } = useSignedIn()
  const [handedOver, setHandedOver] = useState<Outcome>()
  const box = useFocusWhenSet<HTMLDivElement>(handedOver)
  const isOwner = group.owner_steam_id === steamId
  if (!isOwner && !handedOver) return null
  return (
    // Of two columns the second, which is otherwise empty beside it.
    <Card
      title={texts.manage}
      className="md:max-2xl:col-start-2 md:max-2xl:row-span-2 md:max-2xl:row-start-1"
    >
      <div ref={box} tabIndex={-1} className="grid gap-5 focus-visible:outline-none">
        <OutcomeNotice outcome={handedOver} />
        {isOwner && (
          <>
            <Rename group={group} />
            <NightSettings groupId={group.group_id} />
            <HandOver
              group={group}
              members={members}
              onDone={() => setHandedOver({ tone: 'success', text: texts.handedOver })}
            />
            <FormerMembers groupId={group.group_id} />
            <Delete group={group} onLeave={onLeave} />
          </>
        )}
      </div>
    </Card>
  )
}

function Rename({ group }: { group: Group }) {
  const { steamId } = useSignedIn()
  const renaming = useRenameGroup(steamId)
  const task = useAsyncAction()
  const name = useRequiredText({
    initial: group.name,
    max: GROUP_NAME_MAX,
    missing: groups.nameRequired,
  })

  async function rename(): Promise<Outcome> {
    try {
      name.setText((await renaming.mutateAsync({ groupId: group.group_id, name: name.text })).name)
      return { tone: 'success', text: texts.renamed }
    } catch (error) {
      return failedOutcome(texts.renameFailed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.check()) void task.start(rename)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <TextField label={texts.name} {...name.field} />
      <Button type="submit" icon={<PencilLine aria-hidden />} busy={task.busy} busyLabel={texts.renaming}>
        {texts.rename}
      </Button>
      <OutcomeNotice outcome={task.outcome} />
    </form>
  )
}

function HandOver({
  group,
  members,
  onDone,
}: {
  group: Group
  members: readonly GroupMember[]
  onDone: () => void
}) {
  const { steamId } = useSignedIn()
  const handing = useHandOverGroup(steamId)
  const task = useAsyncAction()
  const [chosen, setChosen] = useState('')
  const [isAsking, setAsking] = useState(false)
  const candidates = members.filter((member) => member.steam_id !== steamId && hasJoined(member))
  // The chosen member may have left meanwhile.
  const newOwner = candidates.find(({ steam_id }) => steam_id === chosen)

  async function handOver({ steam_id }: GroupMember): Promise<Outcome | undefined> {
    try {
      await handing.mutateAsync({ groupId: group.group_id, steamId: steam_id })
      onDone()
      return undefined
    } catch (error) {
      return failedOutcome(texts.handOverFailed, error)
    }
  }

  return (
    <div className="grid gap-3 border-t border-line/60 pt-4">
      {candidates.length === 0 ? (
        <p className="text-sm text-soft">{texts.noNewOwner}</p>
      ) : (
        <>
          <Select
            label={texts.newOwner}
            options={{
              '': texts.chooseOwner,
              ...Object.fromEntries(candidates.map((member) => [member.steam_id, nameOf(member)])),
            }}
            value={newOwner?.steam_id ?? ''}
            onChange={setChosen}
          />
          <Button
            icon={<Crown aria-hidden />}
            aria-haspopup="dialog"
            disabled={newOwner === undefined}
            busy={task.busy}
            busyLabel={texts.handingOver}
            onClick={() => setAsking(true)}
          >
            {texts.handOver}
          </Button>
        </>
      )}
      <OutcomeNotice outcome={task.outcome} />
      <ConfirmDialog
        open={isAsking && newOwner !== undefined}
        title={texts.handOverTitle}
        confirmLabel={texts.handOver}
        onConfirm={() => newOwner && void task.start(() => handOver(newOwner))}
        onClose={() => setAsking(false)}
      >
        <p>
          <Sentence
            text={texts.handOverConsequence}
            values={{
              member: <Name className="font-semibold text-ink">{newOwner ? nameOf(newOwner) : ''}</Name>,
              group: <Name className="font-semibold text-ink">{group.name}</Name>,
            }}
          />
        </p>
        <p className="mt-2">
          {texts.handOverAfter} {texts.handOverWebhook}
        </p>
      </ConfirmDialog>
    </div>
  )
}

function Delete({ group, onLeave }: { group: Group; onLeave: (state: MembershipState) => void }) {
  const { steamId } = useSignedIn()
  const deletion = useDeleteGroup(steamId)
  const task = useAsyncAction()
  const [isAsking, setAsking] = useState(false)

  async function deleteGroup(): Promise<Outcome | undefined> {
    onLeave('leaving')
    try {
      await deletion.mutateAsync(group.group_id)
      onLeave('gone')
      return undefined
    } catch (error) {
      onLeave('member')
      return failedOutcome(texts.deleteFailed, error)
    }
  }

  return (
    <div className="grid gap-3 border-t border-line/60 pt-4">
      <Button
        variant="danger"
        icon={<Trash2 aria-hidden />}
        aria-haspopup="dialog"
        busy={task.busy}
        busyLabel={texts.deleting}
        onClick={() => setAsking(true)}
      >
        {texts.deleteGroup}
      </Button>
      <OutcomeNotice outcome={task.outcome} />
      <ConfirmDialog
        open={isAsking}
        title={texts.deleteTitle}
        confirmLabel={texts.deleteGroup}
        onConfirm={() => void task.start(deleteGroup)}
        onClose={() => setAsking(false)}
      >
        <p>
          <Sentence
            text={texts.deleteConsequence}
            values={{ group: <Name className="font-semibold text-ink">{group.name}</Name> }}
          />
        </p>
      </ConfirmDialog>
    </div>
  )
}
