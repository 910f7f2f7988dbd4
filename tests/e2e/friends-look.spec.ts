/** LOOK-22 to LOOK-24: the screens of friends on small screens, with friends of any name and number. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { friendsContract } from '#shared/contract/friends.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { box, choices, friends, gamesOf } from './friends-page.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  oddNames,
  test,
} from './support.ts'

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

test('LOOK-22, LOOK-23: friends of any name fit a phone', async ({ page, product, signInAs }) => {
  test.slow()
  const shared = join(import.meta.dirname, '../../../shared/data/fixtures/made_up_persona_names.json')
  const real = existsSync(shared) ? (JSON.parse(readFileSync(shared, 'utf8')) as string[]) : []
  const names = [...oddNames(64), ' ', ...real]
  const me = await product.player({ games: { Portal: 90 } })
  const ids = await product.strangersConnectedWith(me, names.length)
  for (const [nth, id] of ids.entries()) {
    product.simulator.updatePlayer(id, { personaname: names[nth]!, personastate: nth % 7 })
    product.simulator.setGames(id, [
      { appid: product.appidOf('Portal'), minutes: nth, recentMinutes: 0, lastPlayed: 0 },
    ])
  }
  await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
  await me.call(libraryContract.fetchGames, { steamId: ids[0]! })
  await signInAs(me)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [
    '/friends',
    '/friends/games',
    gamesOf({ steam_id: ids[0]! }),
    `/games/${product.appidOf('Portal')}/friends`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 })
      await expectNoSidewaysScroll(page)
      if (width === 390) await expectAccessible(page)
      await expectLargeTargets(page)
    }
  }
  await page.goto('/friends/games')
  await box(page).click()
  await expect(choices(page).first()).toBeVisible()
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoSidewaysScroll(page)
    if (width === 390) await expectAccessible(page)
  }
})
