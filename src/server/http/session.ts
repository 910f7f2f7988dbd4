/**
 * Identifies the sender of each request, and again after a wait (SIGN-29).
 * Requirements: PERM-3, SIGN-16.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { browserCookie, hashOfToken, type SessionInfo } from '../sessions/sessions.ts'
import { findHandover } from '../storage/accounts/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Empty where nobody needs to be signed in. */
    user: SteamId
    caller: SessionInfo
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** Whether the headers announce a body that is read before the handler (RFC 9112 section 6); a form is read later. */
export function hasBody({ headers, routeOptions }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return false
  const { upload } = routeOptions.config.endpoint!
  return upload === undefined || !headers['content-type']?.startsWith('multipart/')
}

export type Sessions = ReturnType<typeof createSessions>

/** Hooks that set `request.user` and `request.caller`. @throws AppError not_signed_in */
export function createSessions(
  http: FastifyInstance,
  { config, database, readCache, sessionUse, clock }: Deps,
) {
  const browserName = browserCookie(config.publicUrl).name
  http.decorateRequest('user', '')
  http.decorateRequest('caller')

  /** Also for a request that has waited since. */
  async function find(request: FastifyRequest): Promise<void> {
    const { access, afterSwap } = request.routeOptions.config.endpoint!
    const tokenHash = tokenHashOf(request)
    if (access !== 'anyone' && tokenHash === undefined) throw new AppError('not_signed_in')
    // The one poll of the database that a request needs before it reads.
    await readCache.refresh()
    if (access === 'anyone') {
      request.caller = { sessionId: 0, kind: 'lasting', tokenHash: '' }
      return
    }
    // For its 60 seconds a hand-over token may repeat such a call after it was swapped, when the response was lost (SIGN-17).
    const handover = afterSwap ? await findHandover(database, tokenHash!, clock()) : undefined
    const session = handover ?? (await readCache.session(tokenHash!, clock()))
    if (!session || (!handover && !(await sessionUse.record(session)))) throw new AppError('not_signed_in')
    const secret = request.cookies[browserName]
    request.user = session.steam_id
    request.caller = {
      sessionId: session.session_id,
      kind: handover ? 'handover' : session.kind,
      tokenHash: tokenHash!,
      browserHash: handover && secret !== undefined ? hashOfToken(secret) : undefined,
    }
  }

  return {
    find,
    /** After waiting for a body. */
    findAfterBody: async (request: FastifyRequest): Promise<void> => {
      if (hasBody(request)) await find(request)
    },
  }
}

/**
 * SHA-256 of a request's bearer token; undefined when it has none or the format is wrong. Only the Authorization header
 * counts, not cookies or the query.
 */
function tokenHashOf({ headers }: FastifyRequest): string | undefined {
  const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : hashOfToken(token)
}
