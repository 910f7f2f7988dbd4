/** ROUTE-13, PROD-9, NAV-6, SIGN-26 and LOGIN-9: who is signed in, and why somebody is not. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { temporaryFolder } from '../support/folders.ts'
import { land } from './newcomers.ts'
import { api, dialog, expect, hold, openElsewhere, profileOptions, stored, test } from './support.ts'

const PROTECTED = [
  '/',
  '/dashboard',
  '/my_games',
  '/friends',
  '/friends/games',
  '/friends/76561197960265801/games',
  '/games/1/comparison',
  '/games/730',
  '/games/730/friends',
  '/groups',
  '/groups/1',
  '/account',
]

test('ROUTE-13: a visitor without a stored steam id and token is sent to /login', async ({ page }) => {
  test.slow()
  for (const path of PROTECTED) {
    await page.goto(path)
    await expect(page).toHaveURL('/login')
  }
})

test('NAV-6, SIGN-26: Log out clears what is stored, and ends the token', async ({ page, enter }) => {
  const me = await enter({ games: { Portal: 90 } }, '/groups', 'Mira')
  await page.goto('/my_games')
  await page.evaluate(() => localStorage.setItem('avatar_url', '/logo.svg'))
  const revoked = page.waitForResponse((response) => response.url().endsWith('/auth/logout'))
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
  expect(await stored(page)).toEqual({})
  expect((await revoked).status()).toBe(204)
  expect(await me.refused(api.library.games, me.user)).toMatchObject({ status: 401 })
  await page.goBack()
  await expect(page).toHaveURL('/login')
})

test('SIGN-30: log-out ends all tabs', async ({ page, openTab, product, expectedErrors, enter }) => {
  // A request of the other tab may be under way when its session ends.
  expectedErrors.push(/401 \(Unauthorized\)/)
  const me = await enter({ games: { Portal: 90 } }, '/my_games', 'Mira')
  const other = await openTab()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(other).toHaveURL('/login')

  await land(page, product, me.steam_id)
  await expect(other.getByText('You’re signed in as')).toBeVisible()
})

test('SIGN-26: logging out during a swap leaves no session', async ({ page, product, expectedErrors }) => {
  expectedErrors.push(/status of 401/)
  const me = await product.player()
  const swapped = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/auth/session', async (route) => {
    const response = await route.fetch()
    swapped.resolve()
    await promise
    await route.fulfill({ response })
  })
  await land(page, product, me.steam_id)
  await swapped.promise
  // The hand-over token ends what it was swapped for, although its answer never arrived.
  const ended = page.waitForResponse((answer) => answer.url().endsWith('/auth/logout'))
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
  expect((await ended).status()).toBe(204)
  const late = page.waitForResponse(
    (answer) => answer.url().endsWith('/auth/logout') && answer.status() === 401,
  )
  resolve()
  await late
  expect(await stored(page)).toEqual({})
  const { sessions } = await me.call(api.session.listSessions, me.user)
  expect(sessions).toHaveLength(1)
})

test('LOOK-4: what one person has seen is never shown to the next', async ({ page, product, signInAs }) => {
  const first = await product.player({ games: { 'Only Mine': 90 } })
  const second = await product.player({ games: { 'Only Theirs': 60 } })
  await signInAs(first, '/my_games')
  await expect(page.getByText('Only Mine')).toBeVisible()
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
  // Another tab signs the second one in; this page goes on without being loaded anew.
  await page.evaluate(
    ([token, steamId]) => {
      localStorage.setItem('token', token)
      localStorage.setItem('steam_id', steamId)
      window.dispatchEvent(new StorageEvent('storage'))
    },
    [second.token, second.steam_id] as const,
  )
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.getByRole('link', { name: 'My Games', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()
  await expect(page.getByText('Only Theirs')).toBeVisible()
  await expect(page.getByText('Only Mine')).toHaveCount(0)
})

test('SIGN-30, LOOK-36, LANG-1: Back to a page that was kept whole', async ({ playwright, product }) => {
  const me = await product.player({ games: { Portal: 90 } })
  // Playwright turns off what is tested here, and the headless shell has it not.
  const browser = await playwright.chromium.launch({
    executablePath: process.env.FULL_CHROMIUM_PATH || process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const page = await openElsewhere(browser, product, me)
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset.kept = 'whole'
    })
  })
  await page.goto('/privacy')
  await page.goto('/my_games')
  await expect(page.getByRole('article')).toContainText('Portal')
  await page.goto('/groups')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByRole('radio', { name: 'Light' }).check()
  await page.evaluate(() => void setTimeout(() => history.back()))
  await expect(page).toHaveURL('/login')
  await expect(page.locator('html')).toHaveAttribute('data-kept', 'whole')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.getByText('Portal')).toHaveCount(0)
  await expect(page.getByText(/session ended|signed out/)).toHaveCount(0)
  await browser.close()
})

test('PAGE-40: a browser that blocks site data says so', async ({ playwright, product }) => {
  const folder = temporaryFolder('blocked')
  mkdirSync(join(folder, 'Default'))
  writeFileSync(
    join(folder, 'Default', 'Preferences'),
    JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
  )
  const context = await playwright.chromium.launchPersistentContext(folder, {
    ...profileOptions(product),
    serviceWorkers: 'allow',
    executablePath: process.env.FULL_CHROMIUM_PATH || process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox'],
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  for (const path of ['/login', '/my_games']) {
    await page.goto(path)
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies and site data here')
  }
  await page.goto('/join/abc')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Page Not Found')
  await page.goto('/privacy')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(errors).toEqual([])
  await context.close()
})

const DELETED = 'Your account and everything in it were deleted.'
const ENDED = 'Your session ended. Sign in again.'
const ELSEWHERE = 'You were signed out in another tab.'

/** The sentence that says why one is here. */
const why = (page: Page) => page.getByRole('status').filter({ hasText: /./ })
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Steam' })

