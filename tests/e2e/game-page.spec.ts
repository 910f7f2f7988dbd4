/** GAME-1: the page of a game. PLAY-1: who else plays it. LIST-8: what leads to games, to people and to groups. */
import type { Page } from '@playwright/test'
import { storeSays } from '../support/store.ts'
import { card, openDashboard } from './dashboard-page.ts'
import { heading, unreadFriend } from './friends-page.ts'
import { api, breakCalls, expect, hold, test } from './support.ts'

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const mine = (page: Page) => page.getByRole('region', { name: 'Your playtime' })

test('GAME-9: a night with the friends who own the game', async ({ page, product, enter }) => {
  const portal = product.appidOf('Portal')
  const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
  const bob = await product.player({ name: 'Bob', games: { Portal: 6_100 } })
  const fay = await product.player({ name: 'Fay', games: { Dota: 30 } })
  await enter({ games: { Portal: 90, Dota: 30, Alone: 5 }, friends: [ada, bob, fay] })
  const start = page.getByRole('main').getByRole('button', { name: 'Start a game night' })
  for (const path of [`/games/${portal}`, `/games/${portal}/friends`]) {
    await page.goto(path)
    await start.click()
    const chosen = page.getByRole('dialog').getByRole('option', { selected: true })
    await expect(chosen).toHaveText([/Ada/, /Bob/])
    await expect(page.getByRole('dialog').getByRole('status').filter({ hasText: '2 chosen' })).toBeVisible()
    await expect(page).toBeAccessible()
    await page.keyboard.press('Escape')
  }
  await start.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click()
  await expect(page).toHaveURL(/\/nights\/\d+$/)
  await expect(page.getByRole('main')).toContainText('Ada')
  await expect(page.getByRole('main')).toContainText('Bob')
  await expect(page.getByRole('main')).not.toContainText('Fay')
  await page.goto(`/games/${product.appidOf('Alone')}`)
  await expect(heading(page, 'Alone')).toBeVisible()
  await expect(start).toHaveCount(0)
})

test('GAME-1 to GAME-4: my time, links, friends and groups', async ({ page, product, signInAs }) => {
  const portal = product.appidOf('Portal')
  const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
  const bob = await product.player({ name: 'Bob', games: { Portal: 6_100 } })
  const cat = await product.player({ name: 'Cat', games: { Portal: 0 } })
  const dan = await product.player({ name: 'Dan', games: { Portal: 30 }, playing: portal })
  const eve = await product.player({ name: 'Eve', gamesPrivate: true, playing: portal })
  const fay = await product.player({ name: 'Fay', games: { Dota: 30 } })
  const me = await product.player({ games: { Portal: 90 }, friends: [ada, bob, cat, dan, eve, fay] })
  const { group_id } = await product.group({ owner: me, members: [ada, bob], name: 'Cake' })
  await product.group({ owner: me, members: [fay], name: 'Others' })
  await me.call(api.friends.friends, me.user)
  await signInAs(me, `/games/${portal}`)
  await expect(heading(page, 'Portal')).toBeVisible()
  await expect(page).toHaveTitle('Portal · Shelfmates')
  await expect(mine(page)).toContainText('1h 30m')
  await expect(mine(page)).toContainText('0h 0m')
  const launch = mine(page).getByRole('link', { name: 'Launch' })
  await expect(launch).toHaveAttribute('href', `steam://run/${portal}`)
  await expect(mine(page).getByRole('link', { name: 'Install' })).toHaveAttribute(
    'href',
    `steam://install/${portal}`,
  )
  const store = mine(page).getByRole('link', { name: 'Store page' })
  await expect(store).toHaveAttribute('href', `https://store.steampowered.com/app/${portal}/`)
  await expect(store).toHaveAttribute('rel', 'noopener noreferrer')

  const now = list(page, 'In it now').getByRole('listitem')
  await expect(now).toHaveText([/Dan.*0h 30m/, /Eve.*Hours not known/])
  const plays = list(page, 'Play it').getByRole('listitem')
  await expect(plays).toHaveText([/Bob.*101h 40m/, /Ada.*1h 1m/])
  await expect(list(page, 'Own it, never played').getByRole('listitem')).toHaveText([/^Cat\s*$/])
  await expect(page.getByText('1 friend’s library is not known and not counted here.')).toBeVisible()
  const groups = list(page, 'Groups that all own it').getByRole('listitem')
  await expect(groups).toHaveText([/Cake.*3 members/])
  await expect(page).toBeAccessible()

  // What was pressed stays where it is, and so does what stands below.
  const hiding = mine(page).getByRole('button', { name: /from everybody else|to others again/ })
  const places = async () => [await hiding.boundingBox(), await plays.first().boundingBox()]
  const before = await places()
  await hiding.click()
  await expect(mine(page).getByText('Hidden: nobody but you sees')).toBeVisible()
  expect(await places()).toEqual(before)
  await hiding.click()
  await expect(mine(page).getByText('Hidden: nobody but you sees')).toBeHidden()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  // A very wide window has friends beside the game.
  await page.setViewportSize({ width: 2560, height: 1440 })
  const beside = async () => {
    const game = (await mine(page).boundingBox())!
    return (await plays.first().boundingBox())!.x - game.x - game.width
  }
  await expect.poll(beside).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })

  await plays.first().getByRole('link').click()
  await expect(heading(page, "Bob's Games")).toBeVisible()
  await page.goBack()
  await groups.getByRole('link').click()
  await expect(page).toHaveURL(`/groups/${group_id}`)
  await page.goBack()
  await mine(page).getByRole('link', { name: 'Friends Who Play' }).click()
  await expect(heading(page, 'Friends Who Play Portal')).toBeVisible()
})

