/** Serves what is behind secret links to people and programs without a session (NIGHT-65, NIGHT-76, NIGHT-77). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { sharePageHeaders } from '../share/page.ts'
import type { RequestLimiter } from './limits.ts'
import type { OverloadGuard } from './overload.ts'

type Options = {
  overload: Pick<OverloadGuard, 'admit'>
  limiter: Pick<RequestLimiter, 'countToken'>
  addressOf: (request: IncomingMessage) => string
  /** The calendar with a token; undefined when there is none. */
  readCalendar: (token: string) => Promise<string | undefined>
  /** The page of a shared pick, or the one that says that there is none. */
  readSharePage: (token: string) => Promise<{ html: string; isFound: boolean }>
  /** The picture of a shared pick; undefined when there is none. */
  readSharePicture: (token: string) => Promise<{ version: string; png: () => Promise<Buffer> } | undefined>
}

type WithToken = FastifyRequest<{ Params: { token: string } }>

/**
 * Mounts `GET /calendar/:token.ics`, `/share/:token` and `/share/:token.png`. The token is the permission; whatever has
 * none is the same 404.
 */
export function linkRoutes(app: FastifyInstance, options: Options): void {
  const { overload, limiter, addressOf } = options

  app.get('/calendar/:token.ics', (request: WithToken, reply) =>
    serve(request, reply, async (token) => {
      const text = await options.readCalendar(token)
      if (text === undefined) throw new AppError('not_found')
      count(token)
      return reply
        .headers({ 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' })
        .type('text/calendar; charset=utf-8')
        .send(text)
    }),
  )

  app.get('/share/:token.png', (request: WithToken, reply) =>
    serve(request, reply, async (token) => {
      const picture = await options.readSharePicture(token)
      if (!picture) throw new AppError('not_found')
      count(token)
      const etag = `"${picture.version}"`
      // Asked for each time, so that nothing is shown after the link was switched off.
      void reply.headers({
        'cache-control': 'no-cache',
        etag,
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'content-security-policy': "default-src 'none'",
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('image/png').send(await picture.png())
    }),
  )

  app.get('/share/:token', (request: WithToken, reply) =>
    serve(request, reply, async (token) => {
      const { html, isFound } = await options.readSharePage(token)
      if (isFound) count(token)
      return reply
        .code(isFound ? 200 : 404)
        .headers({ ...sharePageHeaders, 'cache-control': isFound ? 'no-cache' : 'no-store' })
        .type('text/html; charset=utf-8')
        .send(html)
    }),
  )

  /** Runs `respond` in a slot of the requests in progress. */
  async function serve(
    request: WithToken,
    reply: FastifyReply,
    respond: (token: string) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const slot = overload.admit(reply.raw, addressOf(request.raw))
    try {
      return await respond(request.params.token)
    } finally {
      slot.release()
    }
  }

  /** Only tokens that exist are counted, so that invented ones take no memory. */
  function count(token: string): void {
    limiter.countToken(`link ${token}`)
  }
}
