/** Finding an account, and blocking, signing out or deleting it (OPER-9, OPER-11). */
import { useQuery } from '@tanstack/react-query'
import { Ban, LogOut, Search, Trash2, Undo2 } from 'lucide-react'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { OperatorAccount } from '#shared/contract/operator.ts'
import { steamIdIn } from '#shared/steam-id.ts'
import { type AccountChange, operatorQueries, useOperatorActions } from '../../data/operator.ts'
import { operator as texts } from 'virtual:texts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { GroupModeration, useReasoned } from './group-moderation.tsx'

export function AccountsCard() {
  const [typed, setTyped] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const [found, setFound] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    const id = steamIdIn(typed)
    setInvalid(id === undefined)
    if (id === undefined) field.current?.focus()
    else setFound(id)
  }

  return (
    <Card title={texts.accounts}>
      <p className="text-sm text-soft">{texts.accountsHint}</p>
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <TextField
          ref={field}
          className="min-w-0 flex-1 basis-64"
          label={texts.find}
          hideLabel
          placeholder={texts.find}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={isInvalid ? texts.findInvalid : undefined}
          onChange={(event) => {
            setTyped(event.target.value)
            setInvalid(false)
          }}
        />
        <Button type="submit" icon={<Search aria-hidden />}>
          {texts.findButton}
        </Button>
      </form>
      {found !== undefined && <Account key={found} steamId={found} />}
      <Blocked onShow={setFound} />
    </Card>
  )
}

function Account({ steamId }: { steamId: string }) {
  const account = useQuery(operatorQueries.account(steamId))
  const { changeAccount } = useOperatorActions()
  const { ask, notice, dialog } = useReasoned()
  const actions = {
    block: [texts.blockTitle, texts.blockText, texts.block, texts.blockDone],
    unblock: [texts.unblockTitle, texts.unblockText, texts.unblock, texts.unblockDone],
    sign_out: [texts.signOutTitle, texts.signOutText, texts.signOut, texts.signOutDone],
    delete_account: [texts.deleteTitle, texts.deleteText, texts.delete, texts.deleteDone],
  } as const

  function button(person: OperatorAccount, action: AccountChange['action'], icon: ReactNode) {
    const [title, text, confirmLabel, done] = actions[action]
    const isHarmless = action === 'unblock'
    return (
      <Button
        variant={isHarmless ? 'secondary' : 'danger'}
        icon={icon}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title,
            text,
            confirmLabel,
            done,
            isHarmless,
            subject: <Name>{nameOf(person)}</Name>,
            run: (reason) => changeAccount.mutateAsync({ steamId, body: { action, reason } }),
          })
        }
      >
        {confirmLabel}
      </Button>
    )
  }

  return (
    <div className="grid gap-3 rounded-control border border-line/70 p-4" role="group" aria-label={steamId}>
      {notice}
      <Loaded query={account} failed={texts.accountFailed} skeleton={<ListSkeleton rows={1} />}>
        {(person) => (
          <>
            <div className="flex items-center gap-3">
              <Avatar src={person.avatar_url} />
              <div className="min-w-0">
                <p className="font-semibold">
                  <Name className="line-clamp-2">{nameOf(person)}</Name>
                  {person.is_operator && <span className="text-mint"> · {texts.isOperator}</span>}
                </p>
                <p className="text-sm text-soft tabular-nums">{person.steam_id}</p>
              </div>
            </div>
            <p className="text-sm text-soft">
              {person.signed_in_at === null ? (
                texts.never
              ) : (
                <>
                  <Sentence
                    text={texts.firstSignIn}
                    values={{ time: <RelativeTime time={person.signed_in_at} /> }}
                  />{' '}
                  · {texts.sessions({ count: person.sessions })}
                </>
              )}
            </p>
            {person.blocked && (
              <p className="text-sm text-rose">
                <Sentence
                  text={texts.blockedFor}
                  values={{
                    time: <RelativeTime time={person.blocked.at} />,
                    reason: person.blocked.reason,
                  }}
                />
              </p>
            )}
            <div className="flex flex-wrap gap-3">
              {person.blocked
                ? button(person, 'unblock', <Undo2 aria-hidden />)
                : !person.is_operator && button(person, 'block', <Ban aria-hidden />)}
              {person.sessions > 0 && button(person, 'sign_out', <LogOut aria-hidden />)}
              {person.signed_in_at !== null &&
                !person.is_operator &&
                button(person, 'delete_account', <Trash2 aria-hidden />)}
            </div>
            {person.owned_groups.length > 0 && <OwnedGroups groups={person.owned_groups} />}
          </>
        )}
      </Loaded>
      {dialog}
    </div>
  )
}

function OwnedGroups({ groups }: { groups: OperatorAccount['owned_groups'] }) {
  const [open, setOpen] = useState<number>()
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-semibold">{texts.ownedGroups}</h3>
      <ul className="grid gap-2">
        {groups.map(({ group_id, name }) => (
          <li key={group_id} className="grid gap-2">
            {open === group_id ? (
              <OwnedGroup groupId={group_id} />
            ) : (
              <Button className="justify-self-start" onClick={() => setOpen(group_id)}>
                <Name className="line-clamp-1">{texts.openGroup({ name })}</Name>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function OwnedGroup({ groupId }: { groupId: number }) {
  const group = useQuery(operatorQueries.group(groupId))
  return (
    <Loaded query={group} failed={texts.reportsFailed} skeleton={<ListSkeleton rows={1} />}>
      {(loaded) => <GroupModeration group={loaded} />}
    </Loaded>
  )
}

function Blocked({ onShow }: { onShow: (steamId: string) => void }) {
  const blocked = useQuery(operatorQueries.blocked())
  return (
    <div className="grid gap-2 border-t border-line/60 pt-4">
      <h3 className="text-sm font-semibold">{texts.blockedList}</h3>
      <Loaded query={blocked} failed={texts.accountFailed} skeleton={<ListSkeleton rows={1} />}>
        {(people) =>
          people.length === 0 ? (
            <p className="text-sm text-soft">{texts.noneBlocked}</p>
          ) : (
            <ul aria-label={texts.blockedList} className="grid divide-y divide-line/50">
              {people.map((person) => (
                <li key={person.steam_id} className="flex min-h-14 items-center gap-3">
                  <Avatar src={person.avatar_url} size="small" />
                  <p className="min-w-0 flex-1">
                    <Name className="line-clamp-1 font-medium">{nameOf(person)}</Name>
                    <span className="text-sm text-soft">
                      <Sentence text={texts.blocked} values={{ time: <RelativeTime time={person.at} /> }} />
                    </span>
                  </p>
                  <Button variant="quiet" onClick={() => onShow(person.steam_id)}>
                    {texts.show}
                    <span className="sr-only">{nameOf(person)}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}
