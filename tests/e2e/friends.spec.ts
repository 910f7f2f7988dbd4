/** SPEC.md 2 'Friends', 'Friend's Games' and 'Friends who play a game', with 4, 5, 7, 8 and 9 as far as they are about them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { friendsContract } from '#shared/contract/friends.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { newPlayer, nextSteamId, type Product, type TestPlayer } from '../support/product.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const OOPS = 'Oops! It looks like we don’t have this friend’s games in our system yet.'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const friends = (page: Page) => page.getByRole('list', { name: 'Friends' })
const friend = (page: Page, name: string) => friends(page).getByRole('link').filter({ hasText: name })
const syncFriends = (page: Page) => page.getByRole('button', { name: 'Sync Friends', exact: true })
const games = (page: Page) => page.getByRole('list', { name: "Friend's Games" })
const game = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
const gameNames = (page: Page) => games(page).getByRole('heading', { level: 2 }).allTextContents()
const syncGames = (page: Page) => page.getByRole('button', { name: 'Sync Games', exact: true })
const box = (page: Page) => page.getByPlaceholder('Search for a friend...')
/** What the open list of the friend search offers. */
const choices = (page: Page) => page.getByRole('listbox').getByRole('option')
const options = (page: Page) => choices(page).allTextContents()
const gamesOf = (player: { steam_id: string }) => `/friends/${player.steam_id}/games`

/** The names in the list of friends, in the order shown. */
const friendNames = (page: Page) => friends(page).locator('bdi.font-semibold').allTextContents()

/** Whether a text is red: clearly more red than green. */
async function expectRed(page: Page, text: string): Promise<void> {
  const [red, green] = await page
    .getByText(text, { exact: true })
    .evaluate((found) => getComputedStyle(found).color.match(/\d+/g)!.map(Number))
  expect(red).toBeGreaterThan(green! + 80)
}

/** Somebody whose library is on nobody's list to be read, so that it stays unknown. */
async function unreadFriend(product: Product, of: TestPlayer): Promise<string> {
  const steamId = nextSteamId()
  product.simulator.addPlayer(newPlayer(steamId))
  product.simulator.befriend(of.steam_id, steamId)
  product.simulator.fail({ endpoint: 'GetOwnedGames', steamId, kind: 'status', status: 500 })
  await of.call(friendsContract.syncFriends, { steamId: of.steam_id })
  await product.database.queries.deleteFrom('refreshes').where('steam_id', '=', steamId).execute()
  return steamId
}

test.afterEach(({ product }) => product.simulator.clearFaults())

