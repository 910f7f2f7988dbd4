/** GPAGE-32: who shares how many games with whom in a group. */
import type { Page } from '@playwright/test'
import { breakCalls, expect, expectAccessible, expectNoSidewaysScroll, hold, test } from './support.ts'

const fold = (page: Page) => page.getByText('Who shares how many', { exact: true })
const table = (page: Page) => page.getByRole('table')
const cellsOf = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    .getByRole('cell')

test('GPAGE-32: a table says how many games every two members share, once it is asked for', async ({
  page,
  product,
  signInAs,
}) => {
  test.slow()
  const ada = await product.player({ name: 'Ada', games: { Portal: 5, Dota: 6 } })
  const bo = await product.player({ name: 'Bo', games: { Portal: 7, Quake: 8, Dota: 1 } })
  const hermit = await product.player({ name: 'Hermit', gamesPrivate: true })
  const me = await product.player({ name: 'Mira', games: { Portal: 90 }, friends: [ada, bo, hermit] })
  const { group_id } = await product.group({ owner: me, members: [ada, bo, hermit] })
  await signInAs(me)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/overlap')) asked += 1
  })
  // Near misses stand above it and would push it down, so it comes after them.
  const release = await hold(page, '**/near_misses')
  const isAsked = page.waitForRequest('**/near_misses')
  await page.goto(`/groups/${group_id}`)
  await isAsked
  await expect(fold(page)).toHaveCount(0)
  release()
  await expect(fold(page)).toBeVisible()
  expect(asked).toBe(0)
  await fold(page).focus()
  await fold(page).click()
  await expect(table(page).getByRole('columnheader')).toHaveText(['Member', 'Mira', 'Ada', 'Bo'])
  await expect(cellsOf(page, 'Mira')).toHaveText(['1', '1', '1'])
  await expect(cellsOf(page, 'Ada')).toHaveText(['1', '2', '2'])
  await expect(cellsOf(page, 'Bo')).toHaveText(['1', '2', '3'])
  await expect(page.getByText('Ada and Bo share the most: 2 games.')).toBeVisible()
  await expect(page.getByText('1 member’s library isn’t available.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  // Names can be read there, of the columns too.
  for (const name of ['Mira', 'Ada', 'Bo'])
    for (const role of ['columnheader', 'rowheader'] as const) {
      const shown = table(page).getByRole(role, { name, exact: true }).locator('bdi')
      await expect(shown).toBeVisible()
      const box = (await shown.boundingBox())!
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(12)
      expect(await shown.evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true)
    }
})

test('GPAGE-32: without two known libraries it says so; a failed load too', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500/)
  const me = await product.player({ games: { Portal: 90 } })
  const { group_id } = await product.group({ owner: me })
  await signInAs(me)
  await page.goto(`/groups/${group_id}`)
  await fold(page).click()
  await expect(page.getByText('At least two members’ libraries must be available.')).toBeVisible()
  await breakCalls(page, `**/api/groups/${group_id}/overlap`, 'No matrix.')
  await page.reload()
  await fold(page).click()
  await expect(page.getByRole('alert')).toContainText('Failed to fetch who shares how many games.')
})
