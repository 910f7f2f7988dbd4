/** PAGE-19: what could not be loaded while the server was away comes when it is back, without a reload. */
import type { Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { card, common, crew, expectLoaded, rows } from './dashboard-page.ts'
import { expect, failUntilClick, hold, test } from './support.ts'

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** The dashboard of somebody with everything, opened while no call reaches the server. */
async function openWithoutServer(page: Page, product: Product, signInAs: SignInAs) {
  const { me } = await crew(product)
  await signInAs(me)
  const endWithClick = await failUntilClick(page, '**/api/**', (route) => route.abort('connectionrefused'))
  await page.goto('/dashboard')
  await expect(card(page, 'Groups').getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectLoaded(page)
  await expect(page.getByRole('main')).toContainText('Network error.')
  return endWithClick
}
type SignInAs = (player: Awaited<ReturnType<Product['player']>>) => Promise<void>

async function expectEverything(page: Page): Promise<void> {
  await expect(rows(card(page, 'My Top Games'))).toHaveCount(3)
  await expect(rows(card(page, 'Friends'))).toHaveCount(2)
  await expect(rows(card(page, 'Groups'))).toContainText(['Friday night crew'])
  await expect(common(page).games).toHaveCount(2)
  await expect(rows(card(page, "Friends' Top Games"))).toHaveCount(2)
  await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('22h')
  await expect(page.getByRole('region', { name: 'Syncing', exact: true })).toContainText('10 of 10')
  await expect(tryAgain(page)).toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText('Network error.')
}

test.describe('PAGE-19: the server was away', () => {
  test.beforeEach(({ expectedErrors }) => {
    expectedErrors.push(/net::ERR_/)
  })

  test("PAGE-19: one 'Try again' brings everything back", async ({ page, product, signInAs }) => {
    const endWithClick = await openWithoutServer(page, product, signInAs)
    const again = card(page, 'Groups').getByRole('button', { name: 'Try again' })
    // Still away: it tries, and says so again.
    await again.click()
    await expect(again).toBeDisabled()
    await expect(again).toBeEnabled()
    await endWithClick()
    await again.click()
    await expectEverything(page)
  })

  test('PAGE-19: coming back to the window brings everything back', async ({ page, product, signInAs }) => {
    await openWithoutServer(page, product, signInAs)
    await page.unrouteAll()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expectEverything(page)
  })

  test('PAGE-19: a connection brings everything', async ({ page, context, product, signInAs }) => {
    await openWithoutServer(page, product, signInAs)
    await context.setOffline(true)
    await page.unrouteAll()
    await context.setOffline(false)
    await expectEverything(page)
  })

  test('PAGE-19: what was refused is asked once', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 403/)
    const { me } = await crew(product)
    await signInAs(me)
    // A change that the page is told of has all of it read again, what was refused too.
    await hold(page, '**/events')
    let asked = 0
    await page.route('**/api/users/*/activity', (route) => {
      asked++
      return route.fulfill({
        status: 403,
        json: { error: 'You don’t have permission to do that.', code: 'forbidden' },
      })
    })
    await page.route('**/api/users/*/total_playtime', (route) => route.abort('connectionrefused'))
    await page.goto('/dashboard')
    await expectLoaded(page)
    await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('0h')
    await page.unroute('**/api/users/*/total_playtime')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('22h')
    expect(asked).toBe(1)
  })

  test('PAGE-33: without its code a page offers to try again', async ({ page, product, signInAs }) => {
    const { me } = await crew(product)
    await signInAs(me)
    await page.route('**/assets/start-*.js', (route) => route.abort())
    await page.goto('/dashboard')
    const again = page.getByRole('link', { name: 'Try again' })
    await expect(page.getByText('Shelfmates is taking long to load.')).toBeHidden()
    await expect(again).toBeHidden()
    await expect(again).toBeVisible({ timeout: 20_000 })
    await page.unrouteAll()
    await again.click()
    await expect(rows(card(page, 'My Top Games'))).toHaveCount(3)
    await expect(again).toHaveCount(0)
  })

  test('PAGE-36: a browser that is too old says so', async ({ page, product, signInAs }) => {
    const { me } = await crew(product)
    await signInAs(me)
    await page.addInitScript(() => Reflect.deleteProperty(Intl, 'Segmenter'))
    const tooOld = page.getByRole('alert').filter({
      hasText:
        'This browser is too old for Shelfmates, which needs Chrome or Edge 123, Firefox 125, Safari 17.5, or newer.',
    })
    await page.goto('/friends')
    await expect(page.getByRole('heading', { level: 1, name: 'Friends' })).toBeVisible()
    await expect(tooOld).toBeVisible()
    await page.route('**/assets/start-*.js', (route) => route.abort())
    await page.goto('/friends')
    await expect(tooOld).toBeVisible()
    await expect(page.getByText('Shelfmates is taking long to load.')).toHaveCount(0)
  })
})
