/** LOGIN-1: to Steam's page and back. */
import { newcomer, signInAtPlatform } from './newcomers.ts'
import { expect, handOver, stored, test } from './support.ts'

const FAILED = 'Steam sign-in failed. Please try again.'

test('LOGIN-1, ROUTE-3: the login is secure, and no password is stored', async ({ page }) => {
  await page.goto('/login')
  await expect(
    page.getByText('Secure login, handled by Steam. Shelfmates never sees or stores your password.'),
  ).toBeVisible()
  await expect(page).toHaveTitle('Log in · Shelfmates')
  await expect(page).toBeAccessible()
})

test('LOGIN-1: the button leads to /auth/steam, and is ready after Back', async ({ page }) => {
  await page.goto('/login')
  const button = page.getByRole('button', { name: 'Sign in with Steam' })
  const [request] = await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).pathname === '/auth/steam'),
    button.click(),
  ])
  expect(request.isNavigationRequest()).toBe(true)
  expect(request.method()).toBe('GET')
  await expect(page.getByRole('heading', { name: 'Simulator: pick a player to sign in as' })).toBeVisible()
  await page.goBack()
  await expect(button).toBeEnabled()
})

test('LOGIN-4, PROD-9, ROUTE-3: four values, and the dashboard', async ({ page, product }) => {
  const steamId = newcomer(product, 'Signed-in Sam')
  await signInAtPlatform(page, steamId)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  // More is stored until the token is swapped.
  await expect
    .poll(async () => Object.keys(await stored(page)).sort())
    .toEqual(['account_display_name', 'avatar_url', 'steam_id', 'token'])
  const values = await stored(page)
  expect(values).toMatchObject({ steam_id: steamId, account_display_name: 'Signed-in Sam' })
  expect(values.avatar_url).toMatch(/^http/)
  await expect(page.getByRole('banner').getByText('Signed-in Sam')).toBeVisible()
  await expect(page.getByRole('banner').getByText(steamId)).toBeVisible()
})

test('SIGN-14: no address with a token stays in the history', async ({ page, product, expectedErrors }) => {
  // Going back during the exchange starts another, and requests with the first one's token are refused.
  expectedErrors.push(/status of 401/)
  const steamId = newcomer(product, 'History Hal')
  const handover = await handOver(page, product, steamId)
  await page.goto('/login')
  await page.goto(`/steam-auth-success?steam_id=${steamId}&token=${handover}`)
  await expect(page).toHaveURL('/dashboard')
  await page.goBack()
  await expect(page).toHaveURL('/login')
})

test('LOGIN-4: sign-in needs both steam_id and token in the return parameters', async ({ page }) => {
  for (const query of [
    '',
    '?steam_id=76561197960265801',
    '?token=abc',
    '?steam_id=&token=',
    '?STEAM_ID=1&TOKEN=2',
  ]) {
    await page.goto(`/steam-auth-success${query}`)
    await expect(page).toHaveURL('/login?error=steam_auth_failed')
    await expect(page.getByRole('alert')).toHaveText(FAILED)
    expect(await stored(page)).toEqual({})
  }
  await expect(page).toBeAccessible()
})

test("SIGN-9: cancelling on Steam's page leads to /login?error=steam_auth_failed", async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with Steam' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/login?error=steam_auth_failed&reason=cancelled')
  await expect(page.getByRole('alert')).toContainText('You cancelled')
  expect(await stored(page)).toEqual({})
})

test('SIGN-33, LIM-31, SIGN-9: why a sign-in failed, in both languages', async ({ page }) => {
  const words = {
    cancelled: ['Press the button', 'neu beginnen'],
    other_browser: ['Sign in again here', 'Melde dich hier noch einmal an'],
    not_confirmed: ['try again in a moment', 'Versuch es gleich noch einmal'],
    clock: ['tell whoever runs it', 'der Person, die ihn betreibt'],
    too_many_requests: ['wait a minute', 'Warte eine Minute'],
    not_invited: ['Only invited people', 'nur Eingeladene'],
    unknown: [FAILED, 'Bitte versuche es noch einmal'],
  }
  for (const [nth, language] of ['en', 'de'].entries()) {
    await page.goto('/login')
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    for (const [reason, sentences] of Object.entries(words)) {
      await page.goto(`/login?error=steam_auth_failed&reason=${reason}`)
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toContainText(sentences[nth]!)
    }
  }
  await page.evaluate(() => localStorage.clear())
})
