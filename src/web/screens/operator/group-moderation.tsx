/** One group that was reported or whose owner is blocked, and what an operator can do about it (OPER-14). */
import { CheckCheck, Crown, ImageOff, PencilLine, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ModeratedGroup } from '#shared/contract/operator.ts'
import { GROUP_NAME_MAX } from '#shared/limits.ts'
import { type GroupChange, useOperatorActions } from '../../data/operator.ts'
import { operator as texts } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { isTooLong } from '../../ui/characters.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { GroupPicture } from '../../ui/group-picture.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { type Asked, useReasoned } from './reasoned.tsx'

type ChangeWithoutReason = GroupChange extends infer Change
  ? Change extends unknown
    ? Omit<Change, 'reason'>
    : never
  : never

/** @param ask replaces the group's own dialog and notice, where the group may go with the action */
export function GroupModeration({ group, ask }: { group: ModeratedGroup; ask?: (asked: Asked) => void }) {
  const { changeGroup } = useOperatorActions()
  const own = useReasoned()
  const [name, setName] = useState(group.name)
  const [owner, setOwner] = useState('')
  const newOwner = group.candidates.find(({ steam_id }) => steam_id === owner)
  const isNameUsable = name.trim() !== '' && name.trim() !== group.name && !isTooLong(name, GROUP_NAME_MAX)

  function start(
    change: ChangeWithoutReason,
    labels: Pick<Asked, 'title' | 'text' | 'confirmLabel' | 'isHarmless'>,
  ) {
    const asked: Asked = {
      ...labels,
      subject: <Name>{group.name}</Name>,
      run: (reason) => changeGroup.mutateAsync({ id: group.group_id, body: { ...change, reason } }),
      done: texts.groupDone,
    }
    ;(ask ?? own.ask)(asked)
  }

  const button = (
    label: string,
    icon: ReactNode,
    onClick: () => void,
    { isDanger = false, isDisabled = false } = {},
  ) => (
    <Button
      variant={isDanger ? 'danger' : 'secondary'}
      icon={icon}
      aria-haspopup="dialog"
      disabled={isDisabled}
      onClick={onClick}
    >
      {label}
    </Button>
  )

  return (
    <article aria-label={group.name} className="grid gap-4 rounded-control border border-line/70 p-4">
      {own.notice}
      <div className="flex items-center gap-3">
        <GroupPicture group={group} className="size-14 rounded-control" />
        <div className="min-w-0">
          <h3 className="font-semibold">
            <Name className="line-clamp-2">{group.name}</Name>
          </h3>
          <p className="text-sm text-soft">
            {texts.members({ count: group.member_count })} ·{' '}
            <Sentence text={texts.ownedBy} values={{ owner: <Name>{nameOf(group.owner)}</Name> }} />{' '}
            <span className="tabular-nums">({group.owner.steam_id})</span>
          </p>
        </div>
      </div>
      {group.reports.length > 0 ? (
        <ul className="grid gap-2">
          {group.reports.map(({ about, reason, name_then, at }, index) => (
            <li key={index} className="rounded-control bg-deep/50 px-3.5 py-2.5 text-sm">
              <p className="break-words">
                <span className="font-semibold">{texts.about[about]}:</span> <Name>{reason}</Name>
              </p>
              <p className="text-soft">
                {name_then === group.name ? (
                  <RelativeTime time={at} />
                ) : (
                  <Sentence
                    text={texts.reportedUnder}
                    values={{ time: <RelativeTime time={at} />, name: name_then }}
                  />
                )}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-soft">{texts.ofBlocked}</p>
      )}
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          className="min-w-0 flex-1 basis-52"
          label={texts.newName}
          autoComplete="off"
          maxCharacters={GROUP_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {button(
          texts.rename,
          <PencilLine aria-hidden />,
          () =>
            start(
              { action: 'rename_group', name: name.trim() },
              { title: texts.renameTitle, text: texts.renameText, confirmLabel: texts.rename },
            ),
          { isDisabled: !isNameUsable },
        )}
      </div>
      {group.candidates.length === 0 ? (
        <p className="text-sm text-soft">{texts.noCandidates}</p>
      ) : (
        <div className="flex flex-wrap items-end gap-3">
          <Select
            className="min-w-0 flex-1 basis-52"
            label={texts.newOwner}
            options={{
              '': texts.chooseOwner,
              ...Object.fromEntries(group.candidates.map((one) => [one.steam_id, nameOf(one)])),
            }}
            value={newOwner?.steam_id ?? ''}
            onChange={setOwner}
          />
          {button(
            texts.handOver,
            <Crown aria-hidden />,
            () =>
              newOwner &&
              start(
                { action: 'hand_over', steam_id: newOwner.steam_id },
                { title: texts.handOverTitle, text: texts.handOverText, confirmLabel: texts.handOver },
              ),
            { isDisabled: newOwner === undefined },
          )}
        </div>
      )}
      <div className="flex flex-wrap gap-3 border-t border-line/60 pt-4">
        {group.reports.length > 0 &&
          button(texts.dismiss, <CheckCheck aria-hidden />, () =>
            start(
              { action: 'dismiss_reports' },
              {
                title: texts.dismissTitle,
                text: texts.dismissText,
                confirmLabel: texts.dismiss,
                isHarmless: true,
              },
            ),
          )}
        {group.picture_image_url !== null &&
          button(
            texts.removePicture,
            <ImageOff aria-hidden />,
            () =>
              start(
                { action: 'remove_picture' },
                {
                  title: texts.removePictureTitle,
                  text: texts.removePictureText,
                  confirmLabel: texts.removePicture,
                },
              ),
            { isDanger: true },
          )}
        {button(
          texts.deleteGroup,
          <Trash2 aria-hidden />,
          () =>
            start(
              { action: 'delete_group' },
              { title: texts.deleteGroupTitle, text: texts.deleteGroupText, confirmLabel: texts.deleteGroup },
            ),
          { isDanger: true },
        )}
      </div>
      {own.dialog}
    </article>
  )
}
