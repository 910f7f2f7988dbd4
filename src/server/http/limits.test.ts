import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { AppError } from '../errors.ts'
import { createRequestLimiter } from './limits.ts'
import { createAddressReader } from '../client-address.ts'

describe('OPS-9: the client address', () => {
  /** A request with this remote address and X-Forwarded-For. */
  const from = (remoteAddress: string, forwarded?: string) =>
    ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

  test.each([
    ['without trusted proxies', [], '10.0.0.1', '192.0.2.7', '10.0.0.1'],
    ['behind a trusted proxy', ['10.0.0.1'], '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['behind a trusted proxy on an IPv6 socket', ['10.0.0.1'], '::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['behind a trusted network of proxies', ['10.0.0.0/8'], '10.9.9.9', '192.0.2.7, 10.1.1.1', '192.0.2.7'],
    ['with addresses invented by the client', ['10.0.0.1'], '10.0.0.1', '127.0.0.1, 192.0.2.7', '192.0.2.7'],
    ['with a header from an untrusted client', ['10.0.0.1'], '192.0.2.9', '192.0.2.7', '192.0.2.9'],
    ['behind a proxy without the header', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['behind a trusted IPv6 network', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['with an invalid address in the header', ['10.0.0.1'], '10.0.0.1', '192.0.2.7, nonsense', 'nonsense'],
  ])('%s', (_name, trusted, remote, forwarded, expected) => {
    expect(createAddressReader(trusted)(from(remote, forwarded))).toBe(expected)
  })
})

test('OPS-45: an unknown proxy is named once, a trusted one and a visitor without headers never', () => {
  const request = (remoteAddress: string, headers: object) =>
    ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage
  const headers = [
    { 'x-forwarded-for': '192.0.2.7' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=192.0.2.7' },
  ]
  for (const each of headers)
    for (const trusted of [[], ['10.0.0.1']]) {
      const named: string[] = []
      const addressOf = createAddressReader(trusted, (address) => named.push(address))
      addressOf(request('10.0.0.9', {}))
      for (const address of trusted) addressOf(request(address, each))
      expect(named).toEqual([])
      expect(addressOf(request('10.0.0.9', each))).toBe('10.0.0.9')
      addressOf(request('10.0.0.8', each))
      expect(named).toEqual(['10.0.0.9'])
    }
})

const CALL = '/api/groups/1'

/** The refusal that counting a request throws; undefined when there is none. */
function refusalOf(count: () => void): AppError | undefined {
  try {
    count()
    return undefined
  } catch (error) {
    return error as AppError
  }
}

test('LIM-15: a request beyond the limit is refused with the time to retry, others are not', () => {
  const limiter = createRequestLimiter({ perAddress: 3, perToken: 2 })
  for (let n = 0; n < 3; n++) limiter.countAddress('192.0.2.1', CALL)
  const refusal = refusalOf(() => limiter.countAddress('192.0.2.1', CALL))
  expect(refusal?.status).toBe(429)
  expect(refusal?.retryAfterSeconds).toBeGreaterThan(0)
  expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(60)
  limiter.countAddress('192.0.2.2', CALL)
  for (let n = 0; n < 2; n++) limiter.countToken('a')
  expect(refusalOf(() => limiter.countToken('a'))).toMatchObject({ code: 'too_many_requests' })
})

test('addresses of one IPv6 network count as one', () => {
  const limiter = createRequestLimiter({ perAddress: 1, perToken: 1 })
  limiter.countAddress('2001:db8:1:2::1', CALL)
  expect(refusalOf(() => limiter.countAddress('2001:db8:1:2:ffff::9', CALL))?.status).toBe(429)
  limiter.countAddress('2001:db8:1:3::1', CALL)
})

test('API calls, files and monitoring are counted separately, and /healthz is not counted', () => {
  const limiter = createRequestLimiter({ perAddress: 20, perToken: 1 })
  const accepted = (url: string) =>
    Array.from({ length: 30 }, () => refusalOf(() => limiter.countAddress('192.0.2.1', url))).filter(
      (refusal) => !refusal,
    ).length
  expect(accepted('/api/groups/1')).toBe(20)
  expect(accepted('/auth/steam')).toBe(0)
  expect(accepted('/media/x.webp')).toBe(20)
  for (const url of [
    '/',
    '/assets/app.js',
    '/dashboard',
    '//api/groups',
    '/%61pi/groups',
    'http://x/api/groups',
    '*',
  ])
    expect([url, accepted(url)]).toEqual([url, 0])
  expect(accepted('/metrics')).toBe(2)
  expect(accepted('/readyz')).toBe(0)
  expect(accepted('/healthz')).toBe(30)
})
