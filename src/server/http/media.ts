/** Serves the pictures under /media (PIC-1, PIC-5). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { OverloadGuard } from './overload.ts'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // A key always stands for the same picture; browsers need not notice its weekly refresh.
  'cache-control': 'public, max-age=31536000, immutable',
  // A picture opened as a page may load and run nothing.
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
 * Mounts `GET /media/:key`. It needs no token, because an `<img>` sends none; the key, 128 random bits known only to
 * members, is the permission. Anything else is a 404 that is not cached.
 */
export function mediaRoutes(app: FastifyInstance, { pictures, overload, addressOf }: Options): void {
  app.get<{ Params: { key: string } }>('/media/:key', async (request, reply) => {
    const slot = overload.admit(reply.raw, addressOf(request.raw))
    const picture = await pictures.read(request.params.key).finally(slot.release)
    if (!picture) throw new AppError('not_found')
    return reply.headers(HEADERS).type(picture.contentType).send(Buffer.from(picture.bytes))
  })
}
