import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createAddressReader, networkOf } from './client-address.ts'

describe('OPS-1: the client address', () => {
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
    ['with a port', ['10.0.0.1'], '10.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    ['with a port of IPv6', ['10.0.0.1'], '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['with brackets alone', ['10.0.0.1'], '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['with a zone', ['10.0.0.1'], '10.0.0.1', 'fe80::7%eth0', 'fe80::7'],
    ['with a port of a trusted proxy', ['10.0.0.0/8'], '10.0.0.1', '192.0.2.7:1, 10.9.9.9:2', '192.0.2.7'],
    // What is no address counts like the header's absence, and what the client wrote before it does not count.
    ['hidden', ['10.0.0.1'], '10.0.0.1', '_hidden', '10.0.0.1'],
    ['unknown', ['10.0.0.1'], '10.0.0.1', 'unknown', '10.0.0.1'],
    ['unknown behind an invented one', ['10.0.0.1'], '10.0.0.1', '192.0.2.7, unknown', '10.0.0.1'],
    ['nonsense', ['10.0.0.1'], '10.0.0.1', '192.0.2.7, 1.2.3, ::1::2:80', '10.0.0.1'],
    ['empty', ['10.0.0.1'], '10.0.0.1', '', '10.0.0.1'],
  ])('%s', (_name, trusted, remote, forwarded, expected) => {
    expect(createAddressReader(trusted)(from(remote, forwarded))).toBe(expected)
  })
})

test('OPS-45: an unknown proxy is named, a trusted one and a visitor without headers never', () => {
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
      let now = 0
      const addressOf = createAddressReader(
        trusted,
        (address) => named.push(address),
        () => now,
      )
      addressOf(request('10.0.0.9', {}))
      for (const address of trusted) addressOf(request(address, each))
      expect(named).toEqual([])
      expect(addressOf(request('10.0.0.9', each))).toBe('10.0.0.9')
      addressOf(request('10.0.0.8', each))
      expect(named).toEqual(['10.0.0.9'])
      // A stranger does not use the warning up: an hour later it says who sends such headers then.
      now += 60 * 60_000
      addressOf(request('10.0.0.8', each))
      expect(named).toEqual(['10.0.0.9', '10.0.0.8'])
    }
})

test('addresses of one IPv6 network count as one, and an IPv4 address is itself, however it is written', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.2.8'))
  expect(networkOf('::ffff:192.0.2.7')).toBe(networkOf('192.0.2.7'))
})
