// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  beginSignIn,
  completeSignIn,
  currentSession,
  endSession,
  forgetRefusal,
  isPending,
  pendingSignIn,
  refuseSignIn,
  type Session,
  signOut,
  useSession,
  useSignOutReason,
  wasRefused,
} from './session.ts'

const MIRA = { token: 'token-of-mira', steamId: '76561197960265801' }
const NOAH = { token: 'token-of-noah', steamId: '76561197960265802' }

beforeEach(() => {
  localStorage.clear()
  forgetRefusal()
})

/** A sign-in from its landing to the lasting token, which has the same name here. */
function signIn(session: Session): void {
  signOut()
  beginSignIn(session)
  completeSignIn(session.token, session.token)
}

describe('a session', () => {
  test('is stored under the four names of ENT-3', () => {
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
})

describe('a sign-in', () => {
  test('signs in at once, and takes the lasting token when it is there', () => {
    beginSignIn({ ...MIRA, displayName: 'Mira' })
    expect(currentSession()).toEqual({ ...MIRA, displayName: 'Mira' })
    expect(isPending(MIRA.token)).toBe(true)
    expect(completeSignIn(MIRA.token, 'lasting')).toBe(true)
    expect({ ...localStorage }).toEqual({
      token: 'lasting',
      steam_id: MIRA.steamId,
      account_display_name: 'Mira',
    })
    expect(completeSignIn(MIRA.token, 'another')).toBe(false)
    expect(currentSession()?.token).toBe('lasting')
  })

  test('is begun once, however often its page is drawn', () => {
    beginSignIn(MIRA)
    beginSignIn(MIRA)
    refuseSignIn(MIRA.token)
    expect(pendingSignIn()).toBeUndefined()
  })

  test('changes nothing where somebody is signed in, until its token was swapped', () => {
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    beginSignIn(NOAH)
    expect(currentSession()).toEqual({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    expect(completeSignIn(NOAH.token, 'lasting')).toBe(true)
    expect(currentSession()).toEqual({ ...NOAH, token: 'lasting' })
  })

  test('that is refused leaves who was signed in alone, and signs out where nobody was', () => {
    signIn(MIRA)
    beginSignIn(NOAH)
    refuseSignIn(NOAH.token)
    expect([currentSession(), wasRefused()]).toEqual([MIRA, false])
    signOut()
    beginSignIn(NOAH)
    refuseSignIn(NOAH.token)
    expect([currentSession(), wasRefused()]).toEqual([undefined, true])
    expect({ ...localStorage }).toEqual({})
  })

  test('does not take the place of one that is under way: both are completed, in their order', () => {
    beginSignIn(MIRA)
    beginSignIn(NOAH)
    expect(pendingSignIn()).toEqual(MIRA)
    completeSignIn(MIRA.token, 'lasting')
    expect(pendingSignIn()).toEqual(NOAH)
    refuseSignIn(NOAH.token)
    expect(currentSession()).toEqual({ ...MIRA, token: 'lasting' })
  })

  test('takes the place of a session that has ended', () => {
    signIn(MIRA)
    beginSignIn(NOAH)
    endSession('a token that is not current any more')
    expect(currentSession()).toEqual(MIRA)
    endSession(MIRA.token)
    expect(currentSession()).toEqual(NOAH)
    expect(isPending(NOAH.token)).toBe(true)
  })

  test('that was given up by logging out is not completed', () => {
    beginSignIn(MIRA)
    signOut()
    expect(completeSignIn(MIRA.token, 'lasting')).toBe(false)
    expect({ ...localStorage }).toEqual({})
  })

  test('is none where something else was stored in its place', () => {
    for (const text of ['not ours', '{}', 'null', '"text"']) {
      localStorage.setItem('pending_sign_ins', text)
      expect(pendingSignIn()).toBeUndefined()
      expect({ ...localStorage }).toEqual({})
    }
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

  test.each([
    ['Log Out', () => signOut(), undefined],
    ['the deletion of the account', () => signOut('deleted'), 'deleted'],
    ['signing out everywhere', () => signOut('everywhere'), 'everywhere'],
    ['the server', () => endSession(MIRA.token), 'ended'],
    [
      'another tab',
      () => {
        localStorage.clear()
        window.dispatchEvent(new StorageEvent('storage'))
      },
      'elsewhere',
    ],
  ])('is told why it ended by %s, until the next sign-in', (_, end, reason) => {
    const { result } = renderHook(() => [useSession(), useSignOutReason()])
    act(() => signIn(MIRA))
    expect(result.current).toEqual([MIRA, undefined])
    act(end)
    expect(result.current).toEqual([undefined, reason])
    act(() => signIn(NOAH))
    expect(result.current).toEqual([NOAH, undefined])
  })

  test('is told nothing any more when it is gone', () => {
    const { result, unmount } = renderHook(useSession)
    unmount()
    act(() => signIn(MIRA))
    expect(result.current).toBeUndefined()
  })
})
