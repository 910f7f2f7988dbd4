/** LOOK-11, LOOK-22, LOOK-23, LIST-5 and PAGE-35: what very large and small windows, and paper, show of a screen. */
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

test('PAGE-35: paper has every row of a list, and no colours', async ({ page, product, signInAs }) => {
  const games = Object.fromEntries(Array.from({ length: 300 }, (_, nth) => [`Game ${nth}`, 6000 - nth]))
  const me = await product.player({ games })
  await signInAs(me, '/my_games')
  const list = page.getByRole('list', { name: 'My Games' }).getByRole('listitem')
  await expect(list.first()).toBeVisible()
  expect(await list.count()).toBeLessThan(100)
  await expect(page.getByRole('searchbox')).toHaveAccessibleDescription(/all 300 games.*Ctrl\+F/)
  await page.emulateMedia({ media: 'print' })
  await expect(list).toHaveCount(300)
  await expect(list.last()).toContainText('Game 299')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  const [ground, ink] = await page.evaluate(() => [
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(document.body).color,
  ])
  expect([ground, ink]).toEqual(['rgba(0, 0, 0, 0)', 'rgb(0, 0, 0)'])
  // Boxes stand one below the other, none over another.
  const [one, other] = [(await list.nth(0).boundingBox())!, (await list.nth(1).boundingBox())!]
  expect(one.x + one.width <= other.x || one.y + one.height <= other.y).toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => list.count()).toBeLessThan(100)
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  expect(await list.count()).toBe(300)
})
