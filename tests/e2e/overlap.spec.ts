/** COMP-8 to COMP-11: how much two people have in common. */
import type { Page } from '@playwright/test'
import type { TestPlayer } from '../support/product.ts'
import { breakCalls, expect, expectAccessible, test } from './support.ts'

const compared = (page: Page) => page.getByRole('region', { name: 'Who is compared' })
const part = (page: Page, name: string) =>
  compared(page).getByRole('radio', { name: new RegExp(`^${name} ?[\\d–]`) })
const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const namesIn = (page: Page, name: string) => list(page, name).getByRole('heading').allTextContents()
const path = (friend: TestPlayer) => `/games/1/comparison?friend=${friend.steam_id}`

const MINE = { Portal: 300, Dota: 100, Zuma: 0, 'Mine Alone': 600, 'Mine Too': 0 }
const HERS = { Portal: 300, Dota: 700, Zuma: 0, 'Hers Alone': 0 }

test('COMP-8: both people and how much they have in common', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: HERS })
  const me = await product.player({ name: 'Mira', games: MINE, friends: [ada] })
  await signInAs(me, 'Mira')
  await page.goto(path(ada))
  await expect(compared(page)).toContainText('Mira and Ada')
  await expect(part(page, 'Only you')).toHaveAccessibleName('Only you 2 games')
  await expect(part(page, 'Both')).toHaveAccessibleName('Both 3 games')
  await expect(part(page, 'Only them')).toHaveAccessibleName('Only them 1 game')
  await expect(part(page, 'Both')).toBeChecked()
  await expect(compared(page)).toContainText('1 of the games you both own was never played by either of you.')
  // Portal has 30% of both people's time; Dota 10% of mine and 70% of hers.
  await expect(compared(page)).toContainText(
    'Playtime alike: 40% of your playing time goes to the same games',
  )
  await expectAccessible(page)
})

test('COMP-8: each part can be opened, also by its address', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: HERS })
  const me = await product.player({ name: 'Mira', games: MINE, friends: [ada] })
  await signInAs(me)
  await page.goto(path(ada))
  await expect.poll(() => namesIn(page, 'Games You Both Own')).toHaveLength(3)
  await part(page, 'Both').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('heading', { level: 2, name: 'Games Only You Own' })).toBeVisible()
  await expect.poll(() => namesIn(page, 'Games Only You Own')).toEqual(['Mine Alone', 'Mine Too'])
  await expect(list(page, 'Games Only You Own').getByRole('article').first()).toContainText('10h 0m played')
  await expect(part(page, 'Only you')).toBeFocused()
  await expect(page).toHaveURL(`${path(ada)}&part=mine`)
  await expectAccessible(page)
  await page.goto(`${path(ada)}&part=theirs&sort=mine&search=hers`)
  await expect.poll(() => namesIn(page, 'Games Only Your Friend Owns')).toEqual(['Hers Alone'])
  await expect(part(page, 'Only them')).toBeChecked()
  await page.goto(`${path(ada)}&part=nonsense`)
  await expect.poll(() => namesIn(page, 'Games You Both Own')).toHaveLength(3)
})

test('COMP-11, NIGHT-133: what is not known is said in the place of the figures, without a jump', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500/)
  const ada = await product.player({ name: 'Ada', games: HERS, gamesPrivate: true })
  const bob = await product.player({ name: 'Bob', games: HERS })
  const me = await product.player({ games: MINE, friends: [ada, bob] })
  await signInAs(me)
  const height = async () => (await compared(page).boundingBox())!.height
  await page.goto(path(ada))
  await expect(compared(page)).toContainText(
    'This friend’s game details are private on Steam.They can set "Game details" to Public',
  )
  // NIGHT-133: the message stands where the list would, so nothing jumps.
  await expect(page.getByRole('button', { name: 'Copy a message for Ada' })).toBeVisible()
  const unknown = await height()
  await part(page, 'Only you').check()
  await expect(page.getByText('Which games only you own is not known.')).toBeVisible()
  await page.goto(path(bob))
  await expect(part(page, 'Both')).toHaveAccessibleName('Both 3 games')
  expect(await height()).toBe(unknown)
  await breakCalls(page, '**/overlap', 'The scales fell over.')
  await page.reload()
  await expect(compared(page)).toContainText('How much you have in common could not be loaded.', {
    timeout: 9000,
  })
  await expect(list(page, 'Games You Both Own').getByRole('article')).toHaveCount(3)
  expect(await height()).toBe(unknown)
})
