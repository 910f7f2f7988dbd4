/** Texts of refusals by their reason (ERR-1). */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { readCatalogue } from '#locales/catalogues.ts'
import { errorStatuses, type Reason, type ReasonGiven } from '#shared/errors.ts'
import { AppError } from './errors.ts'
import { failureOf } from './http/failures.ts'

const request = { id: 'the-id', raw: { destroyed: false, complete: true } as IncomingMessage }

/** A value for each placeholder. */
function valuesFor(text: string): Record<string, string | number> | undefined {
  const names = [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!)
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map((name) => [name, name === 'name' ? "O'Ada {x}" : 37]))
}

const REASONS = readCatalogue('en').errors!.reasons as unknown as Record<Reason, string>

test.each(Object.entries(REASONS))('ERR-1: %s is sent with its text and values', (reason, text) => {
  const values = valuesFor(text)
  const because = { reason: reason as Reason, values } as ReasonGiven
  const body = JSON.parse(failureOf(new AppError('forbidden', because), request).body) as object
  const error = text.replace(/\{(\w+)(?:, number)?\}/g, (_, name: string) => String(values?.[name]))
  expect(body).toEqual({ error, code: 'forbidden', reason, ...(values && { values }) })
})

test.each([
  [400, /^invalid_/],
  [403, /^not_(connected|listed|invited|group_owner|night_host)$/],
  [404, /not_found$/],
  [409, /^(already|owner|vote|member_has|night_has|no_games|not_in|too_many)_(?!requests)|_full$/],
  [429, /_limit_reached$|^too_many_requests$/],
])('ERR-1: %i is the status of each code like %s', (status, like) => {
  const codes = Object.entries(errorStatuses).filter(([code]) => like.test(code))
  expect(codes.length).toBeGreaterThan(1)
  expect(codes.filter(([, its]) => its !== status)).toEqual([])
})

test('ERR-1: numbers in a text are English', () => {
  const { message } = new AppError('too_many_hidden_games', {
    reason: 'hidden_games_full',
    values: { count: 1000 },
  })
  expect(message).toBe('You already hide 1,000 games, which is the maximum.')
})