test.describe('SPEC 2: Friends', () => {
  test('SPEC 2: lists friends with avatar and a link to their games, whoever is online first', async ({
    page,
    product,
    signedIn,
  }) => {
    const zoe = await product.player({ name: 'Zoe', personastate: 1, games: { Portal: 90 } })
    const ada = await product.player({ name: 'Ada', personastate: 0 })
    const bob = await product.player({ name: 'Bob', personastate: 3, gamesPrivate: true })
    const cat = await product.player({ name: 'Cat', playing: product.appidOf('Portal') })
    const me = await product.player({ friends: [zoe, ada, bob, cat] })
    await signedIn(me)
    await page.goto('/friends')
    await expect(heading(page, 'Friends')).toBeVisible()
    await expect.poll(() => friendNames(page)).toEqual(['Cat', 'Zoe', 'Bob', 'Ada'])
    await expect(friend(page, 'Cat')).toContainText('Playing Portal')
    await expect(friend(page, 'Zoe')).toContainText('Online')
    await expect(friend(page, 'Zoe')).toContainText('Library known')
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

  test("SPEC 9: a friend without a picture, or whose picture fails, has the product's logo", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    const ada = await product.player({ name: 'Ada' })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({ friends: [ada, bob] })
    await signedIn(me)
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
  })

  test("SPEC 2: the empty state says 'No friends found.'", async ({ page, product, signedIn }) => {
    const me = await product.player({ synced: false })
    await signedIn(me)
    await page.goto('/friends')
    await expect(page.getByText('No friends found.', { exact: true })).toBeVisible()
    await expect(
      page.getByText('Press Sync Friends above to read your friend list from Steam.'),
    ).toBeVisible()
    await expectAccessible(page)
    await syncFriends(page).click()
    await expect(page.getByText('Nobody is on your friend list on Steam yet.')).toBeVisible()
    await expect(page.getByText('No friends found.', { exact: true })).toBeVisible()
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  })

  test('SPEC 7: both calls of friends may answer with a list, or with an object with friends', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player()
    await signedIn(me)
    // As SPEC.md 3 writes a friend, without the fields that CONTRACT.md adds.
    const rows = [
      { steam_id: nextSteamId(), display_name: 'Listed Ada', avatar_url: null, personastate: 1 },
      { steam_id: nextSteamId(), display_name: null, avatar_url: null, personastate: 0 },
    ]
    for (const json of [rows, { friends: rows }]) {
      await page.route(/\/friends(_cached)?$/, (route) =>
        route.request().resourceType() === 'fetch' ? route.fulfill({ json }) : route.continue(),
      )
      await page.goto('/friends')
      await expect(friend(page, 'Listed Ada')).toContainText('Online')
      await expect(friend(page, rows[1]!.steam_id)).toContainText('Offline')
      await page.goto('/friends/games')
      await box(page).click()
      await expect.poll(() => options(page)).toEqual(['Listed Ada', rows[1]!.steam_id])
      await page.unrouteAll()
    }
  })

  test('UI: the stored list stands there while the platform is asked who is online', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', personastate: 0 })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
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

  test('CONTRACT Data: a friend list that became private keeps what was read, and the page says what to change', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    product.simulator.updatePlayer(me.steam_id, { friendsPrivate: true })
    await signedIn(me)
    await page.goto('/friends')
    await syncFriends(page).click()
    await expect(page.getByRole('heading', { name: 'Steam keeps your friend list private' })).toBeVisible()
    await expect(page.getByText('set "Friends List" to Public, then press Sync Friends.')).toBeVisible()
    await expect(page.getByText('What was read before is still here.')).toBeVisible()
    await expect(friend(page, 'Ada')).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('SPEC 4: Sync Friends', () => {
  test("SPEC 4: the Sync Friends button is disabled and reads 'Syncing...' while its request runs; then the list reloads", async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada' })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.goto('/friends')
    await expect(friend(page, 'Ada')).toBeVisible()
    product.simulator.befriend(me.steam_id, bob.steam_id)
    product.simulator.unfriend(me.steam_id, ada.steam_id)
    const held = Promise.withResolvers<void>()
    await page.route('**/sync_friends', async (route) => {
      await held.promise
      await route.continue()
    })
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
    held.resolve()
    await expect.poll(() => friendNames(page)).toEqual(['Bob'])
    await expect(syncFriends(page)).toBeEnabled()
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  })

  test('SPEC 8: a failed sync of friends is silently ignored, except that the button re-enables', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 50[234]/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
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

  test('UI: after Sync Friends the page counts the libraries read, and then knows them', async ({
    page,
    product,
    signedIn,
  }) => {
    const quick = await product.player({ name: 'Quick', synced: false })
    const slow = await product.player({ name: 'Slow', synced: false })
    const me = await product.player({ synced: false })
    for (const one of [quick, slow]) product.simulator.befriend(me.steam_id, one.steam_id)
    // Tried again in a minute: until then it stays on the list of what is to be read.
    product.simulator.fail({ endpoint: 'GetOwnedGames', steamId: slow.steam_id, kind: 'status', status: 500 })
    await signedIn(me)
    await page.goto('/friends')
    await syncFriends(page).click()
    const main = page.getByRole('main')
    await expect(main.getByText('Reading your friends’ libraries')).toBeVisible()
    await expect(main.getByText('1 of 2 libraries')).toBeVisible()
    await expect(friend(page, 'Slow')).toContainText('Library not read yet')
    await expectAccessible(page)
    product.simulator.clearFaults()
    await slow.call(libraryContract.fetchGames, { steamId: slow.steam_id })
    await expect(page.getByText(/of 2 libraries/)).toHaveCount(0)
    await expect(friend(page, 'Quick')).toContainText('Library known')
    await expect(friend(page, 'Slow')).toContainText('Library known')
  })
})

test.describe('SPEC 8: friends that cannot be loaded', () => {
  test("SPEC 8: a non-OK load shows the red text 'Failed to fetch friends' within 9 seconds, and 'Try Syncing Friends'", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ synced: false })
    product.simulator.befriend(me.steam_id, ada.steam_id)
    await signedIn(me)
    await page.route(/\/api\/users\/\d+\/friends(_cached)?$/, (route) =>
      route.fulfill({ status: 500, json: { error: 'The list fell over.', code: 'internal' } }),
    )
    await page.goto('/friends')
    const failure = page.getByRole('alert')
    await expect(failure).toContainText('Failed to fetch friends', { timeout: 9000 })
    await expect(failure).toContainText('The list fell over.')
    await expectRed(page, 'Failed to fetch friends')
    await expectAccessible(page)
    await page.unrouteAll()
    const held = Promise.withResolvers<void>()
    await page.route('**/sync_friends', async (route) => {
      await held.promise
      await route.continue()
    })
    await failure.getByRole('button', { name: 'Try Syncing Friends' }).click()
    await expect(failure.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
    await expect(syncFriends(page)).toHaveCount(0)
    held.resolve()
    await expect(friend(page, 'Ada')).toBeVisible()
    await expect(failure).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Try Syncing Friends' })).toHaveCount(0)
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  })

  test("SPEC 8: the stored list stays below 'Failed to fetch friends'", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 503/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.route(`**/api/users/${me.steam_id}/friends`, (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy.', code: 'busy' } }),
    )
    await page.goto('/friends')
    await expect(page.getByRole('alert')).toContainText('Failed to fetch friends', { timeout: 9000 })
    await expect(page.getByRole('button', { name: 'Try Syncing Friends' })).toBeEnabled()
    await expect(friend(page, 'Ada')).toBeVisible()
  })

  test('SPEC 8: a failed friend cache load gives an empty list to choose from, and says so', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const ada = await product.player({ name: 'Ada' })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.route('**/friends_cached', (route) =>
      route.fulfill({ status: 500, json: { error: 'No.', code: 'internal' } }),
    )
    await page.goto('/friends/games')
    await box(page).click()
    await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alert')).toContainText('Failed to fetch friends', { timeout: 9000 })
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: 'Ada' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('SPEC 5: friend search', () => {
  test('SPEC 5: friends are found by any part of the display name in any case, or of the id when there is no name', async ({
    page,
    product,
    signedIn,
  }) => {
    const heron = await product.player({ name: 'Quartz HERON' })
    const kettle = await product.player({ name: 'tin_kettle' })
    const nameless = await product.player({ name: ' ' })
    const me = await product.player({ friends: [heron, kettle, nameless] })
    await signedIn(me)

    await page.goto('/friends')
    const search = page.getByRole('searchbox', { name: 'Search my friends' })
    await search.fill('heron')
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

  test('UI: a search among friends is there on return', async ({ page, product, signedIn }) => {
    const ada = await product.player({ name: 'Ada' })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({ friends: [ada, bob] })
    await signedIn(me)
    await page.goto('/friends')
    await page.getByRole('searchbox', { name: 'Search my friends' }).fill('ad')
    await expect.poll(() => friendNames(page)).toEqual(['Ada'])
    await friend(page, 'Ada').click()
    await expect(heading(page, "Ada's Games")).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('searchbox', { name: 'Search my friends' })).toHaveValue('ad')
    await expect.poll(() => friendNames(page)).toEqual(['Ada'])
  })
})

test.describe("SPEC 2: Friend's Games", () => {
  test("SPEC 2: on /friends/games a friend is chosen from 'Search for a friend...'; the heading is their name, then 's Games", async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90, 'Never Started': 0, Dota: 72_305 } })
    const bob = await product.player({ name: 'Bob', games: { 'Half-Life': 30 } })
    const me = await product.player({ friends: [ada, bob] })
    await signedIn(me)
    await page.goto('/friends/games')
    await expect(heading(page, "Friend's Games")).toBeVisible()
    await expect(page.getByText('Choose a friend to see what is on their shelf.')).toBeVisible()
    await expectAccessible(page)
    await box(page).click()
    await expect.poll(() => options(page)).toEqual(['Ada', 'Bob'])
    await expectAccessible(page)
    await box(page).fill('nobody is called so')
    await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await box(page).fill('ad')
    await choices(page).filter({ hasText: 'Ada' }).click()
    await expect(page).toHaveURL(gamesOf(ada))
    await expect(heading(page, "Ada's Games")).toBeVisible()
    await expect(page).toHaveTitle("Ada's Games · Shelfmates")
    await expect(box(page)).toHaveValue('Ada')
    await expect.poll(() => gameNames(page)).toEqual(['Dota', 'Portal', 'Never Started'])
    await expect(game(page, 'Dota')).toContainText('1205h 5m played')
    await expect(game(page, 'Portal').locator('img')).toBeVisible()
    await expect(page.getByText('3 games · synced just now')).toBeVisible()
    await expect(syncGames(page)).toBeEnabled()
    await expectAccessible(page)

    await box(page).fill('bo')
    await choices(page).filter({ hasText: 'Bob' }).click()
    await expect(heading(page, "Bob's Games")).toBeVisible()
    await expect.poll(() => gameNames(page)).toEqual(['Half-Life'])
    await page.goBack()
    await expect(heading(page, "Ada's Games")).toBeVisible()
    await expect(box(page)).toHaveValue('Ada')
    await expect.poll(() => gameNames(page)).toEqual(['Dota', 'Portal', 'Never Started'])
  })

  test('SPEC 2: a friend without a name that could be seen is called by the id', async ({
    page,
    product,
    signedIn,
  }) => {
    const blank = await product.player({ name: '\u3164 \u200b', games: { Portal: 90 } })
    const me = await product.player({ friends: [blank] })
    await signedIn(me)
    await page.goto(gamesOf(blank))
    await expect(heading(page, `${blank.steam_id}'s Games`)).toBeVisible()
    await expect(game(page, 'Portal')).toBeVisible()
    await expect(box(page)).toHaveValue(blank.steam_id)
  })

  test('SPEC 2: the games of a fellow member of a group are there too, who is on no friend list of mine', async ({
    page,
    product,
    signedIn,
  }) => {
    const fellow = await product.player({ name: 'Fellow', games: { Portal: 90 } })
    const me = await product.player({ name: 'Me' })
    const owner = await product.player({ name: 'Owner', friends: [fellow, me] })
    await product.group({ owner, members: [fellow, me] })
    await signedIn(me)
    await page.goto(gamesOf(fellow))
    await expect(heading(page, "Fellow's Games")).toBeVisible()
    await expect(game(page, 'Portal')).toBeVisible()
    await expect(box(page)).toHaveValue('')
  })

  test('SPEC 2: the sort selector offers Playtime descending and Alphabetical, and the choice is there on return', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({
      name: 'Ada',
      games: { 'Half-Life': 30, Zuma: 600, ÉCLAIR: 90, 'Portal 10': 7, 'Portal 9': 5 },
    })
    const me = await product.player({ friends: [ada], games: {} })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    const sort = page.locator('select')
    await expect(sort).toHaveAccessibleName('Sort')
    expect(await sort.locator('option').allTextContents()).toEqual(['Playtime descending', 'Alphabetical'])
    const byPlaytime = ['Zuma', 'ÉCLAIR', 'Half-Life', 'Portal 10', 'Portal 9']
    await expect.poll(() => gameNames(page)).toEqual(byPlaytime)
    await sort.selectOption('Alphabetical')
    const byName = ['ÉCLAIR', 'Half-Life', 'Portal 9', 'Portal 10', 'Zuma']
    await expect.poll(() => gameNames(page)).toEqual(byName)
    await page.getByRole('searchbox', { name: 'Search their games' }).fill('PORTAL')
    await expect.poll(() => gameNames(page)).toEqual(['Portal 9', 'Portal 10'])
    await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
    await expect(heading(page, 'My Games')).toBeVisible()
    await page.goBack()
    await expect.poll(() => gameNames(page)).toEqual(['Portal 9', 'Portal 10'])
    await expect(sort).toHaveValue('alphabetical')
    await page.getByRole('searchbox', { name: 'Search their games' }).fill('nothing')
    await expect(page.getByText('No games match.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all games' }).click()
    await sort.selectOption('Playtime descending')
    await expect.poll(() => gameNames(page)).toEqual(byPlaytime)
  })

  test("SPEC 2: 'Oops! It looks like we don’t have this friend’s games in our system yet.', and why", async ({
    page,
    product,
    signedIn,
  }) => {
    const secret = await product.player({ name: 'Secret', gamesPrivate: true })
    const none = await product.player({ name: 'None' })
    const me = await product.player({ friends: [secret, none] })
    const unread = await unreadFriend(product, me)
    await signedIn(me)

    await page.goto(gamesOf(secret))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('Their game details are private on Steam.')).toBeVisible()
    await expect(
      page.getByText(
        'Profile, Edit Profile, Privacy Settings, "Game details" to Public. Then press Sync Games.',
      ),
    ).toBeVisible()
    await expect(page.getByText('Game details private', { exact: true })).toBeVisible()
    await expectAccessible(page)

    await page.goto(gamesOf(none))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('Their library on Steam is empty.')).toBeVisible()

    await page.goto(gamesOf({ steam_id: unread }))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('Press Sync Games above to read it now.')).toBeVisible()
  })

  test('CONTRACT Access: a friend who hides their library here is said to', async ({
    page,
    product,
    signedIn,
  }) => {
    const hidden = await product.player({ name: 'Hidden', games: { Portal: 90 } })
    const me = await product.player({ friends: [hidden] })
    await product.database.queries
      .updateTable('people')
      .set({ library_visibility: 'nobody' })
      .where('steam_id', '=', hidden.steam_id)
      .execute()
    await signedIn(me)
    await page.goto(gamesOf(hidden))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('They chose not to show their library here.')).toBeVisible()
    await expect(page.getByText('Portal')).toHaveCount(0)
  })
})

