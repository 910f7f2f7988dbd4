/** The parts of the Account page, and other browsers of a person, for the tests of it. */
import type { Browser, Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { profileOptions, prepareTab } from './support.ts'

export const region = (page: Page, name: string) => page.getByRole('region', { name })
export const choice = (page: Page, name: string) =>
  region(page, 'Who can see my library').getByRole('radio', { name })
export const sessionsCard = (page: Page) => region(page, 'Active sessions')
export const sessions = (page: Page) => sessionsCard(page).getByRole('listitem')
export const dialog = (page: Page) => page.getByRole('dialog')
export const openDeletion = (page: Page) =>
  region(page, 'Delete my account').getByRole('button', { name: 'Delete my account' })
export const deletionWord = (page: Page) =>
  dialog(page).getByRole('textbox', { name: 'Type DELETE to confirm' })
export const confirmDeletion = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Delete permanently' })

/** Everything that the pages store in this browser. */
export const stored = (page: Page) => page.evaluate((): Record<string, string> => ({ ...localStorage }))

/** Another browser in which a person is signed in. */
export async function openElsewhere(
  browser: Browser,
  product: Product,
  { steam_id, token }: Pick<TestPlayer, 'steam_id' | 'token'>,
): Promise<Page> {
  const localStorage = [
    { name: 'token', value: token },
    { name: 'steam_id', value: steam_id },
  ]
  const context = await browser.newContext({
    ...profileOptions(product),
    storageState: { cookies: [], origins: [{ origin: product.url, localStorage }] },
  })
  const page = await context.newPage()
  await prepareTab(page)
  return page
}

/** The same person in another browser: another session of theirs. */
export async function secondSession(product: Product, { steam_id }: TestPlayer) {
  const token = await product.signIn(steam_id)
  return { steam_id, token, ...product.callsOf(token) }
}
