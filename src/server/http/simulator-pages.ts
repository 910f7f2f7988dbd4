/** Demo mode: the simulator's sign-in page and pictures on this server's own port (DEMO-6). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#shared/errors.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { AppError } from '../errors.ts'

/** The path of these pages; it exists in demo mode only. */
export const SIMULATOR_PATH = '/simulator'
/** The form of the sign-in page is much smaller. */
const FORM_MAX_BYTES = 16 * 1024

/** What the simulator refuses, in the format of every other refusal (DEMO-14). */
const REFUSALS: Record<number, ErrorCode> = { 400: 'invalid_input', 403: 'forbidden', 404: 'not_found' }

/** Mounts `/simulator/*`. The simulator's Web API and its control API are not below it. */
export function simulatorRoutes(scope: FastifyInstance, page: Simulator['page']): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
    (_request, body, done) => done(null, body),
  )
  scope.get(`${SIMULATOR_PATH}/*`, show)
  scope.post(`${SIMULATOR_PATH}/openid/login/as`, show)

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Also in the absolute form that proxies send. Browsers do not encode the letters of a path, but the router decodes them.
    const target = request.url.replace(/^https?:\/\/[^/]*/i, '')
    if (!target.startsWith(`${SIMULATOR_PATH}/`)) throw new AppError('not_found')
    const found = page({
      method: request.method,
      path: target.slice(SIMULATOR_PATH.length),
      // The host that the browser sent, also behind a trusted proxy.
      headers: { ...request.headers, host: request.host },
      body: typeof request.body === 'string' ? request.body : '',
    })
    if (!found) throw new AppError('not_found')
    const refused = REFUSALS[found.status]
    if (refused) throw new AppError(refused, { problem: found.refusal })
    return reply.code(found.status).headers(found.headers).send(found.body)
  }
}