test.describe("SPEC 4: a friend's Sync Games", () => {
  test('SPEC 4: the Sync Games button of a friend is disabled while its request runs; then their list reloads', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const bob = await product.player({ name: 'Bob', games: { Dota: 90 } })
    const me = await product.player({ friends: [ada, bob] })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    await expect(game(page, 'Portal')).toBeVisible()
    product.simulator.setGames(ada.steam_id, [
      { appid: product.appidOf('Half-Life'), minutes: 125, recentMinutes: 0, lastPlayed: 0 },
    ])
    const held = Promise.withResolvers<void>()
    await page.route(`**/api/users/${ada.steam_id}/fetch_games`, async (route) => {
      await held.promise
      await route.continue()
    })
    await syncGames(page).click()
    await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
    // Another friend's button is theirs; on return this one still runs.
    await box(page).fill('bob')
    await choices(page).filter({ hasText: 'Bob' }).click()
    await expect(syncGames(page)).toBeEnabled()
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
    held.resolve()
    await expect.poll(() => gameNames(page)).toEqual(['Half-Life'])
    await expect(game(page, 'Half-Life')).toContainText('2h 5m played')
    await expect(syncGames(page)).toBeEnabled()
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  })

  test("SPEC 8: a failed sync of a friend's games is silently ignored, except that the button re-enables", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 50[234]/)
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    await expect(page.getByText('10 of 10 syncs left')).toBeVisible()
    product.simulator.fail({ endpoint: 'GetOwnedGames', steamId: ada.steam_id, kind: 'html_200' })
    const answered = page.waitForResponse((response) => response.url().endsWith('/fetch_games'))
    await syncGames(page).click()
    expect((await answered).status()).toBeGreaterThanOrEqual(500)
    await expect(syncGames(page)).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(game(page, 'Portal')).toBeVisible()
    await expect(page.getByText('10 of 10 syncs left')).toBeVisible()
  })

  test('UI: a library that is being read in the background appears by itself', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 }, synced: false })
    const me = await product.player()
    product.simulator.befriend(me.steam_id, ada.steam_id)
    // Tried again in a minute: until then it stays on the list of what is to be read.
    product.simulator.fail({ endpoint: 'GetOwnedGames', steamId: ada.steam_id, kind: 'status', status: 500 })
    await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('It is being read from Steam and appears here by itself.')).toBeVisible()
    product.simulator.clearFaults()
    await ada.call(libraryContract.fetchGames, { steamId: ada.steam_id })
    await expect(game(page, 'Portal')).toBeVisible()
  })
})

