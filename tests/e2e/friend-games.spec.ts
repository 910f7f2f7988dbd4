/** FGAM-2: one friend's games, and its loads and syncs that fail. */
import {
  box,
  choices,
  game,
  gameNames,
  gamesOf,
  heading,
  OOPS,
  options,
  syncGames,
  unreadFriend,
} from './friends-page.ts'
import { copiedBy, expect, expectAccessible, hold, openFilters, test } from './support.ts'

test.afterEach(({ product }) => product.simulator.clearFaults())

test.describe("FGAM-2: Friend's Games", () => {
  test('FGAM-2, FGAM-3, ROUTE-2: a friend is chosen by search', async ({ page, product, signInAs }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 90, 'Never Started': 0, Dota: 72_305 } })
    const bob = await product.player({ name: 'Bob', games: { 'Half-Life': 30 } })
    const me = await product.player({ friends: [ada, bob] })
    await signInAs(me, '/friends/games')
    await expect(heading(page, "Friend's Games")).toBeVisible()
    await expect(page.getByText('Choose a friend to see their games.')).toBeVisible()
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
    // Beside the name of the friend their avatar (FGAM-2).
    await expect(page.getByRole('main').locator('div:has(> [role=combobox]) > img')).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveAttribute('placeholder', 'Search their games...')
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

  test('FGAM-5, LIST-9: the sorts, and the choice on return', async ({ page, product, signInAs }) => {
    const ada = await product.player({
      name: 'Ada',
      games: { 'Half-Life': 30, Zuma: 600, ÉCLAIR: 90, 'Portal 10': 7, 'Portal 9': 5 },
    })
    const me = await product.player({ friends: [ada], games: { Portal: 1 } })
    await signInAs(me, gamesOf(ada))
    const sort = page.getByRole('combobox', { name: 'Sort' })
    const sorts = ['Playtime descending', 'Alphabetical', 'Recently played', 'Least played']
    await expect(sort.locator('option')).toHaveText(sorts)
    const byPlaytime = ['Zuma', 'ÉCLAIR', 'Half-Life', 'Portal 10', 'Portal 9']
    await expect.poll(() => gameNames(page)).toEqual(byPlaytime)
    await sort.selectOption('Alphabetical')
    const byName = ['ÉCLAIR', 'Half-Life', 'Portal 9', 'Portal 10', 'Zuma']
    await expect.poll(() => gameNames(page)).toEqual(byName)
    await page.getByRole('searchbox', { name: 'Search their games' }).fill('PORTAL')
    await expect.poll(() => gameNames(page)).toEqual(['Portal 9', 'Portal 10'])
    await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
    await expect(heading(page, 'My Games')).toBeVisible()
    await expect(sort.locator('option')).toHaveText(sorts)
    await page.goBack()
    await expect.poll(() => gameNames(page)).toEqual(['Portal 9', 'Portal 10'])
    await expect(sort).toHaveValue('alphabetical')
    await page.getByRole('searchbox', { name: 'Search their games' }).fill('nothing')
    await expect(page.getByText('No games match.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all games' }).click()
    await openFilters(page)
    await page.getByRole('combobox', { name: 'Game mode' }).selectOption('MMO')
    await expect(page.getByText('No games match.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all games' }).click()
    await sort.selectOption('Playtime descending')
    await expect.poll(() => gameNames(page)).toEqual(byPlaytime)
  })

  test("FGAM-6, NIGHT-133: 'Oops! It looks like …', and why", async ({ page, product, signInAs }) => {
    const secret = await product.player({ name: 'Secret', gamesPrivate: true })
    const none = await product.player({ name: 'None' })
    const me = await product.player({ friends: [secret, none] })
    const unread = await unreadFriend(product, me)
    await signInAs(me, gamesOf(secret))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('Their game details are private on Steam.')).toBeVisible()
    await expect(
      page.getByText(
        '"Game details" to Public in Steam, under Profile > Edit Profile > Privacy Settings. Then press Sync Games.',
      ),
    ).toBeVisible()
    await expect(page.getByText('Game details private', { exact: true })).toBeVisible()
    await expectAccessible(page)
    // NIGHT-133
    const message = await copiedBy(page.getByRole('button', { name: 'Copy a message for Secret' }))
    expect(message).toMatch(
      /^Hi Secret! .* https:\/\/steamcommunity\.com\/my\/edit\/settings .* press Sync Games/,
    )
    expect(message).toContain(new URL(page.url()).origin)
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy a message for Secret' }).click()
    await expect(page.getByRole('textbox', { name: 'Copy a message for Secret' })).toHaveValue(message)

    await page.goto(gamesOf(none))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('Their Steam library is empty.')).toBeVisible()

    await page.goto(gamesOf({ steam_id: unread }))
    await expect(page.getByText(OOPS, { exact: true })).toBeVisible()
    await expect(page.getByText('Press Sync Games above to sync it now.')).toBeVisible()
  })
})

test('PAGE-6, FGAM-3: Sync Games is disabled while it runs', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
  const bob = await product.player({ name: 'Bob', games: { Dota: 90 } })
  const me = await product.player({ friends: [ada, bob] })
  await signInAs(me, gamesOf(ada))
  await expect(game(page, 'Portal')).toBeVisible()
  product.giveGames(ada, { 'Half-Life': 125 })
  const release = await hold(page, `**/api/users/${ada.steam_id}/fetch_games`)
  await syncGames(page).click()
  await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
  // Another friend's button is theirs; on return this one still runs.
  await box(page).fill('bob')
  await choices(page).filter({ hasText: 'Bob' }).click()
  await expect(syncGames(page)).toBeEnabled()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
  release()
  await expect.poll(() => gameNames(page)).toEqual(['Half-Life'])
  await expect(game(page, 'Half-Life')).toContainText('2h 5m played')
  await expect(syncGames(page)).toBeEnabled()
  await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
})
