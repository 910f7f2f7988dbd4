/** The route guard of SPEC.md 2: a visitor without a stored steam id and token is sent to /login. */
import { Navigate, Outlet } from 'react-router'
import { useSession } from './session.ts'

/** Shows the protected routes within it to whoever is signed in. */
export function RequireSession() {
  return useSession() ? <Outlet /> : <Navigate to="/login" replace />
}
