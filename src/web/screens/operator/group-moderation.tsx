/** Groups that are reported or whose owner is blocked (OPER-14), and actions that ask for a reason (OPER-17). */
import { CheckCheck, Crown, ImageOff, PencilLine, Trash2 } from 'lucide-react'
import { useState, type ReactNode, useRef, type FormEvent } from 'react'
import type { ModeratedGroup } from '#shared/contract/operator.ts'
import { GROUP_NAME_MAX, OPERATOR_REASON_MAX } from '#shared/limits.ts'
import { type GroupChange, useOperatorActions, operatorQueries } from '../../data/operator.ts'
import { operator as texts } from 'virtual:texts'
import { Button } from '../../ui/forms/button.tsx'
import { isTooLong, useRequiredText } from '../../ui/forms/required-text.ts'
import { Select, TextField } from '../../ui/forms/field.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/frames/card.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { failedOutcome } from '../../layout/call-action.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'

type ChangeWithoutReason = GroupChange extends infer Change
  ? Change extends unknown
    ? Omit<Change, 'reason'>
    : never
  : never

const actions = {
  rename_group: [texts.renameTitle, texts.renameText, texts.rename, <PencilLine aria-hidden />],
  hand_over: [texts.handOverTitle, texts.handOverText, texts.handOver, <Crown aria-hidden />],
  dismiss_reports: [texts.dismissTitle, texts.dismissText, texts.dismiss, <CheckCheck aria-hidden />],
  remove_picture: [
    texts.removePictureTitle,
    texts.removePictureText,
    texts.removePicture,
    <ImageOff aria-hidden />,
  ],
  delete_group: [texts.deleteGroupTitle, texts.deleteGroupText, texts.deleteGroup, <Trash2 aria-hidden />],
} as const satisfies Record<GroupChange['action'], readonly [string, string, string, ReactNode]>

/** @param ask replaces the group's own dialog and notice, where the group may go with the action */
export function GroupModeration({ group, ask }: { group: ModeratedGroup; ask?: (asked: Asked) => void }) {
  const { changeGroup } = useOperatorActions()
  const own = useReasoned()
  const [name, setName] = useState(group.name)
  const [owner, setOwner] = useState('')
  const newOwner = group.candidates.find(({ steam_id }) => steam_id === owner)
  const isNameUsable = name.trim() !== '' && name.trim() !== group.name && !isTooLong(name, GROUP_NAME_MAX)

  function button(change: ChangeWithoutReason, { isDanger = false, isDisabled = false } = {}) {
    const [title, text, confirmLabel, icon] = actions[change.action]
    const asked: Asked = {
      title,
      text,
      confirmLabel,
      isHarmless: change.action === 'dismiss_reports',
      subject: <Name>{group.name}</Name>,
      run: (reason) => changeGroup.mutateAsync({ id: group.group_id, body: { ...change, reason } }),
      done: texts.groupDone,
    }
    return (
      <Button
        variant={isDanger ? 'danger' : 'secondary'}
        icon={icon}
        aria-haspopup="dialog"
        disabled={isDisabled}
        onClick={() => (ask ?? own.ask)(asked)}
      >
        {confirmLabel}
      </Button>
    )
  }

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
        {button({ action: 'rename_group', name: name.trim() }, { isDisabled: !isNameUsable })}
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
          {button({ action: 'hand_over', steam_id: owner }, { isDisabled: newOwner === undefined })}
        </div>
      )}
      <div className="flex flex-wrap gap-3 border-t border-line/60 pt-4">
        {group.reports.length > 0 && button({ action: 'dismiss_reports' })}
        {group.picture_image_url !== null && button({ action: 'remove_picture' }, { isDanger: true })}
        {button({ action: 'delete_group' }, { isDanger: true })}
      </div>
      {own.dialog}
    </article>
  )
}

export function ReportsCard() {
  const reports = useQuery(operatorQueries.reports())
  const { ask, notice, dialog } = useReasoned()
  return (
    <Card title={texts.reports}>
      {notice}
      <Loaded query={reports} failed={texts.reportsFailed} skeleton={<ListSkeleton rows={2} />}>
        {(groups) =>
          groups.length === 0 ? (
            <p className="text-sm text-soft">{texts.noReports}</p>
          ) : (
            groups.map((group) => (
              <GroupModeration key={`${group.group_id} ${group.name}`} group={group} ask={ask} />
            ))
          )
        }
      </Loaded>
      {dialog}
    </Card>
  )
}

export type Asked = {
  title: string
  /** The consequence, in a sentence. */
  text: string
  /** Whom or what it concerns. */
  subject?: ReactNode
  confirmLabel: string
  /** Nothing is lost by it, so it is not red. */
  isHarmless?: boolean
  run: (reason: string) => Promise<unknown>
  done: string
}

/**
 * @returns `ask` opens the dialog; `notice` has the outcome, and gets the focus because the button that was pressed may
 *   have gone; render both it and `dialog`
 */
export function useReasoned(): { ask: (asked: Asked) => void; notice: ReactNode; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<Outcome>()
  const box = useRef<HTMLDivElement>(null)
  const close = () => setAsked(undefined)
  return {
    ask: (next) => {
      setDone(undefined)
      setAsked(next)
    },
    notice: (
      <div ref={box} tabIndex={-1} className={done ? 'focus-visible:outline-none' : 'sr-only'}>
        <OutcomeNotice outcome={done} />
      </div>
    ),
    dialog: (
      <Dialog open={asked !== undefined} title={asked?.title ?? ''} onClose={close}>
        {asked && (
          <Confirmation
            asked={asked}
            onCancel={close}
            onDone={() => {
              setDone({ tone: 'success', text: asked.done })
              close()
              // After the dialog has given the focus back.
              setTimeout(() => box.current?.focus())
            }}
          />
        )}
      </Dialog>
    ),
  }
}

function Confirmation({
  asked,
  onCancel,
  onDone,
}: {
  asked: Asked
  onCancel: () => void
  onDone: () => void
}) {
  const action = useAsyncAction()
  const reason = useRequiredText({ max: OPERATOR_REASON_MAX, missing: texts.reasonMissing })

  async function run(): Promise<Outcome | undefined> {
    try {
      await asked.run(reason.text)
      onDone()
      return undefined
    } catch (error) {
      return failedOutcome(texts.actionFailed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason.check()) void action.start(run)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {asked.subject !== undefined && <div className="min-w-0 font-semibold">{asked.subject}</div>}
      <p className="text-soft">{asked.text}</p>
      <TextField label={texts.reason} hint={texts.reasonHint} {...reason.field} />
      <OutcomeNotice outcome={action.outcome} />
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          variant={asked.isHarmless === true ? 'primary' : 'danger'}
          busy={action.busy}
          busyLabel={texts.working}
        >
          {asked.confirmLabel}
        </Button>
      </footer>
    </form>
  )
}
