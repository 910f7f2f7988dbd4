/** Failures as responses (ERR-1, ERR-2): the same whichever way they are sent. */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { failureOf } from './failures.ts'

/** A request, by how much of it arrived. */
const request = (raw: { destroyed: boolean; complete: boolean }) => ({
  id: 'the-id',
  raw: raw as IncomingMessage,
})
const arrived = request({ destroyed: false, complete: true })
const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

test('an expected failure says what is wrong, and the log nothing', () => {
  const error = new AppError('invalid_input', { field: 'name', text: 'name: must be text' })
  expect(failureOf(error, arrived)).toEqual({
    status: 400,
    headers: json,
    body: '{"error":"name: must be text","code":"invalid_input","field":"name"}',
    log: undefined,
  })
})

test('a time to come back is sent in whole seconds, a day at most', () => {
  const after = (retryAfterSeconds: number) =>
    failureOf(new AppError('busy', { retryAfterSeconds }), arrived).headers['retry-after']
  expect([after(2), after(1e9)]).toEqual(['2', '86400'])
})

test('any other failure is a plain 500 with the request’s id, and is logged', () => {
  expect(failureOf(new Error('SELECT token FROM secrets'), arrived)).toEqual({
    status: 500,
    headers: json,
    body: '{"error":"Something went wrong on our side.","code":"internal","request_id":"the-id"}',
    log: { level: 'error', message: 'request failed' },
  })
})

test('what failed because the client left is no error of ours', () => {
  const { log } = failureOf(new Error('aborted'), request({ destroyed: true, complete: false }))
  expect(log?.level).toBe('info')
})
