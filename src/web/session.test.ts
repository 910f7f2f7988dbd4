import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { currentSession, replaceToken, signIn, signOut, tokenToSwap, useSession } from './session.ts'

const MIRA = { token: 'token-of-mira', steamId: '76561197960265801' }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('a session', () => {
  test('is stored under the four names of SPEC.md 3', () => {
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: 'https://example.org/mira.png' })
    expect({ ...localStorage }).toEqual({
      token: MIRA.token,
      steam_id: MIRA.steamId,
      account_display_name: 'Mira',
      avatar_url: 'https://example.org/mira.png',
    })
  })

  test('leaves out what is missing, also when somebody else had it before', () => {
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    signIn({ token: 'other', steamId: '76561197960265802' })
    expect({ ...localStorage }).toEqual({ token: 'other', steam_id: '76561197960265802' })
    expect(currentSession()).toEqual({ token: 'other', steamId: '76561197960265802' })
  })

  test.each(['token', 'steam_id'])('is none without the %s', (key) => {
    signIn(MIRA)
    localStorage.removeItem(key)
    expect(currentSession()).toBeUndefined()
  })

  test('ends with all four values gone, and nothing else', () => {
    localStorage.setItem('not-ours', 'stays')
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    signOut()
    expect({ ...localStorage }).toEqual({ 'not-ours': 'stays' })
  })

  test('takes a new token only in the place of the one that was swapped', () => {
    signIn(MIRA)
    replaceToken('token-of-somebody-before', 'wrong')
    expect(currentSession()?.token).toBe(MIRA.token)
    replaceToken(MIRA.token, 'lasting')
    expect(currentSession()).toEqual({ ...MIRA, token: 'lasting' })
  })

  test('has a token to swap until that is done, also for a page loaded anew, and never after', () => {
    signIn(MIRA)
    expect(tokenToSwap()).toBe(MIRA.token)
    replaceToken(MIRA.token, 'lasting')
    expect(tokenToSwap()).toBeUndefined()
    signIn(MIRA)
    localStorage.setItem('token', 'of another tab that signed in since')
    expect(tokenToSwap()).toBeUndefined()
    signIn(MIRA)
    signOut()
    expect(tokenToSwap()).toBeUndefined()
    expect({ ...sessionStorage }).toEqual({})
  })
})

describe('who watches the session', () => {
  test('is told of every change, and gets one object as long as nothing changes', () => {
    const { result, rerender } = renderHook(useSession)
    expect(result.current).toBeUndefined()
    act(() => signIn(MIRA))
    const first = result.current
    expect(first).toEqual(MIRA)
    rerender()
    expect(result.current).toBe(first)
    act(() => signOut())
    expect(result.current).toBeUndefined()
  })

  test('is told when another tab signs out', () => {
    signIn(MIRA)
    const { result } = renderHook(useSession)
    act(() => {
      localStorage.clear()
      window.dispatchEvent(new StorageEvent('storage'))
    })
    expect(result.current).toBeUndefined()
  })

  test('is told nothing any more when it is gone', () => {
    const { result, unmount } = renderHook(useSession)
    unmount()
    act(() => signIn(MIRA))
    expect(result.current).toBeUndefined()
  })
})
