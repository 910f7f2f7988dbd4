/** What the framework does with what the front counted (`front.ts`): refusals for every route, places for those that work. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { FastPath } from './fast-path.ts'
import type { Overload } from './overload.ts'

/**
 * Refuses addresses that ask too often, on every route. Comes before any other hook, since a refusal is to cost little;
 * `headers` are what it tells browsers.
 */
export function refuseByAddress(
  app: FastifyInstance,
  front: FastPath,
  headers: Record<string, string>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { refusal } = front.arrivalOf(request.raw)
    if (refusal) void reply.headers(headers)
    done(refusal)
  })
}

/** Has every request of these routes take a place among those that are being worked on, until its answer is made. */
export function takePlaces(scope: FastifyInstance, front: FastPath, overload: Overload): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const arrival = front.arrivalOf(request.raw)
    if (arrival.place) return done()
    const place = overload.admit(reply.raw, arrival.address)
    if (place instanceof AppError) return done(place)
    arrival.place = place
    done()
  })
  // The work is done: that a client takes its time to read is not to keep others out. A stream is still being read.
  scope.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) front.arrivalOf(request.raw).place?.leave()
    done()
  })
}
