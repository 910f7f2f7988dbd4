/** LOOK-31, LOOK-11, SYNC-18: a new person's way from the sign-in to a filled dashboard. */
import type { Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { newcomer, signInAtPlatform } from './newcomers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const steps = (page: Page) => page.getByRole('region', { name: 'Three steps to your first game night' })

/** Somebody new with two friends, none of whom were ever here; all of them own two games. */
function newCircle(product: Product, name: string): string {
  const games = { Portal: 600, Dota: 60 }
  const me = newcomer(product, name, { ...games, Chess: 30, Rust: 6000 })
  for (const friend of [`Ada of ${name}`, `Bob of ${name}`])
    product.simulator.befriend(me, newcomer(product, friend, games))
  return me
}

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
