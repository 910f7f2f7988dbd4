// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useGamesShown } from './games-shown.ts'

beforeEach(() => localStorage.clear())

test('games to play together are shown unless all games were chosen, in every component', () => {
  const one = renderHook(useGamesShown).result
  const other = renderHook(useGamesShown).result
  expect(one.current[0]).toBe('together')
  act(() => one.current[1]('all'))
  expect([one.current[0], other.current[0]]).toEqual(['all', 'all'])
  expect({ ...localStorage }).toEqual({ games_shown: 'all' })
  act(() => other.current[1]('together'))
  expect(one.current[0]).toBe('together')
  expect({ ...localStorage }).toEqual({})
})

test('a choice made in another tab is followed', () => {
  const { result } = renderHook(useGamesShown)
  act(() => {
    localStorage.setItem('games_shown', 'all')
    window.dispatchEvent(new StorageEvent('storage', { key: 'games_shown' }))
  })
  expect(result.current[0]).toBe('all')
})

test('a stored value that is no choice counts as none', () => {
  localStorage.setItem('games_shown', 'nonsense')
  expect(renderHook(useGamesShown).result.current[0]).toBe('together')
})
