/** The sign-in landing (LOGIN-4, SIGN-14). */
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { completeSignIns } from '../../data/http.ts'
import { login } from 'virtual:texts'
import { beginSignIn, type Session } from '../../session.ts'
import { Loading } from '../../ui/frames/skeletons.tsx'
import { pageToReturnTo } from '../../wanted-page.ts'

/** Stores the values of the query string and redirects, without leaving the token in the history. */
export function SignInLandingScreen() {
  const [params] = useSearchParams()
  const navigate = useNavigate()

  useEffect(() => {
    const session = sessionFrom(params)
    if (session) {
      beginSignIn(session)
      void completeSignIns().then(endNotificationsOfOthers)
    }
    void navigate(session ? (pageToReturnTo() ?? '/dashboard') : '/login?error=steam_auth_failed', {
      replace: true,
    })
  }, [params, navigate])

  return <Loading text={login.signingIn} />
}

/** Who signs in over another user must not get their notifications (PUSH-20). */
async function endNotificationsOfOthers(): Promise<void> {
  // Without a worker there are none.
  if (navigator.serviceWorker?.controller) await (await import('../../data/push.ts')).endOthers()
}

/** The four values of the query string; undefined without both steam id and token (LOGIN-4). */
function sessionFrom(params: URLSearchParams): Session | undefined {
  const steamId = params.get('steam_id')
  const token = params.get('token')
  if (!steamId || !token) return undefined
  return {
    steamId,
    token,
    displayName: params.get('display_name') || undefined,
    avatarUrl: pictureUrl(params.get('avatar_url')),
  }
}

/** The text if it can be a picture's URL; other texts, such as "null", count as missing. */
function pictureUrl(text: string | null): string | undefined {
  return text && /^(https?:\/\/|\/)/.test(text) ? text : undefined
}
