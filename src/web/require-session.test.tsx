// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { RequireSession } from './require-session.tsx'
import { beginSignIn, signOut, useSignedIn } from './session.ts'

afterEach(cleanup)

function ShowSteamId() {
  return <p>{useSignedIn().steamId}</p>
}

/** Another tab signs out while React renders: the storage event comes only afterwards. */
function SignOutElsewhere() {
  localStorage.clear()
  return null
}

test('ROUTE-13: a session that ends while a screen is rendered leads to the login page, without an error', () => {
  signOut()
  beginSignIn({ token: 'token-of-mira', steamId: '76561197960265801' })
  const errors: unknown[] = []
  render(
    <MemoryRouter initialEntries={['/dashboard']}>
      <Routes>
        <Route element={<RequireSession />}>
          <Route
            path="/dashboard"
            element={
              <>
                <SignOutElsewhere />
                <ShowSteamId />
              </>
            }
          />
        </Route>
        <Route path="/login" element={<p>Login</p>} />
      </Routes>
    </MemoryRouter>,
    { onRecoverableError: (error) => errors.push(error) },
  )
  expect(screen.getByText('Login')).toBeTruthy()
  expect(errors).toEqual([])
})
