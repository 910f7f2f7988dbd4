/**
 * Serves what is behind secret links to people and programs without a session: calendars, shared picks and years, invitations
 * and pictures (NIGHT-65, NIGHT-76, PIC-1).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOfHeader, type Language } from '#shared/languages.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { PICTURE_TYPE } from '../pictures/encode.ts'
import { FONT_PATH, readPageFont, sharePageHeaders } from '../share/page.ts'
import { type GiveBack, giveBackRested, slotLimits, Slots } from '../slots.ts'
import { readInvitationPreview } from './groups/invites.ts'
import { readCalendarFeed } from './nights/calendar.ts'
import { findSharePage, type SharePage } from './nights/share.ts'

type Options = {
  /** Only tokens that exist are counted, so that invented ones take no memory. */
  limit: (request: FastifyRequest) => Promise<void>
  /** The HTML of the page of an invitation, with these tags; unset where no pages are served. */
  invitationPage: ((tags: string, language: Language) => string) | undefined
}

type WithToken = FastifyRequest<{ Params: { token: string } }>

/**
 * Mounts `GET /calendar/:token.ics`, `/share/:token` with its font, `/join/:token` and `/media/:key`. The token or key is the
 * permission; whatever has none is the same 404, which is not cached.
 */
export function linkRoutes(app: FastifyInstance, deps: Deps, { limit, invitationPage }: Options): void {
  const writeOnce = createPageWriter()

  app.get('/calendar/:token.ics', async (request: WithToken, reply) => {
    const text = await readCalendarFeed(deps, request.params.token)
    if (text === undefined) throw new AppError('not_found')
    await limit(request)
    return reply.header('cache-control', 'private, no-cache').type('text/calendar; charset=utf-8').send(text)
  })

  // The same page whether there is an invitation or not; only the tags differ.
  if (invitationPage)
    forPage('/join', async (request, reply) => {
      const acceptLanguage = request.headers['accept-language']
      const invitation = await readInvitationPreview(deps, request.params.token, acceptLanguage)
      if (invitation) await limit(request)
      const { tags, language } = invitation ?? { tags: '', language: languageOfHeader(acceptLanguage) }
      return reply
        .headers({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex', vary: 'accept-language' })
        .type('text/html; charset=utf-8')
        .send(invitationPage(tags, language))
    })

  forPage('/share', async (request, reply) => {
    const find = () => findSharePage(deps, request.params.token, request.headers['accept-language'])
    const found = await find()
    if (found.isFound) await limit(request)
    const { isFound, html, pictures } = found.isFound
      ? await writeOnce(found, async () => (await find()).write())
      : await found.write()
    return reply
      .code(isFound ? 200 : 404)
      .headers({
        ...sharePageHeaders(pictures),
        'cache-control': isFound ? 'no-cache' : 'no-store',
        vary: 'accept-language',
      })
      .type('text/html; charset=utf-8')
      .send(html)
  })

  app.get(FONT_PATH, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('font/woff2')
      .send(readPageFont()),
  )

  // Needs no token, because an `<img>` sends none: the key, 128 random bits known only to members, is the permission.
  app.get<{ Params: { key: string } }>('/media/:key', async (request, reply) => {
    const picture = await deps.pictures.read(request.params.key)
    if (picture === undefined) throw new AppError('not_found')
    // There is none on the web now: pages show the initials, and browsers report no error.
    if (picture === null) return reply.code(204).header('cache-control', 'no-store').send()
    return reply
      .headers({
        // A key always stands for the same picture.
        'cache-control': 'public, max-age=31536000, immutable',
        // A picture opened as a page may load and run nothing.
        'content-security-policy': "default-src 'none'",
        'content-disposition': 'inline',
      })
      .type(PICTURE_TYPE)
      .send(Buffer.from(picture))
  })

  /** A slash may have been added to a link, like other punctuation (NIGHT-76, NIGHT-120). */
  function forPage(
    path: string,
    handler: (request: WithToken, reply: FastifyReply) => Promise<unknown>,
  ): void {
    for (const end of ['', '/']) app.get(`${path}/:token${end}`, handler)
  }
}

/**
 * Writes pages, a few at a time for each user who shares (LIM-22), because that of a year is slow. Requests that arrive
 * before a page's writing begins share the result, so that many readers cost no more than two, and nobody is shown a page
 * whose link has ended.
 */
function createPageWriter() {
  const slots = new Slots(slotLimits.heavyRequests)
  const waiting = new Map<string, ReturnType<SharePage['write']>>()
  return ({ by, page }: SharePage, write: SharePage['write']) => {
    const begin = async () => {
      let giveBack: GiveBack
      try {
        giveBack = await slots.enter(by)
      } finally {
        waiting.delete(page)
      }
      const startedAt = performance.now()
      return write().finally(() => giveBackRested(startedAt, giveBack))
    }
    const written = waiting.get(page) ?? Promise.resolve().then(begin)
    waiting.set(page, written)
    return written
  }
}
