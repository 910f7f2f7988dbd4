/** PLAY-1: who else plays a game. */
import type { Page } from '@playwright/test'
import { libraryContract } from '#shared/contract/library.ts'
import { heading, unreadFriend } from './friends-page.ts'
import { expect, expectAccessible, hold, test } from './support.ts'

test.afterEach(({ product }) => product.simulator.clearFaults())

test.describe('PLAY-1: Friends who play a game', () => {
  const owned = (page: Page) => page.getByRole('region', { name: 'Friends' })
  const mine = (page: Page) => page.getByRole('region', { name: 'Your playtime' })

  test("PLAY-1, PLAY-2, PLAY-6, PAGE-12: my playtime, then friends'", async ({ page, product, signInAs }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
    const bob = await product.player({ name: 'Bob', games: { Portal: 72_305 } })
    const cat = await product.player({ name: 'Cat', games: { Portal: 0 } })
    const dan = await product.player({ name: 'Dan', games: { Dota: 30 } })
    const me = await product.player({ games: { Portal: 90 }, friends: [ada, bob, cat, dan] })
    await signInAs(me, `/games/${product.appidOf('Portal')}/friends`)
    await expect(heading(page, 'Friends Who Play Portal')).toBeVisible()
    await expect(page).toHaveTitle('Friends Who Play Portal · Shelfmates')
    await expect(mine(page)).toContainText('1h 30m')
    await expect(mine(page)).not.toContainText('Not in your library')
    const rows = owned(page).getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(0)).toContainText('Bob1205h 5m')
    await expect(rows.nth(1)).toContainText('Ada1h 1m')
    await expect(rows.nth(2)).toContainText('Cat0h 0m')
    await expect(owned(page).locator('img')).toHaveCount(3)
    await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Play it 2', 'Own it, never played 1'])
    await expectAccessible(page)
    await page.getByLabel('Sort').selectOption('Name')
    await expect(rows).toContainText(['Ada', 'Bob', 'Cat'])
    await page.getByRole('searchbox').fill('ad')
    await expect(rows).toHaveCount(1)
    await expect(page).toHaveURL(/\/friends\?search=ad&sort=name$/)
    await page.getByRole('link', { name: 'Compare with Ada' }).click()
    await expect(page).toHaveURL(`/games/${product.appidOf('Portal')}/comparison?friend=${ada.steam_id}`)
    await page.goBack()
    await owned(page).getByRole('link', { name: 'Ada', exact: true }).click()
    await expect(heading(page, "Ada's Games")).toBeVisible()
  })

  test("PLAY-1, PLAY-3, PLAY-2: 'This Game', which no friend plays", async ({ page, product, signInAs }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me, '/games/4294967295/friends')
    await expect(heading(page, 'Friends Who Play This Game')).toBeVisible()
    await expect(page.getByText('None of your friends play this game.', { exact: true })).toBeVisible()
    await expect(mine(page)).toContainText('0h 0m')
    await expect(mine(page)).toContainText('Not in your library')
    await expectAccessible(page)
  })

  test('ROUTE-10, PLAY-3: the navigation state is shown at once', async ({ page, product, signInAs }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me)
    const release = await hold(page, /\/api\/users\/\d+\/games\/\d+\/(playtime|friends)$/)
    await page.goto('/my_games')
    await page.getByRole('link', { name: 'Compare with Friends' }).click()
    await expect(heading(page, 'Friends Who Play Portal')).toBeVisible()
    await expect(mine(page)).toContainText('1h 30m')
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    // Played on meanwhile, which the page does not know yet.
    product.giveGames(me, { Portal: 150 })
    await me.call(libraryContract.fetchGames, { steamId: me.steam_id })
    release()
    await expect(mine(page)).toContainText('2h 30m')
    await expect(page.getByText('None of your friends play this game.')).toBeVisible()
    await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
  })

  test('PLAY-6: friends with unknown libraries are counted', async ({ page, product, signInAs }) => {
    const secret = await product.player({ name: 'Secret', gamesPrivate: true })
    const me = await product.player({ friends: [secret], games: { Portal: 90 } })
    await unreadFriend(product, me)
    await signInAs(me, `/games/${product.appidOf('Portal')}/friends`)
    await expect(page.getByText('None of your friends play this game.')).toBeVisible()
    await expect(
      page.getByText(
        '2 friends may own it too, but their libraries aren’t available: 1 private on Steam, 1 not synced yet.',
      ),
    ).toBeVisible()
    await expectAccessible(page)
  })
})
