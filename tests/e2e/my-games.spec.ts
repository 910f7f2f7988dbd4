/** MINE-1: the own library in the browser. */
import type { Page } from '@playwright/test'
import { expect, hold, test } from './support.ts'

const EMPTY = 'No games found. Click Sync Games above to fetch your library from the platform.'

const syncButton = (page: Page) => page.getByRole('button', { name: 'Sync Games' })
const games = (page: Page) => page.getByRole('list', { name: 'My Games' })
const card = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
const names = (page: Page) => games(page).getByRole('heading', { level: 2 }).allTextContents()

test("MINE-1, PAGE-12: image, name and 'Xh Ym played'", async ({ page, enter }) => {
  await enter(
    {
      games: { 'Never Started': 0, Portal: 90, 'Counter-Strike': 72_305, 'One Minute': 1, 'One Hour': 60 },
    },
    '/my_games',
  )
  await expect(page.getByRole('heading', { level: 1, name: 'My Games' })).toBeVisible()
  await expect(card(page, 'Counter-Strike')).toContainText('1205h 5m played')
  await expect(card(page, 'Portal')).toContainText('1h 30m played')
  await expect(card(page, 'One Hour')).toContainText('1h 0m played')
  await expect(card(page, 'One Minute')).toContainText('0h 1m played')
  await expect(card(page, 'Never Started')).toContainText('0h 0m played')
  await expect
    .poll(() => names(page))
    .toEqual(['Counter-Strike', 'Portal', 'One Hour', 'One Minute', 'Never Started'])
  await expect(card(page, 'Portal').locator('img')).toBeVisible()
  await expect(page.getByText('synced just now')).toBeVisible()
  await expect(page).toHaveTitle('My Games · Shelfmates')
  await expect(page).toBeAccessible()
})

test("MINE-1, ROUTE-10: 'Compare with Friends' carries both values", async ({ page, product, enter }) => {
  await enter({ games: { Portal: 90, Dota: 30 } }, '/my_games')
  await card(page, 'Portal').getByRole('link', { name: 'Compare with Friends' }).click()
  await expect(page).toHaveURL(`/games/${product.appidOf('Portal')}/friends`)
  expect(await page.evaluate(() => (history.state as { usr: unknown }).usr)).toEqual({
    myPlaytime: 90,
    gameName: 'Portal',
  })
})

test('MINE-4: the empty state says to click Sync Games', async ({ page, enter }) => {
  await enter({ synced: false }, '/my_games')
  await expect(page.getByText(EMPTY, { exact: true })).toBeVisible()
  await expect(page.getByText('not synced yet')).toBeVisible()
  await expect(syncButton(page)).toBeEnabled()
  await expect(page).toBeAccessible()
})

test("PAGE-6: 'Syncing...' until the list reloads", async ({ page, product, enter }) => {
  const me = await enter({ games: { Portal: 90 } }, '/my_games')
  await expect(card(page, 'Portal')).toBeVisible()
  await expect(page.getByText('10 of 10 syncs left')).toBeVisible()

  product.giveGames(me, { Portal: 150, 'Half-Life': 30 })
  const release = await hold(page, '**/fetch_games')
  await syncButton(page).dblclick()
  const busy = page.getByRole('button', { name: 'Syncing...' })
  await expect(busy).toBeDisabled()
  await expect(card(page, 'Portal')).toContainText('1h 30m played')
  await expect(page).toBeAccessible()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(busy).toBeDisabled()
  await page.getByRole('link', { name: 'My Games', exact: true }).click()
  await expect(busy).toBeDisabled()
  release()

  await expect(card(page, 'Portal')).toContainText('2h 30m played')
  await expect(card(page, 'Half-Life')).toContainText('0h 30m played')
  await expect(syncButton(page)).toBeEnabled()
  await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
})

test('MINE-4: private games have another empty state', async ({ page, enter }) => {
  await enter({ gamesPrivate: true }, '/my_games')
  await expect(page.getByRole('heading', { name: 'Your game details are private on Steam' })).toBeVisible()
  await expect(page.getByText('Then press Sync Games.')).toBeVisible()
  await expect(page.getByText(EMPTY)).toHaveCount(0)
  await expect(page).toBeAccessible()
})

test('DATA-1, LOOK-11: games made private stay', async ({ page, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 90 } })
  product.simulator.updatePlayer(me.steam_id, { gamesPrivate: true })
  await signInAs(me, '/my_games')
  await syncButton(page).click()
  await expect(page.getByRole('heading', { name: 'Your game details are private on Steam' })).toBeVisible()
  await expect(page.getByText('set "Game details" to Public. Then press Sync Games.')).toBeVisible()
  await expect(page.getByText('Games synced earlier are still here.')).toBeVisible()
  await expect(card(page, 'Portal')).toContainText('1h 30m played')
  await expect(page).toBeAccessible()
})

test('PIC-8, PLAT-33: a fallback tile', async ({ page, product, expectedErrors, missingPictures, enter }) => {
  expectedErrors.push(/status of 404/)
  await enter({ games: { 'Lost Art of Gaming': 90, Shown: 60 } })
  missingPictures.push(new RegExp(`/${product.appidOf('Lost Art of Gaming')}/`))
  await page.goto('/my_games')
  await expect(card(page, 'Lost Art of Gaming').getByText('LAO')).toBeVisible()
  await expect(card(page, 'Shown').locator('img')).toBeVisible()
  const [lost, shown] = await Promise.all(
    ['Lost Art of Gaming', 'Shown'].map((name) => card(page, name).boundingBox()),
  )
  expect(lost!.height).toBe(shown!.height)
})
