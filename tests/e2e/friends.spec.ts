/** FRI-1: the friends, and what all screens about friends share. */
import { libraryContract } from '#shared/contract/library.ts'
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
  options,
  syncFriends,
} from './friends-page.ts'
import { breakCalls, expect, expectAccessible, hold, test } from './support.ts'

test.afterEach(({ product }) => product.simulator.clearFaults())

test.describe('FRI-1: Friends', () => {
  test('FRI-1, PLAT-27: lists friends with avatar and a link to their games, whoever is online first', async ({
    page,
    product,
    signInAs,
  }) => {
    const zoe = await product.player({ name: 'Zoe', personastate: 1, games: { Portal: 90 } })
    const ada = await product.player({ name: 'Ada', personastate: 0 })
    const bob = await product.player({ name: 'Bob', personastate: 3, gamesPrivate: true })
    const cat = await product.player({ name: 'Cat', playing: product.appidOf('Portal') })
    const me = await product.player({ friends: [zoe, ada, bob, cat] })
    await signInAs(me)
    await page.goto('/friends')
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
    const avatars = await friends(page)
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
    expect(avatars).toHaveLength(4)
    await expectAccessible(page)
    await friend(page, 'Zoe').click()
    await expect(page).toHaveURL(gamesOf(zoe))
    await expect(heading(page, "Zoe's Games")).toBeVisible()
    await expect(game(page, 'Portal')).toContainText('1h 30m played')
  })

  test("PAGE-11, LOOK-22: a friend without a picture, or whose picture fails, has the product's logo; a name that runs from right to left stays beside it", async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    const ada = await product.player({ name: 'Ada' })
    const bob = await product.player({ name: 'Bob' })
    const right = await product.player({ name: 'مرجان' })
    const me = await product.player({ friends: [ada, bob, right] })
    await signInAs(me)
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

  test("FRI-4: the empty state says 'No friends found.'", async ({ page, product, signInAs }) => {
    const me = await product.player({ synced: false })
    await signInAs(me)
    await page.goto('/friends')
    await expect(page.getByText('No friends found.', { exact: true })).toBeVisible()
    await expect(page.getByText('Press Sync Friends above to add your Steam friends.')).toBeVisible()
    await expectAccessible(page)
    await syncFriends(page).click()
    await expect(page.getByText('Your Steam friends list is empty.')).toBeVisible()
    await expect(page.getByText('No friends found.', { exact: true })).toBeVisible()
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  })

  test('LOOK-4, PLAT-40: the stored list stands there while Steam is asked who is online', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada', personastate: 0 })
    const me = await product.player({ friends: [ada] })
    await signInAs(me)
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

  test('DATA-1: a friend list that became private keeps what was read, and the page says what to change', async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    product.simulator.updatePlayer(me.steam_id, { friendsPrivate: true })
    await signInAs(me)
    await page.goto('/friends')
    await syncFriends(page).click()
    await expect(page.getByRole('heading', { name: 'Your friends list is private on Steam' })).toBeVisible()
    await expect(page.getByText('set "Friends List" to Public. Then press Sync Friends.')).toBeVisible()
    await expect(page.getByText('Friends synced earlier are still here.')).toBeVisible()
    await expect(friend(page, 'Ada')).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('PAGE-6: Sync Friends', () => {
  test('PERM-20: who has dropped me since my list was synced is said to be no friend; nothing of theirs is shown, and no list offers them', async ({
    page,
    product,
    signInAs,
  }) => {
    const bob = await product.player({ name: 'Bob', personastate: 1, games: { Portal: 90 } })
    const cat = await product.player({ name: 'Cat', games: { Portal: 5 } })
    const me = await product.player({ friends: [bob, cat] })
    product.simulator.unfriend(me.steam_id, bob.steam_id)
    await product.deps.sync.syncFriends(bob.steam_id)
    await signInAs(me)
    await page.goto('/friends')
    await expect(friend(page, 'Bob')).toContainText('No longer friends on Steam')
    await expect(friend(page, 'Bob')).toContainText('Sync Friends to refresh')
    await expect(friend(page, 'Cat')).toContainText('Online')
    await expectAccessible(page)
    await friend(page, 'Bob').click()
    await expect(heading(page, "Bob's Games")).toBeVisible()
    await expect(page.getByText('You are no longer friends on Steam')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sync Games' })).toHaveCount(0)
    await expectAccessible(page)
    await box(page).click()
    await expect(choices(page)).toHaveText([/^Cat/])
    await page.goto('/friends')
    await syncFriends(page).click()
    await expect.poll(() => friendNames(page)).toEqual(['Cat'])
  })

  test("PAGE-6, FRI-1: the Sync Friends button is disabled and reads 'Syncing...' while its request runs; then the list reloads", async ({
    page,
    product,
    signInAs,
  }) => {
    const ada = await product.player({ name: 'Ada' })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({ friends: [ada] })
    await signInAs(me)
    await page.goto('/friends')
    await expect(friend(page, 'Ada')).toBeVisible()
    product.simulator.befriend(me.steam_id, bob.steam_id)
    product.simulator.unfriend(me.steam_id, ada.steam_id)
    const release = await hold(page, '**/sync_friends')
    await syncFriends(page).click()
    await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
    await expect(friend(page, 'Ada')).toBeVisible()
    await expectAccessible(page)
    // It stays disabled for whoever leaves and comes back meanwhile.
    const navigation = page.getByRole('navigation')
    await navigation.getByRole('link', { name: 'My Games', exact: true }).click()
    await expect(heading(page, 'My Games')).toBeVisible()
    await navigation.getByRole('link', { name: 'Friends', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
    release()
    await expect.poll(() => friendNames(page)).toEqual(['Bob'])
    await expect(syncFriends(page)).toBeEnabled()
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  })

  test('PAGE-8: a failed sync of friends is silently ignored, except that the button re-enables', async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 50[234]/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    await signInAs(me)
    await page.goto('/friends')
    await expect(friend(page, 'Ada')).toBeVisible()
    product.simulator.fail({ endpoint: 'GetFriendList', steamId: me.steam_id, kind: 'html_200' })
    const answered = page.waitForResponse((response) => response.url().endsWith('/sync_friends'))
    await syncFriends(page).click()
    expect((await answered).status()).toBeGreaterThanOrEqual(500)
    await expect(syncFriends(page)).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(friend(page, 'Ada')).toBeVisible()
    await expect(page.getByText('10 of 10 syncs left')).toBeVisible()
  })

  test('LOOK-12, REF-9: after Sync Friends the page counts the libraries read, and then knows them', async ({
    page,
    product,
    signInAs,
  }) => {
    const quick = await product.player({ name: 'Quick', synced: false })
    const slow = await product.player({ name: 'Slow', synced: false })
    const me = await product.player({ synced: false })
    for (const one of [quick, slow]) product.simulator.befriend(me.steam_id, one.steam_id)
    // Tried again in a minute: until then it stays on the list of what is to be read.
    product.simulator.fail({ endpoint: 'GetOwnedGames', steamId: slow.steam_id, kind: 'status', status: 500 })
    await signInAs(me)
    await page.goto('/friends')
    await syncFriends(page).click()
    const main = page.getByRole('main')
    await expect(main.getByText('Syncing your friends’ libraries')).toBeVisible()
    // Read in the background, which takes a while on a busy machine.
    await expect(main.getByText('1 of 2 libraries')).toBeVisible({ timeout: 30_000 })
    await expect(friend(page, 'Slow')).toContainText('Library not synced yet')
    await expectAccessible(page)
    product.simulator.clearFaults()
    await slow.call(libraryContract.fetchGames, { steamId: slow.steam_id })
    await expect(page.getByText(/of 2 libraries/)).toHaveCount(0)
    await expect(friend(page, 'Quick')).toContainText('Library synced')
    await expect(friend(page, 'Slow')).toContainText('Library synced')
  })
})

test.describe('FRI-4: friends that cannot be loaded', () => {
  test("FRI-1, FRI-4: a non-OK load shows the red text 'Failed to fetch friends' within 9 seconds, and 'Try Syncing Friends'", async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ synced: false })
    product.simulator.befriend(me.steam_id, ada.steam_id)
    await signInAs(me)
    await breakCalls(page, /\/api\/users\/\d+\/friends(_cached)?$/, 'The list fell over.')
    await page.goto('/friends')
    const failure = page.getByRole('alert')
    await expect(failure).toContainText('Failed to fetch friends', { timeout: 9000 })
    await expect(failure).toContainText('The list fell over.')
    await expectRed(page, 'Failed to fetch friends')
    await expectAccessible(page)
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

  test("PAGE-2: the stored list stays below 'Failed to fetch friends'", async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 503/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    await signInAs(me)
    await page.route(`**/api/users/${me.steam_id}/friends`, (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy.', code: 'busy' } }),
    )
    await page.goto('/friends')
    await expect(page.getByRole('alert')).toContainText('Failed to fetch friends', { timeout: 9000 })
    await expect(page.getByRole('button', { name: 'Try Syncing Friends' })).toBeEnabled()
    await expect(friend(page, 'Ada')).toBeVisible()
  })
})

test.describe('PAGE-10: friend search', () => {
  test('PAGE-10, LOOK-24: friends are found by any part of the display name in any case, or of the id when there is no name; a search is there on return', async ({
    page,
    product,
    signInAs,
  }) => {
    const heron = await product.player({ name: 'Quartz HERON' })
    const kettle = await product.player({ name: 'tin_kettle' })
    const nameless = await product.player({ name: ' ' })
    const me = await product.player({ friends: [heron, kettle, nameless] })
    await signInAs(me)

    await page.goto('/friends')
    const search = page.getByRole('searchbox', { name: 'Search my friends' })
    await search.fill('heron')
    await expect.poll(() => friendNames(page)).toEqual(['Quartz HERON'])
    // It is there on return (LOOK-24).
    await friend(page, 'Quartz HERON').click()
    await expect(heading(page, "Quartz HERON's Games")).toBeVisible()
    await page.goBack()
    await expect(search).toHaveValue('heron')
    await expect.poll(() => friendNames(page)).toEqual(['Quartz HERON'])
    await search.fill('KETT')
    await expect.poll(() => friendNames(page)).toEqual(['tin_kettle'])
    await search.fill(nameless.steam_id.slice(4))
    await expect.poll(() => friendNames(page)).toEqual([nameless.steam_id])
    await search.fill(kettle.steam_id)
    await expect(page.getByText('No friends match.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show all friends' }).click()
    await expect.poll(() => friendNames(page)).toHaveLength(3)

    await page.goto('/friends/games')
    await box(page).fill('heron')
    await expect.poll(() => options(page)).toEqual(['Quartz HERON'])
    await box(page).fill('KETT')
    await expect.poll(() => options(page)).toEqual(['tin_kettle'])
    await box(page).fill(nameless.steam_id.slice(4))
    await expect.poll(() => options(page)).toEqual([nameless.steam_id])
    await box(page).fill(kettle.steam_id)
    await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
    await expect(choices(page)).toHaveCount(0)
  })
})
