/** LOOK-31, LOOK-11, SYNC-18: a new person's way from the sign-in to a filled dashboard. */
import type { Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { newcomer, signInAtPlatform } from './newcomers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const steps = (page: Page) => page.getByRole('region', { name: 'Three steps to your first game night' })
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

/** Somebody new with two friends, none of whom were ever here; all of them own two games. */
function newCircle(product: Product, name: string): string {
  const games = { Portal: 600, Dota: 60 }
  const me = newcomer(product, name, { ...games, Chess: 30, Rust: 6000 })
  for (const friend of [`Ada of ${name}`, `Bob of ${name}`])
    product.simulator.befriend(me, newcomer(product, friend, games))
  return me
}

/** Keeps Steam from answering one call about somebody until it is released. */
function holdRead(
  product: Product,
  endpoint: 'GetOwnedGames' | 'GetFriendList',
  steamId: string,
): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  product.simulator.fail({ endpoint, steamId, kind: 'held', until: promise })
  return resolve
}

const DESK = { width: 1440, height: 900 }
const TELEPHONE = { width: 390, height: 844 }

/** The page as it stands is right at a desk and on a telephone. */
async function expectRightOnBothScreens(page: Page, right?: () => Promise<void>): Promise<void> {
  for (const screen of [DESK, TELEPHONE]) {
    await page.setViewportSize(screen)
    await right?.()
    await expectNoSidewaysScroll(page)
  }
  await expectAccessible(page)
}

test('LOOK-31, LOOK-11, DEMO-2: one only presses what is offered', async ({ page, product }) => {
  test.slow()
  const me = newCircle(product, 'Nova')
  const [gamesArrive, friendsArrive] = [
    holdRead(product, 'GetOwnedGames', me),
    holdRead(product, 'GetFriendList', me),
  ]
  await signInAtPlatform(page, me)
  // The first two steps come by themselves; nothing has to be pressed.
  const offered = steps(page).getByRole('button')
  const current = steps(page).locator('[aria-current=step]')

  await expect(current).toContainText('Sync your games')
  await expect(steps(page).getByRole('status')).toHaveText(
    'Your games are syncing from Steam and will appear here automatically.',
  )
  await expect(offered).toHaveCount(0)
  await expectRightOnBothScreens(page)
  gamesArrive()

  await expect(current).toContainText('Sync your friends')
  await expect(card(page, 'My Top Games').getByRole('listitem')).toContainText(['Rust', 'Portal', 'Dota'])
  await expect(steps(page).getByRole('status')).toContainText('syncing from Steam')
  friendsArrive()

  await expect(current).toContainText('Who is playing tonight?')
  await expect(card(page, 'Friends').getByRole('listitem')).toHaveCount(2)
  // The friends' libraries are read behind, and what they play together appears by itself.
  await expect(card(page, "Friends' Top Games").getByRole('listitem')).toHaveText([/Portal.*20h$/, /Dota/])
  await expect(offered).toHaveText([/Ada/, /Bob/, 'See what we can play'])
  await expectRightOnBothScreens(page)
  for (const friend of ['Ada', 'Bob']) await offered.filter({ hasText: `${friend} of Nova` }).click()
  await offered.filter({ hasText: 'See what we can play' }).click()

  await expect(steps(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Syncing', exact: true })).toContainText('10 of 10')
  const common = card(page, 'Top Common Games')
  await expect(common.getByRole('heading', { level: 3 })).toHaveText(/day night$/)
  await expect(common.getByRole('list', { name: 'Common Games' }).getByRole('listitem')).toHaveText([
    /Portal.*30h$/,
    /Dota.*3h$/,
  ])
  await expect(card(page, 'Total Playtime').getByRole('meter')).toContainText('112h')
  await expectAccessible(page)
})

test('LOOK-11, NIGHT-132: what is private, and what to change on Steam', async ({ page, product }) => {
  const me = newCircle(product, 'Secretive Sol')
  product.simulator.updatePlayer(me, { gamesPrivate: true, friendsPrivate: true })
  await signInAtPlatform(page, me)
  const offered = steps(page).getByRole('button')
  await expect(steps(page)).toContainText('set "Game details" to Public. Then press Sync Games.')
  // NIGHT-132
  const settings = steps(page).getByRole('link', {
    name: 'Open Steam privacy settings (opens Steam in a new tab)',
  })
  await expect(settings).toHaveAttribute('href', 'https://steamcommunity.com/my/edit/settings')
  await expect(settings).toHaveAttribute('rel', 'noopener noreferrer')
  await expectAccessible(page)
  // Friends need not wait for that.
  await expect(offered).toHaveText(['Sync Games', 'Sync Friends'])
  await expectNoSidewaysScroll(page)
  product.simulator.updatePlayer(me, { gamesPrivate: false })
  await offered.first().click()
  await expect(steps(page).locator('[aria-current=step]')).toContainText('Sync your friends')
  await expect(steps(page)).toContainText('set "Friends List" to Public. Then press Sync Friends.')
  await expectNoSidewaysScroll(page)
})
