/** LOOK-11, LOOK-22, LOOK-23 and LIST-5: what very large and small windows show of a screen. */
import { expect, prepareTab, profileOptions, test } from './support.ts'

test('LOOK-23: fields have 16 px on touch screens, and our look', async ({ browser, product }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
  const me = await product.player({ games: { Portal: 60 }, friends: [ada] })
  const { group_id } = await product.group({ owner: me, members: [ada] })
  const profile = await browser.newContext({
    ...profileOptions(product),
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await profile.newPage()
  await prepareTab(page)
  await page.goto('/login')
  const fields = page.locator('select, textarea, input:not([type=radio], [type=checkbox], [type=file])')
  const looks = () =>
    fields.evaluateAll((all) =>
      all.map((field) => ({
        appearance: field.tagName === 'SELECT' ? getComputedStyle(field).appearance : 'none',
        size: getComputedStyle(field).fontSize,
      })),
    )
  await expect(fields).toHaveCount(1)
  expect(await looks()).toEqual([{ appearance: 'none', size: '16px' }])
  await page.evaluate((values) => Object.assign(localStorage, values), {
    token: me.token,
    steam_id: me.steam_id,
  })
  for (const path of [
    '/dashboard',
    '/my_games',
    '/friends',
    '/games/1/comparison',
    '/groups',
    `/groups/${group_id}`,
    '/account',
    '/nights?start',
  ]) {
    await page.goto(path)
    await expect(fields.first()).toBeVisible()
    for (const look of await looks())
      expect([path, look]).toEqual([path, { appearance: 'none', size: '16px' }])
  }
  await profile.close()
})
