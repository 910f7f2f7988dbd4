/** GAME-1: the page of a game. LIST-8: what leads to it, to people and to groups. */
import type { Page } from '@playwright/test'
import { friendsContract } from '#shared/contract/friends.ts'
import { storeSays } from '../support/store.ts'
import { heading } from './friends-page.ts'
import { card, openDashboard } from './dashboard-page.ts'
import { breakCalls, expect, expectAccessible, test } from './support.ts'

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const mine = (page: Page) => page.getByRole('region', { name: 'Your playtime' })

test.describe('GAME-1: the page of a game', () => {
  test('GAME-9: a night with the friends who own the game', async ({ page, product, signInAs }) => {
    const portal = product.appidOf('Portal')
    const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
    const bob = await product.player({ name: 'Bob', games: { Portal: 6_100 } })
    const fay = await product.player({ name: 'Fay', games: { Dota: 30 } })
    const me = await product.player({ games: { Portal: 90, Dota: 30, Alone: 5 }, friends: [ada, bob, fay] })
    await signInAs(me)
    const start = page.getByRole('main').getByRole('button', { name: 'Start a game night' })
    for (const path of [`/games/${portal}`, `/games/${portal}/friends`]) {
      await page.goto(path)
      await start.click()
      const chosen = page.getByRole('dialog').getByRole('option', { selected: true })
      await expect(chosen).toHaveText([/Ada/, /Bob/])
      await expect(page.getByRole('dialog').getByRole('status').filter({ hasText: '2 chosen' })).toBeVisible()
      await expectAccessible(page)
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
    await me.call(friendsContract.friends, { steamId: me.steam_id })
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
    await expectAccessible(page)

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

  test("GAME-1, GAME-3: 'Not in your library'", async ({ page, product, signInAs }) => {
    const name = 'Friend Alone'
    const appid = product.appidOf(name)
    // Single-player, multiplayer, co-op and online co-op.
    await storeSays(product, { [name]: { categories: [2, 1, 9, 38] } })
    const ada = await product.player({ name: 'Ada', games: { [name]: 61 } })
    const me = await product.player({ games: { Portal: 90 }, friends: [ada] })
    await signInAs(me, `/games/${appid}`)
    // Each way of playing is said once.
    await expect(page.getByRole('group', { name: 'How it is played' })).toHaveText(
      /^Online co-op\s*Single-player$/,
    )
    await expect(mine(page)).toContainText('Not in your library')
    await expect(mine(page).getByRole('link', { name: /Launch|Install/ })).toHaveCount(0)
    await expect(mine(page).getByRole('link', { name: 'Store page' })).toBeVisible()
    await expect(list(page, 'Play it')).toContainText('Ada')
  })

  test('GAME-7: an unknown game leads back', async ({ page, product, signInAs }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me)
    for (const id of ['4294967295', '4294967296', '0', 'portal', '1.5', '-1']) {
      await page.goto(`/games/${id}`)
      await expect(heading(page, 'Unknown Game')).toBeVisible()
      await expect(page.getByText('Nobody here has had this game')).toBeVisible()
    }
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Go to My Games' }).click()
    await expect(heading(page, 'My Games')).toBeVisible()
  })

  test("GAME-7: 'Failed to fetch this game'", async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 500/)
    const me = await product.player({ games: { Portal: 90 } })
    await signInAs(me)
    await breakCalls(page, /\/api\/users\/\d+\/games\/\d+$/, 'It fell over.')
    await page.goto(`/games/${product.appidOf('Portal')}`)
    await expect(page.getByRole('alert')).toContainText('Failed to fetch this game', { timeout: 9000 })
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(mine(page)).toContainText('1h 30m')
  })
})

test('LIST-8: the dashboard leads from games, people and groups to their pages', async ({
  page,
  product,
  signInAs,
}) => {
  const portal = product.appidOf('Portal')
  const ada = await product.player({ name: 'Ada', games: { Portal: 61 } })
  const me = await product.player({ games: { Portal: 90 }, friends: [ada] })
  const { group_id } = await product.group({ owner: me, members: [ada], name: 'Cake' })
  await signInAs(me)
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
  await expectAccessible(page)

  await page.goto(`/groups/${group_id}`)
  const members = page.getByRole('list', { name: 'Members', exact: true })
  await expect(members.getByRole('link', { name: 'Ada' })).toHaveAttribute(
    'href',
    `/friends/${ada.steam_id}/games`,
  )
  await members.locator('a[href="/my_games"]').click()
  await expect(heading(page, 'My Games')).toBeVisible()
})
