/** Active sessions, signing them out (SIGN-29), and deleting the account. */
import { useQuery } from '@tanstack/react-query'
import { LogOut, MonitorSmartphone, Trash2 } from 'lucide-react'
import { useId, useRef, useState, type FormEvent } from 'react'
import type { Session } from '#shared/contract/session.ts'
import {
  accountQueries,
  useRevokeAllSessions,
  useRevokeSession,
  useDeleteAccount,
} from '../../data/account.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { account as texts, wizard } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { ConfirmDialog, Dialog } from '../../ui/frames/dialog.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { TextField } from '../../ui/forms/field.tsx'

export function SessionsCard() {
  const { steamId } = useSignedIn()
  const sessions = useQuery(accountQueries.sessions(steamId))
  const revoke = useRevokeSession(steamId)
  const revokeAll = useRevokeAllSessions(steamId)
  const action = useAsyncAction()
  const [ending, setEnding] = useState<number | 'all'>()
  const [isAsking, setAsking] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  async function end(session: number | 'all'): Promise<Outcome | undefined> {
    setEnding(session)
    try {
      if (session === 'all') {
        // This signs out here too, and the route guard redirects to /login.
        await revokeAll.mutateAsync()
        return undefined
      }
      await revoke.mutateAsync(session)
      // The button that had the focus is gone with its row.
      box.current?.focus()
      return { tone: 'success', text: texts.signedOut }
    } catch (error) {
      return failedOutcome(session === 'all' ? texts.signOutEverywhereFailed : texts.signOutFailed, error)
    } finally {
      setEnding(undefined)
    }
  }

  return (
    <Card title={texts.sessions}>
      <div ref={box} tabIndex={-1} className="grid gap-3 focus-visible:outline-none">
        <p className="text-sm text-soft">{texts.sessionsHint}</p>
        <OutcomeNotice outcome={action.outcome} />
        <Loaded query={sessions} failed={texts.sessionsFailed} skeleton={<ListSkeleton rows={2} />}>
          {(list) => (
            <ul aria-label={texts.sessions} className="grid divide-y divide-line/50">
              {list.map((session) => (
                <Row
                  key={session.session_id}
                  session={session}
                  isBusy={ending === session.session_id}
                  onEnd={() => void action.start(() => end(session.session_id))}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      <Button
        icon={<LogOut aria-hidden />}
        className="self-start"
        busy={ending === 'all'}
        busyLabel={texts.signingOut}
        onClick={() => setAsking(true)}
      >
        {texts.signOutEverywhere}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.signOutEverywhereTitle}
        confirmLabel={texts.signOutEverywhere}
        onConfirm={() => void action.start(() => end('all'))}
        onClose={() => setAsking(false)}
      >
        <p>{texts.signOutEverywhereConsequence}</p>
      </ConfirmDialog>
    </Card>
  )
}

function Row({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const id = useId()
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-round bg-raised text-violet"
      >
        <MonitorSmartphone className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <p id={id} className="font-medium" title={session.user_agent}>
          {browserOf(session.user_agent) ?? texts.unknownBrowser}
        </p>
        <p className="text-sm text-soft">
          {session.current ? (
            <span className="text-mint">{texts.thisBrowser}</span>
          ) : (
            <Sentence text={texts.lastUsed} values={{ time: <RelativeTime time={session.last_used_at} /> }} />
          )}
          {' · '}
          <Sentence text={texts.signedIn} values={{ time: <RelativeTime time={session.created_at} /> }} />
        </p>
      </div>
      {/* The current session has Log Out in the sidebar. */}
      {!session.current && (
        <Button
          variant="quiet"
          aria-describedby={id}
          busy={isBusy}
          busyLabel={texts.signingOut}
          onClick={onEnd}
        >
          {texts.signOut}
        </Button>
      )}
    </li>
  )
}

/** Most user agents also contain the names of browsers further down, so the first match counts. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Valve Steam/, 'Steam'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** 'Firefox on Windows', from a user agent; undefined if neither browser nor system is known. */
export function browserOf(userAgent: string): string | undefined {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1],
  )
  return browser && system ? texts.browserOn({ browser, system }) : (browser ?? system)
}

export function DeleteAccountCard() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Card title={texts.delete}>
      <p className="text-sm text-soft">{texts.deleteHint}</p>
      <Button
        variant="danger"
        icon={<Trash2 aria-hidden />}
        className="self-start"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {texts.deleteButton}
      </Button>
      <Dialog open={isOpen} title={texts.deleteTitle} onClose={close}>
        <DeletionQuestion onCancel={close} />
      </Dialog>
    </Card>
  )
}

function DeletionQuestion({ onCancel }: { onCancel: () => void }) {
  const { steamId } = useSignedIn()
  const deletion = useDeleteAccount(steamId)
  const action = useAsyncAction()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim().toUpperCase() === texts.deleteWord

  async function deleteAll(): Promise<Outcome | undefined> {
    try {
      // The deletion signs out, and the route guard redirects to /login.
      await deletion.mutateAsync()
      return undefined
    } catch (error) {
      return failedOutcome(texts.deleteFailed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isConfirmed) void action.start(deleteAll)
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{texts.deleteHint}</p>
      <p className="font-medium">{texts.deleteConsequence}</p>
      <TextField
        label={texts.deleteType({ word: texts.deleteWord })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <OutcomeNotice outcome={action.outcome} />
      <footer className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          {wizard.cancel}
        </Button>
        <Button
          type="submit"
          variant="danger"
          disabled={!isConfirmed}
          busy={action.busy}
          busyLabel={texts.deleting}
        >
          {texts.deleteConfirm}
        </Button>
      </footer>
    </form>
  )
}
