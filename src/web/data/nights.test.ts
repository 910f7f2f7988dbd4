import { expect, test } from 'vitest'
import { latestOf, type Night } from './nights.ts'

test('NIGHT-88: an earlier version never replaces a later one', () => {
  const of = (version: number, title: string) => ({ version, title }) as Night
  expect(latestOf(undefined, of(1, 'first')).title).toBe('first')
  expect(latestOf(of(3, 'known'), of(2, 'overtaken')).title).toBe('known')
  // Presence changes without the version.
  expect(latestOf(of(3, 'known'), of(3, 'read')).title).toBe('read')
  expect(latestOf(of(3, 'known'), of(4, 'later')).title).toBe('later')
})
