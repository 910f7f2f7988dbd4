import { expect, test } from 'vitest'
import { browserOf } from './sessions-card.tsx'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [CHROME, 'Chrome on Windows'],
  [`${CHROME} Edg/140.0.0.0`, 'Edge on Windows'],
  [`${CHROME} OPR/120.0.0.0`, 'Opera on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['something of my own on Linux', 'Linux'],
])('%s is %s', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name)
})

test.each(['', 'node'])('"%s" has no known name', (userAgent) => {
  expect(browserOf(userAgent)).toBeUndefined()
})
