/** What a night's page, its dialogs and lists say and to whom, and the ways through them (NIGHT-81 to NIGHT-104). */
import { nightsContract } from '#shared/contract/nights.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { bar, mark, startNight } from './night-page.ts'
import { expect, expectAccessible, isCut, PHONE, test } from './support.ts'

const LONG = `The ${'very '.repeat(12)}last evening`
const UNBROKEN = 'x'.repeat(80)
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

test('NIGHT-85: a link and the key V lead to the vote', async ({ page, product, signInAs }) => {
  const gameNames = Array.from({ length: 24 }, (_, nth) => `Game ${nth}`)
  const { others, path } = await startNight(product, { gameNames, isIn: ['Theo'] })
  await signInAs(others[0]!, path)
  const skip = page.getByRole('link', { name: 'Skip to your vote' })
  await skip.focus()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(bar(page)).toBeFocused()
  await mark(page, 'Game 3', 'Want').focus()
  await page.keyboard.press('1')
  await page.keyboard.press('v')
  await expect(bar(page).getByRole('button', { name: 'Vote' })).toBeFocused()
  await skip.focus()
  await page.keyboard.press('Enter')
  await expect(bar(page).getByRole('button', { name: 'Vote' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('You have voted.')
})

test('NIGHT-79, NIGHT-102, NIGHT-104: decided ones apart', async ({ page, product, signInAs }) => {
  const { host, groupId, appids } = await friendsWithGames(product, 2)
  const start = (title: string) =>
    host.call(nightsContract.start, {}, { group_id: groupId, title, starts_at: tomorrow() })
  await start(LONG)
  await start(UNBROKEN)
  const decided = await start('Chosen early')
  await inNight(decided, host).vote([{ appid: appids[0]!, mark: 'want' }])
  await inNight(decided, host).close()
  await page.setViewportSize(PHONE)
  await signInAs(host, `/groups/${groupId}`)
  await page.getByRole('link', { name: 'All nights' }).click()
  const part = (name: string) => page.getByRole('list', { name }).getByRole('link')
  await expect(part('Now and planned')).toHaveCount(2)
  await expect(part('Decided')).toHaveCount(1)
  await expect(part('Decided')).toContainText('Portal')
  for (const title of [LONG, UNBROKEN])
    expect(await isCut(page.getByRole('main').getByText(title, { exact: true }), 'main')).toBe(false)
  await part('Now and planned').filter({ hasText: UNBROKEN }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(UNBROKEN)
  expect(await isCut(page.getByRole('heading', { level: 1 }).getByText(UNBROKEN), 'main')).toBe(false)
})
