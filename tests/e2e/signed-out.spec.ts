/** LOGIN-9: who is signed out without having pressed Log Out reads why on the login page. */
import type { Page } from '@playwright/test'
import { sessionContract } from '#shared/contract/session.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const DELETED = 'Your account and everything in it were deleted.'
const ENDED = 'Your session ended. Sign in again.'
const ELSEWHERE = 'You were signed out in another tab.'

/** The sentence that says why one is here. */
const why = (page: Page) => page.getByRole('status').filter({ hasText: /./ })
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Steam' })

async function deleteAccount(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('DELETE')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page).toHaveURL('/login')
}

test.describe('LOGIN-9: why one is on the login page', () => {
  test('LOGIN-9: after deleting the account', async ({ page, openTab, product, signInAs }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/my_games')
    const other = await openTab()
    await other.goto('/my_games')
    await expect(other.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()
    await deleteAccount(page)
    await expect(other).toHaveURL('/login')
    await expect(why(other)).toHaveText(ELSEWHERE)
    await expect(why(page)).toHaveText(DELETED)
    await expect(why(page)).toBeInViewport()
    // Screen readers read what has the focus: the page that had it before is gone.
    await expect(page.locator(':focus')).toHaveText(DELETED)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.reload()
    await expect(signInButton(page)).toBeVisible()
    await expect(why(page)).toHaveCount(0)
  })

  test('LOGIN-9, SIGN-27: after a 401 of any call', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 401/)
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me, '/my_games')
    await expect(page.getByText('1h 30m played')).toBeVisible()
    // On another computer.
    await me.call(sessionContract.revokeAllSessions, { steamId: me.steam_id })
    await page.getByRole('button', { name: 'Sync Games' }).click()
    await expect(page).toHaveURL('/login')
    await expect(why(page)).toHaveText(ENDED)
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
    // Who has just pressed a key finds the way on next to it.
    await page.keyboard.press('Tab')
    await expect(signInButton(page)).toBeFocused()
  })

  test('LOGIN-9: a first visitor, and after Log Out', async ({ page, product, signInAs }) => {
    await page.goto('/')
    await expect(page).toHaveURL('/login')
    await expect(signInButton(page)).toBeVisible()
    await expect(why(page)).toHaveCount(0)
    await page.goto('/my_games')
    await expect(page).toHaveURL('/login')
    await expect(why(page)).toHaveText('Sign in to open the page you asked for.')
    await expectAccessible(page)
    await signInAs(await product.player(), '/my_games')
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(signInButton(page)).toBeVisible()
    await expect(why(page)).toHaveCount(0)
  })
})
