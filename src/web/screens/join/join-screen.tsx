/**
 * What a link opens (NIGHT-94): whose group or game night it is, and one button to join it.
 * Requirements: NIGHT-100.
 */
import { LogIn, Moon, Unlink, UsersRound } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useParams } from 'react-router'
import type { Invitation } from '#shared/contract/invites.ts'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { isNotFound, failureText } from '../../data/http.ts'
import { acceptInvitation, readInvitation } from '../../data/invites.ts'
import { messages, invites, signInFailures, login, navigation } from 'virtual:texts'
import { useWindowTitle } from '../../ui/words/window-title.ts'
import { isStorageBlocked, type Session, useSession } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, Notice } from '../../ui/forms/async-action.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { LoadFailure } from '../../ui/frames/loaded.tsx'
import { Name, visibleName } from '../../ui/people/name.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { Loading, Skeleton } from '../../ui/frames/skeletons.tsx'
import { answerKept, forgetPage, rememberReturn } from '../../wanted-page.ts'
import { AnswerButtons, NightFacts } from './invited-night.tsx'

const text = invites.join

export function JoinScreen() {
  const { token = '' } = useParams()
  const session = useSession()
  const [state, retry] = useInvitation(token)
  const [isGone, setGone] = useState(false)

  // Neither the token nor a name: titles end up in histories and on shared screens.
  useWindowTitle(text.windowTitle)
  if (isGone || state.is === 'gone') return <Gone isSignedIn={session !== undefined} />
  if (state.is === 'loading')
    return (
      <Frame>
        <Loading text={text.loading}>
          <Skeleton className="size-16 rounded-card" />
          <Skeleton className="h-10 w-3/4" />
          <Skeleton className="h-12 w-48 rounded-control" />
        </Loading>
      </Frame>
    )
  if (state.is === 'failed')
    return (
      <Frame>
        <h1 className="text-2xl font-bold">{text.windowTitle}</h1>
        <LoadFailure
          text={text.failed}
          reason={state.reason}
          action={<Button onClick={retry}>{messages.tryAgain}</Button>}
        />
      </Frame>
    )
  return (
    <Frame>
      <About invitation={state.invitation} />
      {session ? (
        <Join token={token} invitation={state.invitation} session={session} onGone={() => setGone(true)} />
      ) : (
        <SignIn token={token} invitation={state.invitation} />
      )}
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="animate-enter frosted mx-auto grid w-full max-w-2xl gap-6 rounded-card p-6 sm:p-10">
      {children}
    </div>
  )
}

function About({ invitation }: { invitation: Invitation }) {
  const { kind, name, invited_by, in_count } = invitation
  const inviter = visibleName(invited_by)
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-3 text-sm font-semibold text-violet">
        <span aria-hidden className="grid size-14 place-items-center rounded-card bg-raised [&_svg]:size-7">
          {kind === 'group' ? <UsersRound /> : <Moon />}
        </span>
        {text.kind[kind]}
      </p>
      <h1 className="grid gap-1 text-lg font-semibold text-balance text-soft sm:text-xl">
        <Sentence
          text={text.to[kind]}
          values={{
            name: (
              <Name className="line-clamp-3 text-3xl leading-tight font-extrabold tracking-tight text-ink sm:text-4xl">
                {visibleName(name) ?? text.untitled}
              </Name>
            ),
          }}
        />
      </h1>
      {inviter !== undefined && (
        <p>
          <Sentence text={text.invites} values={{ name: <Name className="font-semibold">{inviter}</Name> }} />
        </p>
      )}
      {kind === 'night' && <NightFacts invitation={invitation} />}
      {kind === 'group' && in_count !== undefined && (
        <p className="font-semibold text-mint">{text.count.group({ count: in_count })}</p>
      )}
      <p className="max-w-[56ch] text-soft">{text.about[kind]}</p>
    </div>
  )
}

/**
 * For visitors. What one comes back to is this page, where nothing is joined by itself but a night that was answered
 * before signing in.
 */
function SignIn({ token, invitation }: { token: string; invitation: Invitation }) {
  const [leaving, setLeaving] = useState<NightAnswer | 'join'>()
  const { pathname } = window.location
  useEffect(() => {
    // The browser may restore this page from its cache when the user returns from Steam.
    const shownAgain = () => setLeaving(undefined)
    window.addEventListener('pageshow', shownAgain)
    return () => window.removeEventListener('pageshow', shownAgain)
  }, [])

  function leave(answer: NightAnswer | undefined): void {
    setLeaving(answer ?? 'join')
    rememberReturn(pathname, answer)
    // A real navigation: the server redirects it to Steam. The link may be what lets one in (OPER-8).
    window.location.assign(`/auth/steam?invite=${encodeURIComponent(token)}`)
  }

  return (
    <div className="grid justify-items-start gap-3">
      {isStorageBlocked && <Notice tone="error">{signInFailures.storageBlocked}</Notice>}
      {isAnswered(invitation) ? (
        <>
          <AnswerButtons sending={leaving === 'join' ? undefined : leaving} onAnswer={leave} />
          <p className="text-sm text-soft">{text.signInToAnswer}</p>
          <FacesNote invitation={invitation} />
        </>
      ) : (
        <>
          <Button
            variant="primary"
            className="min-h-13! px-7! text-base!"
            icon={<LogIn aria-hidden />}
            busy={leaving !== undefined}
            busyLabel={login.opening}
            onClick={() => leave(undefined)}
          >
            {text.signIn}
          </Button>
          <p className="text-sm text-soft">{text.signInHint}</p>
        </>
      )}
      <p className="text-sm text-soft">{login.note}</p>
    </div>
  )
}