/** By keys alone. */
async function deleteAccount(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete my account' }).press('Enter')
  await dialog(page).getByRole('textbox').focus()
  await page.keyboard.type('delete')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
  expect(await stored(page)).toEqual({})
}

test('LOGIN-9, DEL-1: the account is deleted', async ({ page, openTab, product, enter, expectedErrors }) => {
  // A request of the other tab may be under way when its session ends.
  expectedErrors.push(/status of 401/)
  const me = await enter({ games: { Portal: 90 } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/my_games')
  const other = await openTab()
  await other.goto('/my_games')
  await expect(other.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()
  const elsewhere = product.callsOf(await product.signIn(me.steam_id))
  await deleteAccount(page)
  for (const session of [me, elsewhere])
    expect((await session.refused(api.library.games, me.user)).status).toBe(401)
  await expect(other).toHaveURL('/login')
  await expect(why(other)).toHaveText(ELSEWHERE)
  await expect(why(page)).toHaveText(DELETED)
  await expect(why(page)).toBeInViewport()
  // Screen readers read what has the focus: the page that had it before is gone.
  await expect(page.locator(':focus')).toHaveText(DELETED)
  await expect(page).toBeAccessible()
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  await expect(why(page)).toHaveCount(0)
})

test('LOGIN-9, SIGN-27: after a 401 of any call', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/status of 401/)
  const me = await enter({ games: { Portal: 90 } })
  // Told by its stream, the page would leave before the press.
  await hold(page, '**/events')
  await page.goto('/my_games')
  await expect(page.getByText('1h 30m played')).toBeVisible()
  // On another computer.
  await me.call(api.session.revokeAllSessions, me.user)
  await page.getByRole('button', { name: 'Sync Games' }).click()
  await expect(page).toHaveURL('/login')
  await expect(why(page)).toHaveText(ENDED)
  expect(await stored(page)).toEqual({})
  // Who has just pressed a key finds the way on next to it.
  await page.keyboard.press('Tab')
  await expect(signInButton(page)).toBeFocused()
})

test('LOGIN-9: a first visitor, and after Log Out', async ({ page, enter }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/login')
  await expect(signInButton(page)).toBeVisible()
  await expect(why(page)).toHaveCount(0)
  await page.goto('/my_games')
  await expect(page).toHaveURL('/login')
  await expect(why(page)).toHaveText('Sign in to open the page you asked for.')
  await expect(page).toBeAccessible()
  await enter({}, '/my_games')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(signInButton(page)).toBeVisible()
  await expect(why(page)).toHaveCount(0)
})
