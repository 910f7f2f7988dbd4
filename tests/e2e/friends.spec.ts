/** FRI-1: the friends, and what all screens about friends share. */
import {
  box,
  choices,
  expectRed,
  friend,
  friendNames,
  friends,
  game,
  gamesOf,
  heading,
  syncFriends,
} from './friends-page.ts'
import { api, breakCalls, expect, hold, test } from './support.ts'

test.afterEach(({ product }) => product.simulator.clearFaults())

test('FRI-1, PLAT-27: who is online first, with avatar and link', async ({ page, product, enter }) => {
  const zoe = await product.player({ name: 'Zoe', personastate: 1, games: { Portal: 90 } })
  const ada = await product.player({ name: 'Ada', personastate: 0 })
  const bob = await product.player({ name: 'Bob', personastate: 3, gamesPrivate: true })
  const cat = await product.player({ name: 'Cat', playing: product.appidOf('Portal') })
  await enter({ friends: [zoe, ada, bob, cat] }, '/friends')
  await expect(heading(page, 'Friends')).toBeVisible()
  await expect.poll(() => friendNames(page)).toEqual(['Cat', 'Zoe', 'Bob', 'Ada'])
  await expect(friend(page, 'Cat')).toContainText('Playing Portal')
  await expect(friend(page, 'Zoe')).toContainText('Online')
  await expect(friend(page, 'Zoe')).toContainText('0 games in common')
  await expect(friend(page, 'Bob')).toContainText('Away')
  await expect(friend(page, 'Bob')).toContainText('Game details private')
  await expect(friend(page, 'Ada')).toContainText('Offline')
  await expect(page.getByText('4 friends · 3 online · synced just now')).toBeVisible()
  await expect(page).toHaveTitle('Friends · Shelfmates')
  await expect(friends(page).locator('img')).toHaveCount(4)
  await expect(page).toBeAccessible()
  await friend(page, 'Zoe').click()
  await expect(page).toHaveURL(gamesOf(zoe))
  await expect(heading(page, "Zoe's Games")).toBeVisible()
  await expect(game(page, 'Portal')).toContainText('1h 30m played')
})

test('PAGE-11, LOOK-22: the logo as avatar', async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada' })
  const bob = await product.player({ name: 'Bob' })
  const right = await product.player({ name: 'مرجان' })
  const me = await enter({ friends: [ada, bob, right] })
  await page.route('**/broken.jpg', (route) => route.fulfill({ status: 404 }))
  await page.route(`**/api/users/${me.steam_id}/friends`, async (route) => {
    const answer = (await (await route.fetch()).json()) as { friends: { avatar_url: string | null }[] }
    answer.friends[0]!.avatar_url = null
    answer.friends[1]!.avatar_url = `${product.url}/broken.jpg`
    await route.fulfill({ json: answer })
  })
  await page.goto('/friends')
  await expect(friend(page, 'Ada').locator('img')).toHaveAttribute('src', '/logo.svg')
  await expect(friend(page, 'Bob').locator('img')).toHaveAttribute('src', '/logo.svg')
  const name = friends(page).getByText('مرجان')
  await expect(name).toBeVisible()
  expect(await name.evaluate((found) => getComputedStyle(found).textAlign)).toMatch(/left/)
})

test("FRI-4: the empty state says 'No friends found.'", async ({ page, enter }) => {
  await enter({ synced: false }, '/friends')
  await expect(page.getByText('No friends found.', { exact: true })).toBeVisible()
  await expect(page.getByText('Press Sync Friends above to add your Steam friends.')).toBeVisible()
  await expect(page).toBeAccessible()
  await syncFriends(page).click()
  await expect(page.getByText('Your Steam friends list is empty.')).toBeVisible()
  await expect(page.getByText('No friends found.', { exact: true })).toBeVisible()
  await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
})