test("GAME-1, GAME-3: 'Not in your library'", async ({ page, product, enter }) => {
  const name = 'Friend Alone'
  const appid = product.appidOf(name)
  // Single-player, multiplayer, co-op and online co-op.
  await storeSays(product, { [name]: { categories: [2, 1, 9, 38] } })
  const ada = await product.player({ name: 'Ada', games: { [name]: 61 } })
  await enter({ games: { Portal: 90 }, friends: [ada] }, `/games/${appid}`)
  // Each way of playing is said once.
  await expect(page.getByRole('group', { name: 'How it is played' })).toHaveText(
    /^Online co-op\s*Single-player$/,
  )
  await expect(mine(page)).toContainText('Not in your library')
  await expect(mine(page).getByRole('link', { name: /Launch|Install/ })).toHaveCount(0)
  await expect(mine(page).getByRole('link', { name: 'Store page' })).toBeVisible()
  await expect(list(page, 'Play it')).toContainText('Ada')
})

test('GAME-7: an unknown game leads back', async ({ page, enter }) => {
  await enter({ games: { Portal: 90 } })
  for (const id of ['4294967295', '4294967296', '0', 'portal', '1.5', '-1']) {
    await page.goto(`/games/${id}`)
    await expect(heading(page, 'Unknown Game')).toBeVisible()
    await expect(page.getByText('Nobody here has had this game')).toBeVisible()
  }
  await expect(page).toBeAccessible()
  await page.getByRole('main').getByRole('link', { name: 'Go to My Games' }).click()
  await expect(heading(page, 'My Games')).toBeVisible()
})

test("GAME-7: 'Failed to fetch this game'", async ({ page, product, enter }) => {
  await enter({ games: { Portal: 90 } })
  await breakCalls(page, /\/api\/users\/\d+\/games\/\d+$/, 'It fell over.')
  await page.goto(`/games/${product.appidOf('Portal')}`)
  await expect(page.getByRole('alert')).toContainText('Failed to fetch this game', { timeout: 9000 })
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(mine(page)).toContainText('1h 30m')
})

test('LIST-8: the dashboard leads to games, people and groups', async ({ page, product, enter }) => {
  const portal = product.appidOf('Portal')
  const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
  const me = await enter({ games: { Portal: 90 }, friends: [ada] })
  const { group_id } = await product.group({ owner: me, members: [ada], name: 'Cake' })
  await openDashboard(page)
  for (const title of ['My Top Games', 'Top 5 Games by Playtime', "Friends' Top Games"]) {
    const link = card(page, title)
      .getByRole('listitem')
      .getByRole('link', { name: /Portal/ })
    await expect(link).toHaveAttribute('href', `/games/${portal}`)
  }
  const common = card(page, 'Top Common Games')
  await expect(common.getByRole('link', { name: 'Portal' })).toHaveAttribute('href', `/games/${portal}`)
  await expect(common.getByRole('link', { name: 'Cake' })).toHaveAttribute('href', `/groups/${group_id}`)
  await expect(common.getByRole('link', { name: /Ada/ })).toHaveAttribute(
    'href',
    `/friends/${ada.steam_id}/games`,
  )
  // Mine lead to my own games.
  await expect(common.locator('a[href="/my_games"]')).toHaveCount(1)
  await expect(page).toBeAccessible()

  await page.goto(`/groups/${group_id}`)
  const members = page.getByRole('list', { name: 'Members', exact: true })
  await expect(members.getByRole('link', { name: 'Ada' })).toHaveAttribute(
    'href',
    `/friends/${ada.steam_id}/games`,
  )
  await members.locator('a[href="/my_games"]').click()
  await expect(heading(page, 'My Games')).toBeVisible()
})

test.afterEach(({ product }) => product.simulator.clearFaults())

const owned = (page: Page) => page.getByRole('region', { name: 'Friends' })

test("PLAY-1, PLAY-2, PLAY-6, PAGE-12: my playtime, then friends'", async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
  const bob = await product.player({ name: 'Bob', games: { Portal: 72_305 } })
  const cat = await product.player({ name: 'Cat', games: { Portal: 0 } })
  const dan = await product.player({ name: 'Dan', games: { Dota: 30 } })
  await enter(
    { games: { Portal: 90 }, friends: [ada, bob, cat, dan] },
    `/games/${product.appidOf('Portal')}/friends`,
  )
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
  await expect(page).toBeAccessible()
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

test("PLAY-1, PLAY-3, PLAY-2: 'This Game', which no friend plays", async ({ page, enter }) => {
  await enter({ games: { Portal: 90 } }, '/games/4294967295/friends')
  await expect(heading(page, 'Friends Who Play This Game')).toBeVisible()
  await expect(page.getByText('None of your friends play this game.', { exact: true })).toBeVisible()
  await expect(mine(page)).toContainText('0h 0m')
  await expect(mine(page)).toContainText('Not in your library')
  await expect(page).toBeAccessible()
})

test('ROUTE-10, PLAY-3: the navigation state is shown at once', async ({ page, product, enter }) => {
  const me = await enter({ games: { Portal: 90 } })
  const release = await hold(page, /\/api\/users\/\d+\/games\/\d+\/(playtime|friends)$/)
  await page.goto('/my_games')
  await page.getByRole('link', { name: 'Compare with Friends' }).click()
  await expect(heading(page, 'Friends Who Play Portal')).toBeVisible()
  await expect(mine(page)).toContainText('1h 30m')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  // Played on meanwhile, which the page does not know yet.
  product.giveGames(me, { Portal: 150 })
  await me.call(api.library.fetchGames, me.user)
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
  await expect(page).toBeAccessible()
})
