/** The route guard (ROUTE-13): a visitor without a stored steam id and token is sent to /login. */
import { useEffect } from 'react'
import { Navigate, Outlet } from 'react-router'
import { clearQueryClient } from './data/query-client.ts'
import { forgetRefusal, useSession, wasRefused } from './session.ts'

/** Shows the protected routes if the user is signed in, otherwise redirects to /login. */
export function RequireSession() {
  const isSignedIn = useSession() !== undefined
  useEffect(() => {
    if (isSignedIn) return
    clearQueryClient()
    forgetRefusal()
  }, [isSignedIn])
  if (isSignedIn) return <Outlet />
  return <Navigate to={wasRefused() ? '/login?error=steam_auth_failed' : '/login'} replace />
}
