import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-request.ts'

/** First, last and some other addresses of every range that is not the public internet. */
const forbidden: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.1.2.3', '127.255.255.255', '::1'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'link-local and cloud metadata': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    'fe80::1',
    'febf::1',
  ],
  'a zone of this machine': ['fe80::1%lo', '2606:4700::1111%eth0'],
  'unique-local': ['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.8', '192.0.0.192', '192.88.99.1'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  unspecified: ['::'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1'],
  '6to4': ['2002:7f00:1::', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  discard: ['100::1'],
  ISATAP: ['2606:4700::5efe:127.0.0.1', '2606:4700::5efe:a00:1', '2606:4700::200:5efe:10.0.0.1'],
  unassigned: ['3000::1', '3ffe::1', '4000::1', '8000::1', 'e000::1', '5f00::1', '100:0:0:1::1'],
  'special-purpose services': [
    ...['192.31.196.1', '192.52.193.1', '192.175.48.1', '192.0.0.9', '192.0.0.170'],
    ...['2001:1::1', '2001:3::1', '2001:4:112::1', '2001:30::1', '2001:1ff::1', '2620:4f:8000::1'],
  ],
  'inside Azure': ['168.63.129.16', '169.254.169.254'],
  'inside AWS': ['169.254.169.253', '169.254.170.2', 'fd00:ec2::254', 'fd00:ec2::23'],
  'inside Google Cloud': [
    ...['199.36.153.4', '199.36.153.11', 'fd20:ce::254'],
    ...['2600:2d00:2:1000::1', '2600:2d00:2:10ff::1', '2600:2d00:2:2000::1'],
  ],
  'inside Alibaba Cloud': ['100.100.100.200', '100.100.2.136'],
  'inside Oracle Cloud': ['192.0.0.192', '169.254.0.2', 'fd00:c1::a9fe:a9fe'],
  'inside IBM Cloud': ['161.26.0.0', '161.26.0.10', '161.26.255.255', '166.8.0.0', '166.11.255.255'],
  'inside other clouds': ['169.254.0.23', '169.254.42.42', 'fd00:42::42', 'fd00:a9fe:a9fe::1'],
  'not an address': ['', 'localhost', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '1.1.1.1 ', '[::1]'],
}

describe('an address outside the public internet is refused', () => {
  test.each(Object.entries(forbidden))('%s', (_kind, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  test('anywhere in a private network', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, fc.integer({ min: 64, max: 127 }), (a, b, c, shared) => {
        const v4 = [
          `10.${a}.${b}.${c}`,
          `127.${a}.${b}.${c}`,
          `192.168.${a}.${b}`,
          `169.254.${a}.${b}`,
          `172.${16 + (a % 16)}.${b}.${c}`,
          `100.${shared}.${a}.${b}`,
          `${224 + (a % 32)}.${b}.${c}.${a}`,
        ]
        expect([...v4, ...v4.map((address) => `::ffff:${address}`)].filter(isPublicAddress)).toEqual([])
      }),
    )
  })
})

test('addresses of the public internet are accepted, even next to refused ranges', () => {
  const open = [
    ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.1', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255'],
    ...['168.63.129.15', '168.63.129.17', '161.25.255.255', '161.27.0.0', '166.7.255.255', '166.12.0.0'],
    ...['199.36.153.3', '199.36.153.12', '2600:2d00:2:1100::1', '2606:4700::5eff:a00:1'],
    ...['2606:4700:4700::1111', '2a00:1450:4001:82f::200e', '2003::1'],
  ]
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
})
