/** DASH-1: the cards of the dashboard. */
import type { TestPlayer } from '../support/product.ts'
import { card, expectLoaded, namesIn, openDashboard, rows, test } from './dashboard-page.ts'
import { api, expect, hold } from './support.ts'

test('DASH-1, ROUTE-2, LOOK-22: all nine cards, at both paths', async ({ page, enterCrew }) => {
  test.slow()
  await enterCrew()
  for (const path of ['/', '/dashboard']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expectLoaded(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'Top Common Games',
      'My Top Games',
      'Groups',
      'Friends',
      'Top 5 Games by Playtime',
      'Total Playtime',
      'Recent Activity',
      "Friends' Top Games",
      'Compare Games',
    ])
  }
  await expect(page).toHaveTitle('Dashboard · Shelfmates')
  await expect(page).toBeAccessible()
})

test("DASH-2: the loading text is 'Loading your dashboard...'", async ({ page, enterCrew }) => {
  await enterCrew()
  const release = await hold(page, '**/api/**')
  await page.goto('/dashboard')
  await expect(page.getByText('Loading your dashboard...', { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page).toFitItsWidth()
  release()
  await expectLoaded(page)
  await expect(page.getByText('Loading your dashboard...')).toHaveCount(0)
})

test('DASH-3, PAGE-12: My Top Games shows 3, and leads on', async ({ page, enter }) => {
  await enter({ games: { Never: 0, Portal: 90, 'Counter-Strike': 72_305, Dota: 89 } })
  await openDashboard(page)
  const top = card(page, 'My Top Games')
  await expect.poll(() => namesIn(top)).toEqual(['Counter-Strike', 'Portal', 'Dota'])
  await expect(rows(top)).toContainText(['1,205h played', '2h played', '1h played'])
  await expect(rows(top).locator('img')).toHaveCount(3)
  await top.getByRole('link', { name: 'View All Games' }).click()
  await expect(page).toHaveURL('/my_games')
})

test('DASH-5: the first 5 friends, with avatar and name', async ({ page, product, enter }) => {
  const friends: TestPlayer[] = []
  for (const [name, personastate] of [
    ['Ada', 0],
    ['Bob', 0],
    ['Cal', 0],
    ['Dee', 0],
    ['Eve', 1],
    ['Fay', 3],
  ] as const)
    friends.push(await product.player({ name, personastate, synced: false }))
  friends.push(await product.player({ name: 'Gus', playing: product.appidOf('Portal'), synced: false }))
  const me = await enter({ friends })
  await openDashboard(page)
  const region = card(page, 'Friends')
  const FIRST = ['Gus', 'Eve', 'Fay', 'Ada', 'Bob']
  const presence = ['Portal', 'Online', 'Away', 'Offline', 'Offline']
  await expect(rows(region)).toHaveText(FIRST.map((name, nth) => name + presence[nth]))
  const { friends: listed } = await me.call(api.friends.friendsCached, me.user)
  const shown = await rows(region)
    .locator('img')
    .evaluateAll((images) => images.map((image) => image.getAttribute('src')))
  const avatarOf = (name: string) => listed.find((friend) => friend.display_name === name)!.avatar_url
  expect(shown).toEqual(FIRST.map(avatarOf))
  await region.getByRole('link', { name: 'View All Friends' }).click()
  await expect(page).toHaveURL('/friends')
})

test('DASH-21: 2 games of friends, and never appid 431960', async ({ page, product, enter }) => {
  const ada = await product.player({ games: { '431960': 90_000, Portal: 600, Dota: 60, Rust: 30 } })
  const bob = await product.player({ games: { '431960': 90_000, Dota: 72_000 } })
  const me = await enter({ games: { '431960': 100 }, friends: [ada, bob] })
  await openDashboard(page)
  const region = card(page, "Friends' Top Games")
  await expect(rows(region)).toHaveText([/Dota.*1,201h$/, /Portal.*10h$/])
  await expect(rows(region).locator('img')).toHaveCount(2)

  // The page leaves it out as well, whatever it is answered.
  const top = await me.call(api.friends.topGames, me.user)
  await page.route('**/friends_top_games', (route) =>
    route.fulfill({ json: [{ ...top[0]!, appid: 431_960, name: 'Left out' }, ...top.slice(1)] }),
  )
  await openDashboard(page)
  await expect(rows(region)).toHaveText([/Portal/, /Rust/])
  await page.unrouteAll()
  await page.route('**/friends_top_games', (route) =>
    route.fulfill({ json: [{ ...top[0]!, appid: 431_960, name: 'Left out' }] }),
  )
  await openDashboard(page)
  await expect(rows(region)).toHaveCount(0)
  await expect(region).toContainText('Nothing to show yet')
})

test('DASH-31: up to 2 groups and 1 friend, else nothing', async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
  const me = await enter({ games: { Portal: 60 }, friends: [ada] })
  await openDashboard(page)
  const region = card(page, 'Recent Activity')
  await expect(region.getByText('No recent activity.', { exact: true })).toBeVisible()

  const groupIds: number[] = []
  for (const name of ['One', 'Two', 'Three'])
    groupIds.push((await product.group({ owner: me, members: [ada], name })).group_id)
  product.simulator.setGames(
    ada.steam_id,
    ['Portal', 'Brand New', 'Newer Still'].map((game) => ({
      appid: product.appidOf(game),
      minutes: 90,
      recentMinutes: 90,
      // After the sync before, which may have been in this second.
      lastPlayed: Math.ceil(Date.now() / 1000),
    })),
  )
  for (const group_id of groupIds) await me.call(api.groups.syncGames, {}, { group_id })
  await openDashboard(page)
  await expect(rows(region)).toHaveCount(3)
  await expect(rows(region).filter({ hasText: /^(One|Two|Three) synced recently/ })).toHaveCount(2)
  await expect(
    rows(region).filter({ hasText: /^Ada played a new game: (Brand New|Newer Still)/ }),
  ).toHaveCount(1)
  await expect(page).toBeAccessible()
  await rows(region).last().getByRole('link', { name: 'Ada' }).click()
  await expect(page).toHaveURL(`/friends/${ada.steam_id}/games`)
})

test('DASH-7, DASH-10: the top 3 of four orders, with links', async ({ page, product, enter }) => {
  const [ada, bob] = [await product.player({ name: 'Ada' }), await product.player({ name: 'Bob' })]
  const me = await enter({ friends: [ada, bob] })
  await product.group({ owner: me, members: [ada], name: 'Delta' })
  await product.group({ owner: me, name: 'bravo' })
  const largest = await product.group({ owner: me, members: [ada, bob], name: 'Charlie' })
  await product.group({ owner: me, name: 'Alpha' })
  await openDashboard(page)
  const region = card(page, 'Groups')
  const sort = region.getByRole('combobox', { name: 'Sort groups' })
  expect(await sort.getByRole('option').allTextContents()).toEqual([
    'By Size',
    'Newest First',
    'Oldest First',
    'A-Z',
  ])
  await expect(sort).toHaveValue('size')
  await expect.poll(() => namesIn(region)).toEqual(['Charlie', 'Delta', 'Alpha'])
  await sort.selectOption('A-Z')
  await expect.poll(() => namesIn(region)).toEqual(['Alpha', 'bravo', 'Charlie'])
  await sort.selectOption('By Size')
  // By keys: the browser's own select takes them.
  await sort.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => namesIn(region)).toEqual(['Alpha', 'Charlie', 'bravo'])
  await expect(rows(region).nth(1)).toHaveText(/Charlie3 members$/)
  await rows(region).nth(1).getByRole('link').click()
  await expect(page).toHaveURL(`/groups/${largest.group_id}`)
  await page.goBack()
  await region.getByRole('link', { name: 'View All Groups' }).click()
  await expect(page).toHaveURL('/groups')
})