test.describe("SPEC 8: a friend's games that cannot be loaded", () => {
  test("SPEC 8: a non-OK load shows the red text 'Failed to fetch friend's games' within 9 seconds, and a way out", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.route(`**/api/users/${ada.steam_id}/games`, (route) =>
      route.fulfill({ status: 500, json: { error: 'The shelf fell over.', code: 'internal' } }),
    )
    await page.goto(gamesOf(ada))
    const failure = page.getByRole('alert')
    await expect(failure).toContainText("Failed to fetch friend's games", { timeout: 9000 })
    await expect(failure).toContainText('The shelf fell over.')
    await expectRed(page, "Failed to fetch friend's games")
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(game(page, 'Portal')).toBeVisible()
    await expect(failure).toHaveCount(0)
  })

  test('CONTRACT Access: who is no friend any more, is unknown, or has no steam id at all is refused in words', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 40[034]/)
    const former = await product.player({ name: 'Former', games: { Portal: 90 } })
    const me = await product.player({ friends: [former] })
    product.simulator.unfriend(me.steam_id, former.steam_id)
    for (const one of [former, me]) await one.call(friendsContract.syncFriends, { steamId: one.steam_id })
    await signedIn(me)
    for (const id of [former.steam_id, nextSteamId(), 'abc', '1']) {
      await page.goto(gamesOf({ steam_id: id }))
      await expect(page.getByRole('alert')).toContainText("Failed to fetch friend's games", { timeout: 9000 })
      await expect(heading(page, "Friend's Games")).toBeVisible()
      await expect(page.getByText('Portal')).toHaveCount(0)
      await expect(box(page)).toBeVisible()
    }
    await expectAccessible(page)
  })

  test('CONTRACT Access: what was seen of somebody who is no friend any more is not shown below the refusal', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 403/)
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    await expect(game(page, 'Portal')).toBeVisible()
    product.simulator.unfriend(me.steam_id, ada.steam_id)
    for (const one of [ada, me]) await one.call(friendsContract.syncFriends, { steamId: one.steam_id })
    await syncGames(page).click()
    await expect(page.getByRole('alert')).toContainText("Failed to fetch friend's games", { timeout: 9000 })
    await expect(page.getByText('Portal')).toHaveCount(0)
  })

  test('UI: friends switched quickly never show an answer that was for another', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const bob = await product.player({ name: 'Bob', games: { Dota: 30 } })
    const me = await product.player({ friends: [ada, bob] })
    await signedIn(me)
    const held = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route(`**/api/users/${ada.steam_id}/games`, async (route) => {
      const response = await route.fetch()
      await held.promise
      await route.fulfill({ response }).catch(() => undefined)
      answered.resolve()
    })
    await page.goto('/friends/games')
    await box(page).fill('Ada')
    await choices(page).filter({ hasText: 'Ada' }).click()
    await expect(heading(page, "Ada's Games")).toBeVisible()
    await box(page).fill('Bob')
    await choices(page).filter({ hasText: 'Bob' }).click()
    await expect.poll(() => gameNames(page)).toEqual(['Dota'])
    held.resolve()
    await answered.promise
    await expect(heading(page, "Bob's Games")).toBeVisible()
    await expect.poll(() => gameNames(page)).toEqual(['Dota'])
    await expect(page.getByText('Portal')).toHaveCount(0)
    await page.goBack()
    await expect.poll(() => gameNames(page)).toEqual(['Portal'])
    await expect(page.getByText('Dota')).toHaveCount(0)
  })
})

