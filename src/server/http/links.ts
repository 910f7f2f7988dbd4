/** Serves what is behind secret links to people and programs without a session (NIGHT-65). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { RequestLimiter } from './limits.ts'
import type { OverloadGuard } from './overload.ts'

type Options = {
  overload: Pick<OverloadGuard, 'admit'>
  limiter: Pick<RequestLimiter, 'countToken'>
  addressOf: (request: IncomingMessage) => string
  /** The calendar with a token; undefined when there is none. */
  readCalendar: (token: string) => Promise<string | undefined>
}

type WithToken = FastifyRequest<{ Params: { token: string } }>

/** Mounts `GET /calendar/:token.ics`. The token is the permission; whatever has none is the same 404. */
export function linkRoutes(app: FastifyInstance, options: Options): void {
  app.get('/calendar/:token.ics', async (request: WithToken, reply) => {
    const text = await found(request, reply, options.readCalendar)
    return reply
      .headers({ 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' })
      .type('text/calendar; charset=utf-8')
      .send(text)
  })

  async function found<T>(
    request: WithToken,
    reply: FastifyReply,
    read: (token: string) => Promise<T | undefined>,
  ): Promise<T> {
    const { token } = request.params
    const slot = options.overload.admit(reply.raw, options.addressOf(request.raw))
    const value = await read(token).finally(slot.release)
    if (value === undefined) throw new AppError('not_found')
    // Only of tokens that exist, so that invented ones take no memory.
    options.limiter.countToken(`link ${token}`)
    return value
  }
}
