/** The dashboard's parts and people, for the tests of it. */
import type { Locator, Page } from '@playwright/test'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { type Product, type TestPlayer } from '../support/product.ts'
import { expect, test as base } from './support.ts'
import { imageOf, upload } from '../support/png.ts'

export const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
export const rows = (region: Locator) => region.getByRole('listitem')
/** The Compare Games card's parts. */
export const compare = (page: Page) => {
  const region = card(page, 'Compare Games')
  return {
    region,
    search: region.getByRole('combobox', { name: 'Friend' }),
    option: (name: string) => region.getByRole('option', { name }),
    options: region.getByRole('option'),
    button: region.getByRole('button', { name: 'Compare', exact: true }),
  }
}
/** The group creation wizard's parts. */
export const wizard = (page: Page) => {
  const region = card(page, 'Groups')
  return {
    region,
    open: region.getByRole('button', { name: 'Create group', exact: true }),
    step: (number: number) => region.getByRole('group', { name: `Step ${number} of 3` }),
    any: region.getByRole('group', { name: /^Step/ }),
    name: region.getByRole('textbox', { name: 'Group name' }),
    create: region.getByRole('button', { name: 'Create', exact: true }),
    friend: (name: string) => region.getByRole('option', { name, exact: true }),
    addMembers: region.getByRole('button', { name: 'Add Members' }),
    url: region.getByRole('textbox', { name: 'Picture URL' }),
    setPicture: region.getByRole('button', { name: 'Set Picture' }),
    skip: region.getByRole('button', { name: 'Skip' }),
    cross: region.getByRole('button', { name: 'Cancel' }),
  }
}
/** Makes a group with Ada in it in the wizard, up to the step of its picture. */
export async function openPictureStep(page: Page, groupName: string): Promise<void> {
  const { open, name, create, friend, addMembers, step } = wizard(page)
  await open.click()
  await name.fill(groupName)
  await create.click()
  await friend('Ada').click()
  await addMembers.click()
  await expect(step(3)).toBeVisible()
}

export const common = (page: Page) => {
  const region = card(page, 'Top Common Games')
  return {
    region,
    group: region.getByRole('heading', { level: 3 }),
    games: region.getByRole('list', { name: 'Common Games' }).getByRole('button'),
    previous: region.getByRole('button', { name: 'Previous group' }),
    next: region.getByRole('button', { name: 'Next group' }),
  }
}

/** Opens the dashboard and waits until nothing of it is loading any more. */
export async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await expectLoaded(page)
}

export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByText('What can we all play tonight?')).toBeVisible()
  // The last row of cards.
  await expect(card(page, "Friends' Top Games")).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

/** Has the page read another sync status than the server's. */
export async function changeSyncStatus(
  page: Page,
  change: (status: SyncStatus) => Partial<SyncStatus>,
): Promise<void> {
  await page.route('**/sync_status', async (route) => {
    const status = (await (await route.fetch()).json()) as SyncStatus
    await route.fulfill({ json: { ...status, ...change(status) } })
  })
}

/** The names of things in rows, in the order they are shown. */
export const namesIn = (region: Locator) => rows(region).locator('bdi').allTextContents()

/** The address of a picture that was uploaded here, so that nothing is fetched from the web. */
export async function uploadedPicture(product: Product, owner: TestPlayer): Promise<string> {
  const { group_id } = await product.group({ owner, name: 'Owner of a picture' })
  const answer = await upload(owner, group_id, await imageOf('teal', 40, 40))
  return `${product.url}${((await answer.json()) as { picture_url: string }).picture_url}`
}

/** Somebody with games, two friends with libraries, and a group of all three. */
export async function crew(product: Product) {
  const ada = await product.player({ name: 'Ada', games: { Portal: 600, Dota: 60, Rust: 90 } })
  const bob = await product.player({ name: 'Bob', games: { Portal: 300, Dota: 30 } })
  const me = await product.player({
    name: 'Mira',
    games: { Portal: 1200, Dota: 120, Chess: 6 },
    friends: [ada, bob],
  })
  const group = await product.group({ owner: me, members: [ada, bob], name: 'Friday night crew' })
  return { me, ada, bob, group }
}

export const test = base.extend<{ enterCrew: (path?: string) => ReturnType<typeof crew> }>({
  /** Signs Mira of a new crew in, and opens a path. */
  enterCrew: async ({ product, signInAs }, use) =>
    use(async (path) => {
      const all = await crew(product)
      await signInAs(all.me, path)
      return all
    }),
})
