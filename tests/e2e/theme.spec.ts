/** LOOK-2, LOOK-36: the light theme and the dark one. What changes the theme of the system needs Chromium. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { api, breakCalls, expect, openElsewhere, PHONE, region, switchTo, test } from './support.ts'

const LIGHT = 'rgb(241, 244, 252)'
const DARK = 'rgb(8, 12, 24)'

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const choose = (page: Page, theme: string) => page.getByRole('radio', { name: theme, exact: true }).check()
/** The colour that the browser gives its own frame around the page. */
const frameColour = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
      .filter(({ media }) => matchMedia(media).matches)
      .map(({ content }) => content),
  )

test('LOOK-36: three themes, which other tabs follow', { tag: '@chromium' }, async ({ page, openTab }) => {
  await page.goto('/login')
  expect([await ground(page), await frameColour(page)]).toEqual([DARK, ['#080c18']])
  await page.emulateMedia({ colorScheme: 'light' })
  expect([await ground(page), await frameColour(page)]).toEqual([LIGHT, ['#f1f4fc']])
  await expect(page).toBeAccessible()

  await page.emulateMedia({ colorScheme: 'dark' })
  await choose(page, 'Light')
  expect([await ground(page), await frameColour(page)]).toEqual([LIGHT, ['#f1f4fc']])
  const other = await openTab()
  await other.goto('/privacy')
  expect(await ground(other)).toBe(LIGHT)
  await choose(other, 'Dark')
  await expect.poll(() => ground(page)).toBe(DARK)
  await page.emulateMedia({ colorScheme: 'light' })
  expect([await ground(page), await frameColour(page)]).toEqual([DARK, ['#080c18']])
  await choose(page, 'System')
  expect(await ground(page)).toBe(LIGHT)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull()

  await page.setViewportSize(PHONE)
  await expect(page).toFitItsWidth()
})

for (const [theme, system] of [
  ['dark', 'light'],
  ['light', 'dark'],
] as const)
  test(`LOOK-36: ${theme} on ${system}`, { tag: '@chromium' }, async ({ page, enter }) => {
    const me = await enter({ games: { Portal: 60 } })
    await me.call(api.privacy.changeSettings, me.user, { theme })
    await page.emulateMedia({ colorScheme: system })
    await page.goto('/account')
    await expect.poll(() => ground(page)).toBe(theme === 'light' ? LIGHT : DARK)
    // The camera's first picture may be of the moment before the theme of the account was known.
    await page.goto('/privacy')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const frames: Buffer[] = []
    const camera = await page.context().newCDPSession(page)
    camera.on('Page.screencastFrame', ({ data, sessionId }) => {
      frames.push(Buffer.from(data, 'base64'))
      void camera.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined)
    })
    await camera.send('Page.startScreencast', { format: 'png', maxWidth: 320, maxHeight: 200 })
    for (const path of ['/account', '/my_games', '/login']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await expect.poll(() => frames.length).toBeGreaterThan(3)
    await camera.send('Page.stopScreencast')
    const brightness = await Promise.all(
      frames.map(async (frame) => {
        const { channels } = await sharp(frame).removeAlpha().stats()
        return channels.reduce((sum, { mean }) => sum + mean, 0) / channels.length
      }),
    )
    if (theme === 'dark') expect(Math.max(...brightness)).toBeLessThan(110)
    else expect(Math.min(...brightness)).toBeGreaterThan(145)
  })

test('LOOK-36: a theme of the account, in every browser', async ({ page, browser, product, signInAs }) => {
  const me = await product.player()
  const asked = me.user
  await signInAs(me, '/account')
  const card = region(page, 'Appearance')
  await expect(card.getByRole('radio', { name: 'System' })).toBeChecked()
  await choose(page, 'Light')
  expect(await ground(page)).toBe(LIGHT)
  await expect(card.getByText('Saved.')).toBeVisible()
  await expect(page).toBeAccessible()

  const elsewhere = await openElsewhere(browser, product, me)
  await elsewhere.goto('/dashboard')
  await expect.poll(() => ground(elsewhere)).toBe(LIGHT)
  await elsewhere.context().close()

  await breakCalls(page, '**/settings', 'The pen is dry.')
  // Not checked for its state, which may be reverted by then.
  await page.getByRole('radio', { name: 'Dark', exact: true }).click()
  await expect(card.getByRole('alert')).toContainText('The pen is dry.')
  await expect(card.getByRole('radio', { name: 'Light' })).toBeChecked()
  expect(await ground(page)).toBe(LIGHT)
  await page.unrouteAll()

  // By keys, however fast: the last one is what stays.
  await card.getByRole('radio', { name: 'Light' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await me.call(api.privacy.settings, asked)).theme).toBe('system')
  await expect(card.getByRole('radio', { name: 'System' })).toBeChecked()
  expect(await ground(page)).toBe(DARK)
})

test('LOOK-36: a theme chosen before signing in is kept', async ({ page, product, signInAs }) => {
  const [ada, bob] = [await product.player(), await product.player()]
  await bob.call(api.privacy.changeSettings, bob.user, { theme: 'dark' })
  await page.goto('/login')
  await choose(page, 'Light')
  await signInAs(ada, '/groups')
  await expect.poll(async () => (await ada.call(api.privacy.settings, ada.user)).theme).toBe('light')
  expect(await ground(page)).toBe(LIGHT)

  await switchTo(page, bob)
  await page.goto('/groups')
  await expect.poll(() => ground(page)).toBe(DARK)
  expect((await bob.call(api.privacy.settings, bob.user)).theme).toBe('dark')
})