/** Whether one joins by an answer: to a night whose date is being found one answers on its page. */
function isAnswered({ kind, starts_at }: Invitation): boolean {
  return kind === 'night' && starts_at !== null
}

function FacesNote({ invitation: { faces_shown } }: { invitation: Invitation }) {
  return <p className="max-w-[56ch] text-sm text-soft">{faces_shown ? text.faces.on : text.faces.off}</p>
}

function Join({
  token,
  invitation,
  session,
  onGone,
}: {
  token: string
  invitation: Invitation
  session: Session
  onGone: () => void
}) {
  const { kind, name } = invitation
  const action = useAsyncAction()
  const [answer, setAnswer] = useState<NightAnswer>()
  const [kept] = useState(() => (isAnswered(invitation) ? answerKept(window.location.pathname) : undefined))
  const hasSentKept = useRef(false)

  const join = (given: NightAnswer | undefined) => {
    setAnswer(given)
    void action.start(async () => {
      try {
        const page = await acceptInvitation(token, given)
        // Replaced, so that the token is neither in the address nor one step back in the history.
        window.location.replace(page)
        // The button stays busy until the page has gone.
        return await new Promise<never>(() => undefined)
      } catch (error) {
        if (isNotFound(error)) {
          onGone()
          return undefined
        }
        return failedOutcome(text.joinFailed, error)
      }
    })
  }

  useEffect(() => {
    // Signed in: there is nothing to come back to from another page.
    forgetPage()
    if (kept === undefined || hasSentKept.current) return
    hasSentKept.current = true
    join(kept)
  })

  return (
    <div className="grid justify-items-start gap-4">
      <OutcomeNotice outcome={action.outcome} />
      {isAnswered(invitation) ? (
        <>
          <AnswerButtons sending={action.busy ? answer : undefined} onAnswer={join} />
          <FacesNote invitation={invitation} />
        </>
      ) : (
        <Button
          variant="primary"
          className="min-h-13! max-w-full px-7! text-base!"
          busy={action.busy}
          busyLabel={text.joining}
          onClick={() => join(undefined)}
        >
          <span className="line-clamp-2 min-w-0">
            <Sentence
              text={text.join}
              values={{
                group: (
                  <Name>{visibleName(name) ?? (kind === 'group' ? text.kind.group : text.untitled)}</Name>
                ),
              }}
            />
          </span>
        </Button>
      )}
      <p className="max-w-[56ch] text-sm text-soft">{text.consequence[kind]}</p>
      <p className="text-sm text-soft">
        <Sentence
          text={login.signedInAs}
          values={{
            name: (
              <Name className="font-semibold text-ink">
                {visibleName(session.displayName) ?? navigation.defaultName}
              </Name>
            ),
          }}
        />
      </p>
    </div>
  )
}

/** Unknown, expired, renewed and switched off are the same to who opens it. */
function Gone({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Frame>
      <span
        aria-hidden
        className="grid size-14 place-items-center rounded-card bg-raised text-amber [&_svg]:size-7"
      >
        <Unlink />
      </span>
      <h1 className="text-2xl font-bold tracking-tight">{text.goneTitle}</h1>
      <p role="status" className="text-soft">
        {text.gone}
      </p>
      <ButtonLink to={isSignedIn ? '/dashboard' : '/login'} variant="primary" className="justify-self-start">
        {isSignedIn ? text.toDashboard : text.toLogin}
      </ButtonLink>
    </Frame>
  )
}

type State =
  | { is: 'loading' }
  | { is: 'found'; invitation: Invitation }
  | { is: 'gone' }
  | { is: 'failed'; reason: string }

/** The state, and a function that reads it again. */
function useInvitation(token: string): [State, () => void] {
  const [state, setState] = useState<State>({ is: 'loading' })
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const stop = new AbortController()
    readInvitation(token, stop.signal).then(
      (invitation) => setState({ is: 'found', invitation }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        setState(
          isNotFound(error)
            ? { is: 'gone' }
            : { is: 'failed', reason: failureText(error, messages.somethingWrong) },
        )
      },
    )
    return () => stop.abort()
  }, [token, attempt])

  function retry(): void {
    setState({ is: 'loading' })
    setAttempt(attempt + 1)
  }
  return [state, retry]
}
