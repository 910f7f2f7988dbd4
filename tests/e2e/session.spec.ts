/** ROUTE-13, PROD-9, NAV-6 and SIGN-26: who is signed in. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { libraryContract } from '#shared/contract/library.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { temporaryFolder } from '../support/folders.ts'
import { land } from './newcomers.ts'
import { expect, profileOptions, test } from './support.ts'

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

/** Everything that the pages keep in this browser. */
const stored = (page: Page) => page.evaluate((): Record<string, string> => ({ ...localStorage }))

test.describe('ROUTE-13: the route guard', () => {
  test('ROUTE-13: a visitor without a stored steam id and token is sent to /login', async ({ page }) => {
    test.slow()
    for (const path of PROTECTED) {
      await page.goto(path)
      await expect(page).toHaveURL('/login')
    }
  })

  test('ROUTE-1, ROUTE-2 to ROUTE-10, ROUTE-13: any signed-in user may see every protected page', async ({
    page,
    product,
    signInAs,
  }) => {
    test.slow()
    const friend = await product.player({ games: { Portal: 60 } })
    const me = await product.player({ games: { Portal: 90 }, friends: [friend] })
    const { group_id } = await product.group({ owner: me, members: [friend] })
    await signInAs(me)
    const mine = {
      '/friends/76561197960265801/games': `/friends/${friend.steam_id}/games`,
      '/games/730/friends': `/games/${product.appidOf('Portal')}/friends`,
      '/groups/1': `/groups/${group_id}`,
    } as Record<string, string>
    for (const path of PROTECTED.map((path) => mine[path] ?? path)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL(path)
    }
  })
})

test.describe('NAV-6: signed in to signed out', () => {
  test('NAV-6, SIGN-26: Log out clears the four stored values and goes to /login; after Log Out the token is worth nothing any more', async ({
    page,
    product,
    signInAs,
  }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me, '/groups', 'Mira')
    await page.goto('/my_games')
    await page.evaluate(() => localStorage.setItem('avatar_url', '/logo.svg'))
    const revoked = page.waitForResponse((response) => response.url().endsWith('/auth/logout'))
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL('/login')
    expect(await stored(page)).toEqual({})
    expect((await revoked).status()).toBe(204)
    expect(await me.refused(libraryContract.games, { steamId: me.steam_id })).toMatchObject({ status: 401 })
    await page.goBack()
    await expect(page).toHaveURL('/login')
  })

  test('SIGN-30: log-out ends all tabs', async ({ page, openTab, product, signInAs, expectedErrors }) => {
    // A request of the other tab may be under way when its session ends.
    expectedErrors.push(/401 \(Unauthorized\)/)
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me, '/my_games', 'Mira')
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
    const { sessions } = await me.call(sessionContract.listSessions, { steamId: me.steam_id })
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
})

test('SIGN-30, LOOK-36, LANG-1: Back to a page that was kept whole', async ({ playwright, product }) => {
  const me = await product.player({ games: { Portal: 90 } })
  // Playwright turns off what is tested here, and the headless shell has it not.
  const browser = await playwright.chromium.launch({
    executablePath: process.env.FULL_CHROMIUM_PATH || process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const localStorage = [
    { name: 'token', value: me.token },
    { name: 'steam_id', value: me.steam_id },
  ]
  const context = await browser.newContext({
    ...profileOptions(product),
    storageState: { cookies: [], origins: [{ origin: product.url, localStorage }] },
  })
  await context.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset.kept = 'whole'
    })
  })
  const page = await context.newPage()
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
