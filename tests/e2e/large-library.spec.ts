/** LOOK-24: of thousands of games and hundreds of friends few are drawn, and each keeps its place. */
import type { Page } from '@playwright/test'
import { friends } from './friends-page.ts'
import { expect, test } from './support.ts'

const games = (page: Page) => page.getByRole('list', { name: 'My Games' })
const card = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })

test('LOOK-24: thousands of games, of which few are drawn', async ({ page, enter }) => {
  test.slow()
  const owned = Object.fromEntries(
    Array.from({ length: 3000 }, (_, nth) => [`Game ${nth}`, 7 * (3000 - nth)]),
  )
  await enter({ games: owned }, '/my_games')
  await expect(card(page, 'Game 0')).toBeVisible()
  await expect(page.getByText('3,000 games', { exact: true })).toBeAttached()
  const items = games(page).getByRole('listitem')
  expect(await items.count()).toBeLessThan(60)
  await expect(items.first()).toHaveAttribute('aria-setsize', '3000')

  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  const middle = items.filter({ hasText: /Game 1[45]\d\d/ }).nth(12)
  await expect(middle).toBeVisible()
  const before = await page.evaluate(() => window.scrollY)
  await page.evaluate(() =>
    (document.querySelector('main li:nth-of-type(13) a[href$=friends]') as HTMLElement).click(),
  )
  await expect(page).toHaveURL(/\/friends$/)
  await page.goBack()
  await expect(items.first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(before))

  await page.keyboard.press('End')
  await expect(card(page, 'Game 2999')).toBeVisible()
  expect(await items.count()).toBeLessThan(60)
})

test('LOOK-24: hundreds of friends, of whom few are drawn', async ({ page, product, signInAs }) => {
  const me = await product.player()
  await product.strangersConnectedWith(me, 300)
  await signInAs(me, '/friends')
  await expect(page.getByText('300 friends · 300 online')).toBeVisible()
  const items = friends(page).getByRole('listitem')
  await expect(items.first()).toHaveAttribute('aria-setsize', '300')
  expect(await items.count()).toBeLessThan(60)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
  // At once, because rows that are measured meanwhile move the page.
  const before = await page.evaluate(() => {
    const at = Math.round(window.scrollY)
    ;(document.querySelector('main li:nth-of-type(13) a') as HTMLElement).click()
    return at
  })
  await expect(page).toHaveURL(/\/games$/)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(before)
})