test('LOOK-4, PLAT-40: the stored list while Steam is asked', async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada', personastate: 0 })
  const me = await enter({ friends: [ada] })
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/users/${me.steam_id}/friends`, async (route) => {
    const answer = (await (await route.fetch()).json()) as { friends: { personastate: number }[] }
    answer.friends[0]!.personastate = 1
    await held.promise
    await route.fulfill({ json: answer })
  })
  await page.goto('/friends')
  await expect(friend(page, 'Ada')).toContainText('Offline')
  held.resolve()
  await expect(friend(page, 'Ada')).toContainText('Online')
})

test('PERM-20: a friend who has dropped me is said to be none', async ({ page, product, signInAs }) => {
  const bob = await product.player({ name: 'Bob', personastate: 1, games: { Portal: 90 } })
  const cat = await product.player({ name: 'Cat', games: { Portal: 5 } })
  const me = await product.player({ friends: [bob, cat] })
  product.simulator.unfriend(me.steam_id, bob.steam_id)
  await product.deps.sync.syncFriends(bob.steam_id)
  await signInAs(me, '/friends')
  await expect(friend(page, 'Bob')).toContainText('No longer friends on Steam')
  await expect(friend(page, 'Bob')).toContainText('Sync Friends to refresh')
  await expect(friend(page, 'Cat')).toContainText('Online')
  await expect(page).toBeAccessible()
  await friend(page, 'Bob').click()
  await expect(heading(page, "Bob's Games")).toBeVisible()
  await expect(page.getByText('You are no longer friends on Steam')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sync Games' })).toHaveCount(0)
  await expect(page).toBeAccessible()
  await box(page).click()
  await expect(choices(page)).toHaveText([/^Cat/])
  await page.goto('/friends')
  await syncFriends(page).click()
  await expect.poll(() => friendNames(page)).toEqual(['Cat'])
})

test('LOOK-12, REF-9: Sync Friends counts the libraries read', async ({ page, product, signInAs }) => {
  const quick = await product.player({ name: 'Quick', synced: false })
  const slow = await product.player({ name: 'Slow', synced: false })
  const me = await product.player({ synced: false })
  for (const one of [quick, slow]) product.simulator.befriend(me.steam_id, one.steam_id)
  // Tried again in a minute: until then it stays on the list of what is to be read.
  product.simulator.fail({ endpoint: 'GetOwnedGames', steamId: slow.steam_id, kind: 'status', status: 500 })
  await signInAs(me, '/friends')
  await syncFriends(page).click()
  const main = page.getByRole('main')
  await expect(main.getByText('Syncing your friends’ libraries')).toBeVisible()
  // Read in the background, which takes a while on a busy machine.
  await expect(main.getByText('1 of 2 libraries')).toBeVisible({ timeout: 30_000 })
  await expect(friend(page, 'Slow')).toContainText('Library not synced yet')
  await expect(page).toBeAccessible()
  product.simulator.clearFaults()
  await slow.call(api.library.fetchGames, slow.user)
  await expect(page.getByText(/of 2 libraries/)).toHaveCount(0)
  await expect(friend(page, 'Quick')).toContainText('Library synced')
  await expect(friend(page, 'Slow')).toContainText('Library synced')
})

test("FRI-1, FRI-4: 'Failed to fetch friends'", async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada' })
  const me = await enter({ synced: false })
  product.simulator.befriend(me.steam_id, ada.steam_id)
  await breakCalls(page, /\/api\/users\/\d+\/friends(_cached)?$/, 'The list fell over.')
  await page.goto('/friends')
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('Failed to fetch friends', { timeout: 9000 })
  await expect(failure).toContainText('The list fell over.')
  await expectRed(page, 'Failed to fetch friends')
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  const release = await hold(page, '**/sync_friends')
  await failure.getByRole('button', { name: 'Try Syncing Friends' }).click()
  await expect(failure.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
  await expect(syncFriends(page)).toHaveCount(0)
  release()
  await expect(friend(page, 'Ada')).toBeVisible()
  await expect(failure).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Try Syncing Friends' })).toHaveCount(0)
  await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
})
