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

/** Signs in, with the same text as hand-over token and session token. */
function signIn(session: Session): void {
  signOut()
  beginSignIn(session)
  completeSignIn(session.token, session.token)
}

describe('a session', () => {
  test('PROD-9: is stored under the four names of PROD-9', () => {
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: 'https://example.org/mira.png' })
    expect({ ...localStorage }).toEqual({
      token: MIRA.token,
      steam_id: MIRA.steamId,
      account_display_name: 'Mira',
      avatar_url: 'https://example.org/mira.png',
    })
  })

  test('PROD-9: leaves out missing values, also those of the user before', () => {
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    signIn({ token: 'other', steamId: '76561197960265802' })
    expect({ ...localStorage }).toEqual({ token: 'other', steam_id: '76561197960265802' })
    expect(currentSession()).toEqual({ token: 'other', steamId: '76561197960265802' })
  })

  test.each(['token', 'steam_id'])('ROUTE-13: is undefined without the %s', (key) => {
    signIn(MIRA)
    localStorage.removeItem(key)
    expect(currentSession()).toBeUndefined()
  })
})

describe('a sign-in', () => {
  test('signs in at once, and stores the session token after the exchange', () => {
    beginSignIn({ ...MIRA, displayName: 'Mira' })
    expect(currentSession()).toEqual({ ...MIRA, displayName: 'Mira' })
    expect(isPending(MIRA.token)).toBe(true)
    expect(completeSignIn(MIRA.token, 'session token')).toBe(true)
    expect({ ...localStorage }).toEqual({
      token: 'session token',
      steam_id: MIRA.steamId,
      account_display_name: 'Mira',
    })
    expect(completeSignIn(MIRA.token, 'another')).toBe(false)
    expect(currentSession()?.token).toBe('session token')
  })

  test('does not replace an existing session until its token was exchanged', () => {
    signIn({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    beginSignIn(NOAH)
    expect(currentSession()).toEqual({ ...MIRA, displayName: 'Mira', avatarUrl: '/mira.png' })
    expect(completeSignIn(NOAH.token, 'session token')).toBe(true)
    expect(currentSession()).toEqual({ ...NOAH, token: 'session token' })
  })

  test('that is refused keeps an existing session, and signs out if there was none', () => {
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

  test('does not replace a pending one: both are completed, in order', () => {
    beginSignIn(MIRA)
    beginSignIn(NOAH)
    expect(pendingSignIn()).toEqual(MIRA)
    completeSignIn(MIRA.token, 'session token')
    expect(pendingSignIn()).toEqual(NOAH)
    refuseSignIn(NOAH.token)
    expect(currentSession()).toEqual({ ...MIRA, token: 'session token' })
  })

  test('replaces a session that has ended', () => {
    signIn(MIRA)
    beginSignIn(NOAH)
    endSession('a token that is no longer current')
    expect(currentSession()).toEqual(MIRA)
    endSession(MIRA.token)
    expect(currentSession()).toEqual(NOAH)
    expect(isPending(NOAH.token)).toBe(true)
  })

  test('is not completed after logging out', () => {
    beginSignIn(MIRA)
    signOut()
    expect(completeSignIn(MIRA.token, 'session token')).toBe(false)
    expect({ ...localStorage }).toEqual({})
  })

  test('is ignored and removed if the stored text is not valid', () => {
    for (const text of ['not ours', '{}', 'null', '"text"']) {
      localStorage.setItem('pending_sign_ins', text)
      expect(pendingSignIn()).toBeUndefined()
      expect({ ...localStorage }).toEqual({})
    }
  })
})

describe('a subscriber to the session', () => {
  test.each([
    ['Log Out', () => signOut(), undefined],
    ['the deletion of the account', () => signOut('deleted'), 'deleted'],
    ['signing out everywhere', () => signOut('everywhere'), 'everywhere'],
    ['the server', () => endSession(MIRA.token), 'ended'],
    [
      'another tab',
      () => {
        localStorage.clear()
        // A render may read it before the event arrives.
        expect(currentSession()).toBeUndefined()
        window.dispatchEvent(new StorageEvent('storage'))
      },
      'elsewhere',
    ],
  ])('SIGN-30: learns that it was ended by %s, until the next sign-in', (_, end, reason) => {
    const { result } = renderHook(() => [useSession(), useSignOutReason()])
    act(() => signIn(MIRA))
    expect(result.current).toEqual([MIRA, undefined])
    act(end)
    expect(result.current).toEqual([undefined, reason])
    act(() => signIn(NOAH))
    expect(result.current).toEqual([NOAH, undefined])
  })
})
