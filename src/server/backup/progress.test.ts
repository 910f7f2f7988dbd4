import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

/** So many seconds of work in tenths of a second; returns what was written. */
function written(isTTY: boolean, seconds: number): string[] {
  const texts: string[] = []
  let now = 0
  const progress = createProgress({ isTTY, write: (text) => texts.push(text) }, () => now)
  progress.begin('Copying', seconds * 1000)
  for (let n = 1; n <= seconds * 10; n++) {
    now += 100
    progress.advance(100, 25, 'libraries')
  }
  progress.end()
  return texts
}

test('at a terminal one line changes, with the share, rows, table and time left', () => {
  const texts = written(true, 100)
  const line = (text: string) => `\r\x1b[K${text}`
  expect(texts[0]).toBe(line('Copying …'))
  // Before two seconds the time left would be a guess.
  expect(texts[1]).toBe(line('Copying: 0 %, 25 rows, libraries'))
  expect(texts[250]).toBe(line('Copying: 25 %, 6,250 rows, libraries, 2 min left'))
  expect(texts[500]).toBe(line('Copying: 50 %, 12,500 rows, libraries, 50 s left'))
  expect(texts.slice(-2)).toEqual([line('Copying: 25,000 rows in 100.0 s'), '\n'])
})

test('in a log there is a line every half minute and one at the end of each step', () => {
  expect(written(false, 100)).toEqual([
    'Copying: 30 %, 7,500 rows, libraries, 2 min left\n',
    'Copying: 60 %, 15,000 rows, libraries, 40 s left\n',
    'Copying: 90 %, 22,500 rows, libraries, 10 s left\n',
    'Copying: 25,000 rows in 100.0 s\n',
  ])
})

test('nothing to do, and more than expected, are shown as such', () => {
  const texts: string[] = []
  let now = 0
  const progress = createProgress({ isTTY: true, write: (text) => texts.push(text) }, () => now)
  progress.begin('Reading', 0)
  now = 5000
  progress.advance(3, 3, 'apps')
  progress.end()
  expect(texts[1]).toContain('Reading: 100 %, 3 rows, apps, 0 s left')
})
