/** The route guard (ROUTE-13): a visitor without a stored steam id and token is sent to /login. */
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { clearQueryClient } from './data/query-client.ts'
import { forgetRefusal, SignedIn, useSession, useSignOutReason, wasRefused } from './session.ts'
import { forgetPage, rememberPage } from './wanted-page.ts'

/** Shows the protected routes if the user is signed in, otherwise redirects to /login. */
export function RequireSession() {
  const session = useSession()
  const steamId = session?.steamId
  const isSignedIn = session !== undefined
  const [lastSteamId, setLastSteamId] = useState(steamId)
  if (steamId !== undefined && steamId !== lastSteamId) setLastSteamId(steamId)
  useEffect(() => {
    if (isSignedIn) return
    clearQueryClient()
    forgetRefusal()
  }, [isSignedIn])
  if (isSignedIn) {
    return (
      <SignedIn value={session}>
        <Outlet />
      </SignedIn>
    )
  }
  return <ToLogin from={lastSteamId} />
}

/** @param from who was signed in here until now, if anybody */
function ToLogin({ from }: { from: string | undefined }) {
  const { pathname, search } = useLocation()
  const reason = useSignOutReason()
  // Who pressed Log Out, or deleted the account, does not want to come back to this page (LOGIN-10).
  const isOver =
    from !== undefined && (reason === undefined || reason === 'deleted' || reason === 'everywhere')
  useEffect(() => {
    if (isOver) forgetPage()
    else rememberPage(pathname + search, from)
  }, [isOver, pathname, search, from])
  return <Navigate to={wasRefused() ? '/login?error=steam_auth_failed' : '/login'} replace />
}
