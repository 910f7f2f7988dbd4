/** Serves the pictures under /media (PIC-1, PIC-5). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { OverloadGuard } from './overload.ts'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // What a key shows never becomes another picture; a week's refresh may wait for the next browser.
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened on its own, a picture may do nothing at all.
  'content-security-policy': "default-src 'none'",
  'content-disposition': 'inline',
  'cross-origin-resource-policy': 'same-origin',
}

type Options = {
  pictures: Pick<Pictures, 'read'>
  overload: Pick<OverloadGuard, 'admit'>
  addressOf: (request: IncomingMessage) => string
}

/**
 * Mounts `GET /media/:key`. It takes no token, since an `<img>` sends none: the key itself, 128 random bits known
 * to members alone, is the permission. Anything else is 404, which no cache stores.
 */
export function mediaRoutes(app: FastifyInstance, { pictures, overload, addressOf }: Options): void {
  app.get<{ Params: { key: string } }>('/media/:key', async (request, reply) => {
    const place = overload.admit(reply.raw, addressOf(request.raw))
    const picture = await pictures.read(request.params.key).finally(place.leave)
    if (!picture) throw new AppError('not_found')
    return reply.headers(HEADERS).type(picture.contentType).send(Buffer.from(picture.bytes))
  })
}
