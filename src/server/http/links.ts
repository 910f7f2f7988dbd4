/**
 * Serves what is behind secret links to people and programs without a session: calendars, shared picks and years, invitations
 * and pictures (NIGHT-65, NIGHT-76, PIC-1).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOfHeader, type Language } from '#shared/languages.ts'
import { AppError } from '../errors.ts'
import type { Pictures } from '../pictures/pictures.ts'
import { FONT_PATH, readPageFont, sharePageHeaders } from '../share/page.ts'
import { type GiveBack, slotLimits, Slots } from '../slots.ts'
import type { RequestLimiter } from './limits.ts'
import { giveBackRested } from './routes.ts'

type Options = {
  /** Only tokens that exist are counted, so that invented ones take no memory. */
  limit: RequestLimiter['ofLink']
  /** The calendar with a token; undefined when there is none. */
  readCalendar: (token: string) => Promise<string | undefined>
  findSharePage: (token: string, acceptLanguage: string | undefined) => Promise<SharePage>
  /** What chats show of an invitation; undefined when there is none. */
  readInvitation: (
    token: string,
    acceptLanguage: string | undefined,
  ) => Promise<{ tags: string; language: Language } | undefined>
  /** The HTML of the page of an invitation, with these tags; unset where no pages are served. */
  invitationPage: ((tags: string, language: Language) => string) | undefined
}

/** The page of a shared pick or year, or the one that says that there is none. `pictures`: the origins of its pictures. */
export type SharePage = {
  isFound: boolean
  /** For a page that is slow to write: who made its link, and a key of the link and the language. */
  slow: { user: string; page: string } | undefined
  write: () => Promise<{ html: string; pictures: readonly string[] }>
}
type Written = Awaited<ReturnType<SharePage['write']>> & Pick<SharePage, 'isFound'>

type WithToken = FastifyRequest<{ Params: { token: string } }>

/**
 * Mounts `GET /calendar/:token.ics`, `/share/:token` and `/join/:token`. The token is the permission; whatever has none is
 * the same 404.
 */
export function linkRoutes(app: FastifyInstance, options: Options): void {
  const { limit, invitationPage } = options
  const writeOnce = createSlowPages()

  app.get('/calendar/:token.ics', async (request: WithToken, reply) => {
    const text = await options.readCalendar(request.params.token)
    if (text === undefined) throw new AppError('not_found')
    await limit(request)
    return reply.header('cache-control', 'private, no-cache').type('text/calendar; charset=utf-8').send(text)
  })

  // The same page whether there is an invitation or not; only the tags differ.
  if (invitationPage)
    forPage('/join', async (request, reply) => {
      const acceptLanguage = request.headers['accept-language']
      const invitation = await options.readInvitation(request.params.token, acceptLanguage)
      if (invitation) await limit(request)
      return reply
        .headers({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex', vary: 'accept-language' })
        .type('text/html; charset=utf-8')
        .send(
          invitationPage(invitation?.tags ?? '', invitation?.language ?? languageOfHeader(acceptLanguage)),
        )
    })

  forPage('/share', async (request, reply) => {
    const acceptLanguage = request.headers['accept-language']
    const find = () => options.findSharePage(request.params.token, acceptLanguage)
    const found = await find()
    if (found.isFound) await limit(request)
    const write = async (page: SharePage) => ({ ...(await page.write()), isFound: page.isFound })
    const { isFound, html, pictures } = found.slow
      ? await writeOnce(found.slow, async () => write(await find()))
      : await write(found)
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

  /** A slash may have been added to a link, like other punctuation (NIGHT-76, NIGHT-120). */
  function forPage(
    path: string,
    handler: (request: WithToken, reply: FastifyReply) => Promise<unknown>,
  ): void {
    for (const end of ['', '/']) app.get(`${path}/:token${end}`, handler)
  }
}

/**
 * Writes slow pages, a few at a time for each user (LIM-22). Requests that arrive before a page's writing begins share the
 * result, so that many readers cost no more than two, and nobody is shown a page whose link has ended.
 */
function createSlowPages() {
  const slots = new Slots(slotLimits.heavyRequests)
  const waiting = new Map<string, Promise<Written>>()
  return ({ user, page }: NonNullable<SharePage['slow']>, write: () => Promise<Written>) => {
    const begin = async () => {
      let giveBack: GiveBack
      try {
        giveBack = await slots.enter(user)
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

/** Mounts the font of the pages of shared picks; it is in memory and the same for everyone. */
export function fontRoute(app: FastifyInstance): void {
  app.get(FONT_PATH, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('font/woff2')
      .send(readPageFont()),
  )
}

/**
 * Mounts `GET /media/:key`. It needs no token, because an `<img>` sends none; the key, 128 random bits known only to
 * members, is the permission. Anything else is a 404 that is not cached.
 */
export function mediaRoute(app: FastifyInstance, pictures: Pick<Pictures, 'read'>): void {
  app.get<{ Params: { key: string } }>('/media/:key', async (request, reply) => {
    const picture = await pictures.read(request.params.key)
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
      .type(picture.contentType)
      .send(Buffer.from(picture.bytes))
  })
}