test.describe('SPEC 2: Friends who play a game', () => {
  const owned = (page: Page) => page.getByRole('list', { name: 'Friends' })
  const mine = (page: Page) => page.getByRole('region', { name: 'Your playtime' })

  test("SPEC 2: 'Friends Who Play' and the game; my own playtime, then friends with avatar, name, hours and minutes", async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
    const bob = await product.player({ name: 'Bob', games: { Portal: 72_305 } })
    const cat = await product.player({ name: 'Cat', games: { Portal: 0 } })
    const dan = await product.player({ name: 'Dan', games: { Dota: 30 } })
    const me = await product.player({ games: { Portal: 90 }, friends: [ada, bob, cat, dan] })
    await signedIn(me)
    await page.goto(`/games/${product.appidOf('Portal')}/friends`)
    await expect(heading(page, 'Friends Who Play Portal')).toBeVisible()
    await expect(page).toHaveTitle('Friends Who Play Portal · Shelfmates')
    await expect(mine(page)).toContainText('1h 30m')
    const rows = owned(page).getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(0)).toContainText('Bob1205h 5m')
    await expect(rows.nth(1)).toContainText('Ada1h 1m')
    await expect(rows.nth(2)).toContainText('Cat0h 0m')
    await expect(owned(page).locator('img')).toHaveCount(3)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Compare with Ada' }).click()
    await expect(page).toHaveURL(`/games/${product.appidOf('Portal')}/comparison?friend=${ada.steam_id}`)
    await page.goBack()
    await owned(page).getByRole('link', { name: 'Ada', exact: true }).click()
    await expect(heading(page, "Ada's Games")).toBeVisible()
  })

  test("SPEC 2: 'This Game' when no name is known, and 'None of your friends play this game.'", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 400/)
    const me = await product.player({ games: { Portal: 90 } })
    await signedIn(me)
    await page.goto('/games/4294967295/friends')
    await expect(heading(page, 'Friends Who Play This Game')).toBeVisible()
    await expect(page.getByText('None of your friends play this game.', { exact: true })).toBeVisible()
    await expect(mine(page)).toContainText('0h 0m')
    await expectAccessible(page)
    await page.goto('/games/nothing/friends')
    await expect(heading(page, 'Friends Who Play This Game')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Failed to fetch friends')
  })

  test('SPEC 2: navigation state myPlaytime and gameName are shown at once, then what the server says', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signedIn(me)
    const held = Promise.withResolvers<void>()
    await page.route(/\/api\/users\/\d+\/games\/\d+\/(playtime|friends)$/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/my_games')
    await page.getByRole('link', { name: 'Compare with Friends' }).click()
    await expect(heading(page, 'Friends Who Play Portal')).toBeVisible()
    await expect(mine(page)).toContainText('1h 30m')
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    // Played on meanwhile, which the page does not know yet.
    product.simulator.setGames(me.steam_id, [
      { appid: product.appidOf('Portal'), minutes: 150, recentMinutes: 0, lastPlayed: 0 },
    ])
    await me.call(libraryContract.fetchGames, { steamId: me.steam_id })
    held.resolve()
    await expect(mine(page)).toContainText('2h 30m')
    await expect(page.getByText('None of your friends play this game.')).toBeVisible()
    await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
  })

  test("SPEC 8: friends who play a game that cannot be loaded: 'Failed to fetch friends' in red", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.route(/\/games\/\d+\/friends$/, (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ status: 500, json: { error: 'No.', code: 'internal' } })
        : route.continue(),
    )
    await page.goto(`/games/${product.appidOf('Portal')}/friends`)
    await expect(page.getByRole('alert')).toContainText('Failed to fetch friends', { timeout: 9000 })
    await expectRed(page, 'Failed to fetch friends')
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(owned(page)).toContainText('Ada')
  })

  test('CONTRACT Unknown libraries: friends whose libraries are not known are said to be, and why', async ({
    page,
    product,
    signedIn,
  }) => {
    const secret = await product.player({ name: 'Secret', gamesPrivate: true })
    const me = await product.player({ friends: [secret], games: { Portal: 90 } })
    await unreadFriend(product, me)
    await signedIn(me)
    await page.goto(`/games/${product.appidOf('Portal')}/friends`)
    await expect(page.getByText('None of your friends play this game.')).toBeVisible()
    await expect(
      page.getByText(
        '2 friends may own it too, but their libraries are not known: game details private on Steam: 1, not read yet: 1.',
      ),
    ).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('UI: friends by keyboard, on small screens, of any name and number', () => {
  test('UI: a friend is chosen with the keyboard alone; Escape closes and brings the name back', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const adam = await product.player({ name: 'Adam', games: { Dota: 30 } })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({ friends: [ada, adam, bob] })
    await signedIn(me)
    await page.goto('/friends/games')
    await expect(page.getByRole('list', { name: 'Friends whose libraries are known' })).toBeVisible()
    const combobox = page.getByRole('combobox', { name: 'Friend' })
    await combobox.focus()
    await expect(combobox).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await expect(combobox).toHaveAttribute('aria-expanded', 'true')
    const active = () =>
      combobox.evaluate(
        (input) => document.getElementById(input.getAttribute('aria-activedescendant')!)?.textContent,
      )
    await expect.poll(active).toBe('Ada')
    await page.keyboard.press('ArrowUp')
    await expect.poll(active).toBe('Bob')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(combobox).toHaveAttribute('aria-expanded', 'false')
    await expect(page).toHaveURL('/friends/games')

    await page.keyboard.type('ada')
    await expect.poll(() => options(page)).toEqual(['Ada', 'Adam'])
    await expect(page.getByRole('status').filter({ hasText: '2 friends' })).toBeAttached()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(gamesOf(adam))
    await expect(combobox).toBeFocused()
    await expect(combobox).toHaveValue('Adam')
    await expect.poll(() => gameNames(page)).toEqual(['Dota'])

    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('zz')
    await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(combobox).toHaveValue('Adam')
    // What is typed and left goes with the list; the focus moves on to what comes next.
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('bo')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Compare with mine' })).toBeFocused()
    await expect(combobox).toHaveValue('Adam')
    await expect(page).toHaveURL(gamesOf(adam))
    await page.keyboard.press('Tab')
    await expect(page.getByRole('searchbox', { name: 'Search their games' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.locator('select')).toBeFocused()
    await page.keyboard.press('A')
    await expect(page.locator('select')).toHaveValue('alphabetical')
  })

  test('UI: the cross clears what was typed and leaves the list open', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const bob = await product.player({ name: 'Bob' })
    const me = await product.player({ friends: [ada, bob] })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    await expect(box(page)).toHaveValue('Ada')
    await box(page).fill('bo')
    await expect.poll(() => options(page)).toEqual(['Bob'])
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expect(box(page)).toHaveValue('')
    await expect(box(page)).toBeFocused()
    await expect.poll(() => options(page)).toEqual(['Ada', 'Bob'])
    await expectAccessible(page)
    await heading(page, "Ada's Games").click()
    await expect(choices(page)).toHaveCount(0)
    await expect(box(page)).toHaveValue('Ada')
  })

  test('UI: a friend picked below the search is gone with the others; the focus goes to the heading', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.goto('/friends/games')
    await page.getByRole('link', { name: 'Ada' }).focus()
    await page.keyboard.press('Enter')
    await expect(game(page, 'Portal')).toBeVisible()
    await expect(heading(page, "Ada's Games")).toBeFocused()
  })

  test('UI: who has no friends here yet is sent to where they come from', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ synced: false })
    await signedIn(me)
    await page.goto('/friends/games')
    await page.getByRole('link', { name: 'Go to Friends' }).click()
    await expect(heading(page, 'Friends')).toBeFocused()
  })

  test("UI: thousands of a friend's games are drawn only where one looks, and the place is kept on return", async ({
    page,
    product,
    signedIn,
  }) => {
    test.slow()
    const library = Object.fromEntries(
      Array.from({ length: 3000 }, (_, nth) => [`${700_000 + nth}`, 30_000 - nth]),
    )
    const ada = await product.player({ name: 'Ada', games: library })
    const me = await product.player({ friends: [ada] })
    await signedIn(me)
    await page.goto(gamesOf(ada))
    await expect(page.getByText('3,000 games · synced just now')).toBeVisible()
    const items = games(page).getByRole('listitem')
    await expect(items.first()).toHaveAttribute('aria-setsize', '3000')
    expect(await items.count()).toBeLessThan(60)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
    const before = await page.evaluate(() => Math.round(window.scrollY))
    await page.getByRole('navigation').getByRole('link', { name: 'Friends', exact: true }).click()
    await expect(friend(page, 'Ada')).toBeVisible()
    await page.goBack()
    await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(before)
    await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
    expect(await items.count()).toBeLessThan(60)
  })

  test('UI: hundreds of friends are drawn only where one looks, found, and kept in place', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player()
    await product.strangersConnectedWith(me, 300)
    await signedIn(me)
    await page.goto('/friends')
    await expect(page.getByText('300 friends · 300 online')).toBeVisible()
    const items = friends(page).getByRole('listitem')
    await expect(items.first()).toHaveAttribute('aria-setsize', '300')
    expect(await items.count()).toBeLessThan(60)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
    const before = await page.evaluate(() => Math.round(window.scrollY))
    await page.evaluate(() => (document.querySelector('main li:nth-of-type(13) a') as HTMLElement).click())
    await expect(page).toHaveURL(/\/games$/)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(before)
  })

  test('UI: a name that runs from right to left stays beside its picture', async ({
    page,
    product,
    signedIn,
  }) => {
    const right = await product.player({ name: 'مرجان' })
    const me = await product.player({ friends: [right] })
    await signedIn(me)
    await page.goto('/friends')
    const name = friends(page).getByText('مرجان')
    await expect(name).toBeVisible()
    expect(await name.evaluate((found) => getComputedStyle(found).textAlign)).toMatch(/left/)
  })

  test('UI: friends of any name fit a telephone: no sideways scroll, targets of 44 px', async ({
    page,
    product,
    signedIn,
  }) => {
    test.slow()
    const shared = join(import.meta.dirname, '../../../shared/data/fixtures/made_up_persona_names.json')
    const odd = existsSync(shared)
      ? (JSON.parse(readFileSync(shared, 'utf8')) as string[])
      : ['<img src=x onerror=alert(1)>', 'لعبة العروش', '\u202Eright to left', '🎮'.repeat(16), 'Z̷̢͎a̵l̶g̸o̴', ' ']
    const names = ['W'.repeat(64), ...odd]
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
    await signedIn(me)
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 })
      for (const path of [
        '/friends',
        '/friends/games',
        gamesOf({ steam_id: ids[0]! }),
        `/games/${product.appidOf('Portal')}/friends`,
      ]) {
        await page.goto(path)
        await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
        await expectNoSidewaysScroll(page)
        if (width === 390) await expectAccessible(page)
        const targets = await page
          .locator('main')
          .locator('a, button, input, select')
          .evaluateAll((all) =>
            all.map((one) => `${Math.round(one.getBoundingClientRect().height)} ${one.textContent}`),
          )
        expect(targets.filter((target) => parseInt(target) < 44)).toEqual([])
      }
      await page.goto('/friends/games')
      await box(page).click()
      await expect(choices(page).first()).toBeVisible()
      await expectNoSidewaysScroll(page)
      if (width === 390) await expectAccessible(page)
    }
  })
})
