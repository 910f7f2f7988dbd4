/** LOOK-41, LOOK-22, LOOK-23: what players see who set a contrast theme or large text, or touch the screen. */
import type { Page } from '@playwright/test'
import { answer, mark, startEverything, startNight } from './night-page.ts'
import { expect, oddNames, PHONE, prepareTab, profileOptions, region, test } from './support.ts'

/** The grounds of the choices on a page: those that are chosen, and the others. */
const grounds = (page: Page) =>
  page.evaluate(() => {
    const found = { chosen: [] as string[], others: [] as string[] }
    const add = (isChosen: boolean, element: Element) =>
      found[isChosen ? 'chosen' : 'others'].push(getComputedStyle(element).backgroundColor)
    for (const input of document.querySelectorAll<HTMLInputElement>('label > input'))
      add(input.checked, input.parentElement!)
    for (const button of document.querySelectorAll('[aria-pressed]'))
      add(button.ariaPressed === 'true', button)
    return found
  })

test('LOOK-41: choices in a contrast theme can be told apart', async ({ page, product, signInAs }) => {
  const { mira, path } = await startNight(product, { isIn: ['Mira', 'Theo'] })
  await signInAs(mira)
  await page.emulateMedia({ forcedColors: 'active' })
  for (const screen of ['/friends', '/account', '/dashboard', path]) {
    await page.goto(screen)
    if (screen === path) {
      await expect(answer(page, 'In')).toBeChecked()
      await mark(page, 'Portal', 'Want').check()
    }
    await expect.poll(async () => (await grounds(page)).chosen.length, screen).toBeGreaterThan(0)
    const { chosen, others } = await grounds(page)
    for (const ground of others) expect(chosen, screen).not.toContain(ground)
  }
})

test('LOOK-22, LOOK-23, PLAT-37, ROUTE-1, ROUTE-2, ROUTE-13: any names', async ({
  page,
  product,
  signInAs,
}) => {
  test.slow()
  const people = oddNames(32)
  const { mira, as, screens } = await startEverything(product, {
    people,
    gameNames: ['Portal', ...oddNames(100)],
    title: 'W'.repeat(80),
    groupName: 'W'.repeat(100),
    isIn: people.slice(0, 4),
  })
  await as(people[4]!).answer('maybe', 'W'.repeat(140))
  await signInAs(mira, undefined, people[1])
  for (const screen of screens)
    await test.step(screen, async () => {
      await page.setViewportSize(PHONE)
      await page.goto(screen)
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^Loading/)
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expect(page).toHaveURL(screen)
      await expect(page).toBeAccessible()
      await page.setViewportSize({ width: 360, height: 740 })
      await expect(page).toFitItsWidth()
      await expect(page).toHaveLargeTargets()
    })
})

for (const { share, px, viewport } of [
  { share: '130 %', px: 21, viewport: { width: 360, height: 740 } },
  { share: '200 %', px: 32, viewport: { width: 412, height: 915 } },
]) {
  const large = test.extend({
    launchOptions: [
      async ({ launchOptions }, use) =>
        use({
          ...launchOptions,
          args: [...(launchOptions.args ?? []), `--blink-settings=defaultFontSize=${px}`],
        }),
      { scope: 'worker' },
    ],
  })

  large(`LOOK-22: text of ${share} fits a phone`, async ({ page, product, signInAs }) => {
    const { mira, screens } = await startEverything(product, {
      gameNames: ['Counter-Strike 2', 'Garry’s Mod', 'Tom Clancy’s Rainbow Six® Siege'],
      isIn: ['Mira', 'Theo'],
      title: 'Friday as always',
      groupName: 'Friday crew',
    })
    await signInAs(mira)
    await page.setViewportSize(viewport)
    for (const screen of screens)
      await test.step(screen, async () => {
        await page.goto(screen)
        await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^Loading/)
        await expect(page).toFitItsWidth()
      })
    // The name of the product is not under its badge or a button, and a night's name is not cut to a letter.
    await page.goto('/dashboard')
    const night = region(page, 'Game night')
      .getByRole('link', { name: /Friday crew/ })
      .first()
    expect(await night.evaluate((row) => row.getBoundingClientRect().width / innerWidth)).toBeGreaterThan(0.6)
    const name = (await page.getByRole('link', { name: 'Shelfmates' }).boundingBox())!
    const find = (await page.getByRole('button', { name: 'Find' }).boundingBox())!
    const isBelow = find.y >= name.y + name.height
    expect(isBelow || find.x >= name.x + name.width).toBe(true)
  })
}

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
