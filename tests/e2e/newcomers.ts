/** People who were never here, and their ways in. */
import type { Page } from '@playwright/test'
import { type Product } from '../support/product.ts'
import { expect, findPlayer, handOver } from './support.ts'

/** Adds a player to Steam who was never here, with these games and their minutes. */
export const newcomer = (product: Product, name: string, games: Record<string, number> = {}): string =>
  product.newcomer({ name, games })

/** Finds a player on Steam's sign-in page, where one presses a player to sign in. */
export async function chooseAccount(page: Page, steamId: string) {
  await findPlayer(page, steamId)
  const account = page.getByRole('listitem').filter({ visible: true }).getByRole('button')
  await expect(account).toHaveCount(1)
  return account
}

/** Signs in with the button of the login page, on Steam's own page. */
export async function signInAtPlatform(page: Page, steamId: string): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with Steam' }).click()
  await (await chooseAccount(page, steamId)).click()
  await expect(page).toHaveURL('/dashboard')
}

/** Comes back from Steam signed in, without its pages. */
export async function land(page: Page, product: Product, steamId: string): Promise<void> {
  const token = await handOver(page, product, steamId)
  await page.goto(`/steam-auth-success?steam_id=${steamId}&token=${token}`)
  await expect(page).toHaveURL('/dashboard')
}
