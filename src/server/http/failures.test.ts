/** Errors as responses (ERR-1, ERR-2). */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { DatabaseBusyError } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { failureOf } from './failures.ts'

/** A request that has or has not fully arrived. */
const request = (raw: { destroyed: boolean; complete: boolean }) => ({
  id: 'the-id',
  raw: raw as IncomingMessage,
})
const arrived = request({ destroyed: false, complete: true })

test('Retry-After is in whole seconds, at most a day', () => {
  const after = (retryAfterSeconds: number) =>
    failureOf(new AppError('busy', { retryAfterSeconds }), arrived).headers
  expect([after(2), after(1e9)]).toMatchObject([{ 'retry-after': '2' }, { 'retry-after': '86400' }])
})

test('LIM-44: a database that is too busy is a 503', () => {
  expect(failureOf(new DatabaseBusyError(), arrived)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    logged: undefined,
  })
})

test('a failure after the client disconnected is not logged as an error', () => {
  const { logged } = failureOf(new Error('aborted'), request({ destroyed: true, complete: false }))
  expect(logged).toBe('info')
})
