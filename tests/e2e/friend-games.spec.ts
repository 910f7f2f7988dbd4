/** FGAM-2, FRI-7, PAGE-32: one friend's games, the filters of friends, and addresses that name nobody. */
import {
  box,
  choices,
  friend,
  friendNames,
  game,
  gameNames,
  gamesOf,
  heading,
  OOPS,
  options,
  syncGames,
  unreadFriend,
} from './friends-page.ts'
import { copiedBy, expect, test } from './support.ts'

test.afterEach(({ product }) => product.simulator.clearFaults())

test('FGAM-2, FGAM-3, ROUTE-2: a friend is chosen by search', async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90, 'Never Started': 0, Dota: 72_305 } })
  const bob = await product.player({ name: 'Bob', games: { 'Half-Life': 30 } })
  await enter({ friends: [ada, bob] }, '/friends/games')
  await expect(heading(page, "Friend's Games")).toBeVisible()
  await expect(page.getByText('Choose a friend to see their games.')).toBeVisible()
  await expect(page).toBeAccessible()
  await box(page).click()
  await expect.poll(() => options(page)).toEqual(['Ada', 'Bob'])
  await expect(page).toBeAccessible()
  await box(page).fill('nobody is called so')
  await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()
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
  await expect(page).toBeAccessible()

  await box(page).fill('bo')
  await choices(page).filter({ hasText: 'Bob' }).click()
  await expect(heading(page, "Bob's Games")).toBeVisible()
  await expect.poll(() => gameNames(page)).toEqual(['Half-Life'])
  product.giveGames(bob, { 'Half-Life': 125 })
  await syncGames(page).click()
  await expect(game(page, 'Half-Life')).toContainText('2h 5m played')
  await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  await page.goBack()
  await expect(heading(page, "Ada's Games")).toBeVisible()
  await expect(box(page)).toHaveValue('Ada')
  await expect.poll(() => gameNames(page)).toEqual(['Dota', 'Portal', 'Never Started'])
})

test('FGAM-5, LIST-9: the sorts, and the choice on return', async ({ page, product, enter }) => {
  const ada = await product.player({
    name: 'Ada',
    games: { 'Half-Life': 30, Zuma: 600, ÉCLAIR: 90, 'Portal 10': 7, 'Portal 9': 5 },
  })
  await enter({ friends: [ada], games: { Portal: 1 } }, gamesOf(ada))
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
  await page.getByRole('searchbox', { name: 'Search their games' }).fill('')
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
  await expect(page).toBeAccessible()
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

test('FRI-7: filters with counts, sorts, and both in the address', async ({ page, product, enter }) => {
  const portal = product.appidOf('Portal')
  const ada = await product.player({ name: 'Ada', games: { Portal: 60, Dota: 0 }, personastate: 0 })
  const bob = await product.player({ name: 'Bob', gamesPrivate: true, personastate: 1 })
  const cat = await product.player({ name: 'Cat', games: { Rust: 60 }, playing: portal })
  const dan = await product.player({ name: 'Dan', games: { Portal: 60 }, personastate: 3 })
  await enter({ games: { Portal: 90, Dota: 90 }, friends: [ada, bob, cat, dan] }, '/friends')
  await expect.poll(() => friendNames(page)).toEqual(['Cat', 'Bob', 'Dan', 'Ada'])
  await expect(friend(page, 'Ada')).toContainText('2 games in common')
  await expect(friend(page, 'Dan')).toContainText('1 game in common')
  const chip = (name: string) => page.getByRole('radio', { name })
  await expect(page.getByRole('group', { name: 'Which friends' })).toHaveText(
    /All 4\s*In game 1\s*Online 3\s*Private 1\s*On Shelfmates 4/,
  )
  await expect(page).toBeAccessible()

  await chip('Online').check()
  await expect.poll(() => friendNames(page)).toEqual(['Cat', 'Bob', 'Dan'])
  await page.getByLabel('Sort').selectOption('Games in common')
  await expect.poll(() => friendNames(page)).toEqual(['Dan', 'Cat', 'Bob'])
  await expect(page).toHaveURL('/friends?show=online&sort=common')
  await page.reload()
  await expect.poll(() => friendNames(page)).toEqual(['Dan', 'Cat', 'Bob'])
  await expect(chip('Online')).toBeChecked()
  await chip('Online').press('ArrowRight')
  await expect(chip('Private')).toBeChecked()
  await expect.poll(() => friendNames(page)).toEqual(['Bob'])
  await page.getByRole('searchbox').fill('cat')
  await expect(page.getByText('No friends match.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all friends' }).click()
  await expect.poll(() => friendNames(page)).toEqual(['Ada', 'Dan', 'Cat', 'Bob'])
  await page.getByRole('searchbox').fill('PORT')
  await expect.poll(() => friendNames(page)).toEqual(['Cat'])

  // The link to the game lies on the one to the friend.
  await friend(page, 'Cat').getByRole('link', { name: 'Portal' }).click()
  await expect(page).toHaveURL(`/games/${portal}`)
  await expect(page.getByRole('list', { name: 'In it now' })).toContainText('Cat')
  await page.goBack()
  await expect(page).toHaveURL('/friends?search=PORT&sort=common')
  await friend(page, 'Cat').click({ position: { x: 20, y: 90 } })
  await expect(heading(page, "Cat's Games")).toBeVisible()
})

test('PAGE-32: an id that cannot be one is not asked for', async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 5 } })
  const me = await enter({ games: { Portal: 90 }, friends: [ada] })
  for (const id of ['abc', '76561190000000000']) {
    await page.goto(`/friends/${id}/games`)
    await expect(page.getByText('Nobody can have the Steam id in this address.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Friends with synced libraries' })).toContainText('Ada')
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  for (const id of ['abc', '76561190000000000', me.steam_id]) {
    await page.goto(`/games/1/comparison?friend=${id}`)
    await expect(page.getByText('Select a friend to compare your games!')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  for (const id of ['abc', '0', '4294967296']) {
    await page.goto(`/games/${id}/friends`)
    await expect(page.getByRole('heading', { level: 1, name: 'Friends Who Play This Game' })).toBeVisible()
    await expect(page.getByText('None of your friends play this game.')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
})
