/** Serves what is behind secret links to people and programs without a session (NIGHT-65, NIGHT-76, NIGHT-77). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOfHeader, type Language } from '#shared/languages.ts'
import { AppError } from '../errors.ts'
import { FONT_PATH, readPageFont, sharePageHeaders } from '../share/page.ts'
import type { SharedLink } from '../share/pictures.ts'
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
  /** The pictures of a shared pick; undefined when there is none. */
  readSharePicture: (token: string) => Promise<SharedLink | undefined>
  /** What chats show of an invitation; undefined when there is none. */
  readInvitation: (token: string) => Promise<{ tags: string; picture: SharedLink } | undefined>
  /** The HTML of the page of an invitation, with these tags; unset where no pages are served. */
  invitationPage: ((tags: string, language: Language) => string) | undefined
}

type WithToken = FastifyRequest<{ Params: { token: string } }>

/**
 * Mounts `GET /calendar/:token.ics`, `/share/:token` and `/join/:token` with their pictures. The token is the permission; whatever has
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

  const pictureRoute = (path: string, read: (token: string) => Promise<SharedLink | undefined>) =>
    app.get(`${path}/:token.png`, (request: WithToken, reply) =>
      serve(request, reply, async (token) => {
        const pictures = await read(token)
        if (!pictures) throw new AppError('not_found')
        count(token)
        if (request.headers['if-none-match'] === `"${pictures.version}"`)
          return asPicture(reply, pictures.version).code(304).send()
        const { version, png } = await pictures.draw()
        return asPicture(reply, version).type('image/png').send(png)
      }),
    )
  pictureRoute('/share', options.readSharePicture)
  pictureRoute('/join', async (token) => (await options.readInvitation(token))?.picture)

  // The same page whether there is an invitation or not; only the tags differ.
  const { invitationPage } = options
  if (invitationPage)
    app.get('/join/:token', (request: WithToken, reply) =>
      serve(request, reply, async (token) => {
        const invitation = await options.readInvitation(token)
        if (invitation) count(token)
        return reply
          .headers({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex', vary: 'accept-language' })
          .type('text/html; charset=utf-8')
          .send(invitationPage(invitation?.tags ?? '', languageOfHeader(request.headers['accept-language'])))
      }),
    )

  app.get('/share/:token.webp', (request: WithToken, reply) =>
    serve(request, reply, async (token) => {
      const pictures = await options.readSharePicture(token)
      if (!pictures?.art) throw new AppError('not_found')
      count(token)
      return asPicture(reply, pictures.version).type('image/webp').send(pictures.art)
    }),
  )

  app.get(FONT_PATH, (_request, reply) =>
    reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .type('font/woff2')
      .send(readPageFont()),
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

  /** Asked for each time, so that nothing is shown after the link was switched off. */
  function asPicture(reply: FastifyReply, version: string): FastifyReply {
    return reply.headers({
      'cache-control': 'no-cache',
      etag: `"${version}"`,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'content-security-policy': "default-src 'none'",
    })
  }

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
