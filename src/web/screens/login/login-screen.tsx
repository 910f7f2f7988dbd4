/** Login (LOGIN-1). */
import { LogIn, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { signInFailures, login as text, navigation, notFound } from 'virtual:texts'
import { useWindowTitle } from '../../ui/words/window-title.ts'
import { isStorageBlocked, useSession, useSignOutReason } from '../../session.ts'
import { useFocusWhenSet } from '../../ui/focus.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Name, visibleName } from '../../ui/people/name.tsx'
import { Notice } from '../../ui/forms/async-action.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { hasAskedForPage } from '../../wanted-page.ts'
import { Shelf } from './shelf.tsx'

/** Loaded only where they are shown. */

export function LoginScreen() {
  const [params] = useSearchParams()
  const session = useSession()
  const reason = useSignOutReason()
  const why = session ? undefined : whyHere(reason)
  // After a sign-out the focus moves to the reason, so that screen readers announce it.
  const notice = useFocusWhenSet<HTMLDivElement>(why)
  const [leaving, setLeaving] = useState(false)

  const hasFailed = params.get('error') === 'steam_auth_failed'

  useWindowTitle(text.title)
  useEffect(() => {
    // A session has ended, and its notifications with it (PUSH-20). Without a worker there are none.
    if (!session && navigator.serviceWorker?.controller)
      void import('../../data/push.ts').then(({ endOthers }) => endOthers())
  }, [session])
  useEffect(() => {
    // The browser may restore this page from its cache when the user returns from Steam.
    const shownAgain = () => setLeaving(false)
    window.addEventListener('pageshow', shownAgain)
    return () => window.removeEventListener('pageshow', shownAgain)
  }, [])

  return (
    <div className="animate-enter grid items-center gap-10 lg:grid-cols-[1.1fr_1fr] lg:gap-16">
      <div className="grid gap-6">
        <h1 className="text-4xl leading-[1.08] font-extrabold tracking-tight text-balance sm:text-6xl">
          {text.lead}
        </h1>
        <p className="max-w-[46ch] text-lg text-soft">{text.about}</p>
        {why !== undefined && (
          <div ref={notice} tabIndex={-1} className="focus-visible:outline-none">
            <Notice tone="info">{why}</Notice>
          </div>
        )}
        {isStorageBlocked && <Notice tone="error">{signInFailures.storageBlocked}</Notice>}
        {hasFailed && <Notice tone="error">{refusalText(params.get('reason'))}</Notice>}
        <div className="grid justify-items-start gap-4">
          <Button
            variant="primary"
            className="min-h-13! px-7! text-base!"
            icon={<LogIn aria-hidden />}
            busy={leaving}
            busyLabel={text.opening}
            onClick={() => {
              setLeaving(true)
              // A real navigation: the server redirects it to Steam.
              window.location.assign('/auth/steam')
            }}
          >
            {text.button}
          </Button>
          <p className="flex max-w-[44ch] items-start gap-2.5 text-sm text-soft">
            <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-mint" />
            {text.note}
          </p>
          {session && (
            <p className="text-sm text-soft">
              <Sentence
                text={text.signedInAs}
                values={{
                  name: <Name>{visibleName(session.displayName) ?? navigation.defaultName}</Name>,
                }}
              />{' '}
              <Link to="/dashboard" className="font-semibold text-mint underline underline-offset-4">
                {notFound.back}
              </Link>
            </p>
          )}
        </div>
      </div>
      <Shelf />
    </div>
  )
}

/** Why the visitor is here (LOGIN-9). A refused sign-in is shown by the query string instead. */
function whyHere(reason: ReturnType<typeof useSignOutReason>): string | undefined {
  if (reason === 'refused') return undefined
  if (reason !== undefined) return text.signedOut[reason]
  return hasAskedForPage() ? text.wanted : undefined
}

/** Why a sign-in failed, by the reason in the address (SIGN-9, SIGN-33, OPER-8). */
function refusalText(reason: string | null): string {
  const { refused, failed } = signInFailures
  return Object.entries<string>(refused).find(([code]) => code === reason)?.[1] ?? failed
}
