/** Identifies the sender of each request, and again after a wait (SIGN-29). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import {
  type AuthContext,
  authenticate,
  authenticateHandover,
  type SessionInfo,
  tokenHashOf,
} from '../sessions/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Empty where nobody needs to be signed in. */
    user: SteamId
    /** The user's session. */
    caller: SessionInfo
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** The caller of endpoints that need no session. */
const ANYONE: AuthContext = { user: '', caller: { sessionId: 0, kind: 'lasting', tokenHash: '' } }

type Hook = (request: FastifyRequest) => Promise<void>

export type Sessions = {
  /** Also for a request that has waited since. */
  find: Hook
  /** After waiting for a body. */
  findAfterBody: Hook
}

/** Whether the headers announce a body that is read before the handler (RFC 9112 section 6); a form is read later. */
export function hasBody({ headers, routeOptions }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return false
  const { upload } = routeOptions.config.endpoint!
  return upload === undefined || !headers['content-type']?.startsWith('multipart/')
}

/** Hooks that set `request.user` and `request.caller`. @throws AppError not_signed_in */
export function createSessions(http: FastifyInstance, deps: Deps): Sessions {
  const { readCache } = deps
  http.decorateRequest('user', '')
  http.decorateRequest('caller')

  const find: Hook = async (request) => {
    const { access, afterSwap } = request.routeOptions.config.endpoint!
    const tokenHash = tokenHashOf(request)
    if (access !== 'anyone' && tokenHash === undefined) throw new AppError('not_signed_in')
    // The one poll of the database that a request needs before it reads.
    await readCache.refresh()
    const authenticated = () =>
      afterSwap ? authenticateHandover(deps, tokenHash!, request.cookies) : authenticate(deps, tokenHash!)
    Object.assign(request, access === 'anyone' ? ANYONE : await authenticated())
  }

  return {
    find,
    findAfterBody: async (request) => {
      if (hasBody(request)) await find(request)
    },
  }
}
