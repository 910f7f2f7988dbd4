/** DEMO-13: a public demo. */
import { rmSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { demoWorld } from '../../src/simulator/demo-world.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startProduct } from '../support/product.ts'
import { DESK, expect, PAGES, PHONE } from './support.ts'

const HOUR = 60 * 60_000
/** The demo's clock is two hours before it, and the pages' clock is the demo's, or they would correct theirs. */
const RESET = Math.ceil((Date.now() + 2 * HOUR) / (4 * HOUR)) * 4 * HOUR

const test = base.extend<{ demo: { url: string; clock: { now: number } }; at: number }>({
  at: [RESET - 2 * HOUR, { option: true }],
  demo: async ({ at }, use) => {
    const dataDir = temporaryFolder('demo')
    const clock = { now: at }
    const product = await startProduct({
      place: { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) },
      demo: true,
      world: demoWorld(),
      livedIn: true,
      env: { DEMO: 'public' },
      clock: () => clock.now,
      pagesFolder: PAGES,
      background: true,
    })
    await use({ url: product.url, clock })
    await product.close()
  },
})

for (const viewport of [DESK, PHONE])
  test(`DEMO-13: the reset is announced and seen, at ${viewport.width} px`, async ({ page, demo }) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.setViewportSize(viewport)
    await page.clock.install({ time: demo.clock.now })
    await page.goto(`${demo.url}/login`)
    const banner = page.getByRole('note')
    await expect(banner).toContainText('This is a public demo: everyone sees what you write')
    await expect(banner.getByRole('time')).toHaveAttribute('datetime', new Date(RESET).toISOString())
    await expect(page).toBeAccessible()

    await page.getByRole('button', { name: 'Sign in with Steam' }).click()
    await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/simulator\/openid\/login\?/)
    await expect(page).toFitItsWidth()
    await page.getByLabel('Search players').fill('a')
    await page.getByRole('listitem').filter({ visible: true }).getByRole('button').first().click()
    await expect(page).toHaveURL(`${demo.url}/dashboard`)
    await expect(banner).toContainText('Next reset at')
    const top = page.getByRole('region', { name: 'My Top Games' })
    const picture = top.getByRole('img').or(top.locator('img')).first()
    await expect(picture).toHaveAttribute('src', /\/simulator\/pictures\/apps\//)
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await expect(page).toBeAccessible()
    expect(errors).toEqual([])

    // Less than a minute before, since a request of the page itself may meet the reset before its timer does.
    await page.clock.fastForward(RESET - demo.clock.now - 50_000)
    demo.clock.now = RESET
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const { token, steam_id } = localStorage
          const headers = { authorization: `Bearer ${token}` }
          return (await fetch(`/api/users/${steam_id}/groups`, { headers })).status
        }),
      )
      .toBe(401)
    await page.clock.fastForward(60_000)
    await expect(page).toHaveURL(`${demo.url}/login`)
    await expect(page.getByRole('status')).toContainText('The demo was reset. Sign in again to start over.')
    await expect(banner.getByRole('time')).toHaveAttribute(
      'datetime',
      new Date(RESET + 4 * HOUR).toISOString(),
    )
  })

test.describe(() => {
  // By another clock than the pages' the night of last Friday might not be over for them.
  test.use({ at: Date.now() })
  for (const viewport of [DESK, PHONE])
    test(`DEMO-2, DEMO-3: an offered player, at ${viewport.width} px`, async ({ page, demo }) => {
      await page.setViewportSize(viewport)
      await page.goto(`${demo.url}/login`)
      await page.getByRole('button', { name: 'Sign in with Steam' }).click()
      await expect(page.getByRole('heading', { name: 'Start as one of these' })).toBeVisible()
      await expect(page).toBeAccessible()
      await page.getByRole('button', { name: 'Mira Leads the Friday crew' }).click()
      await expect(page.getByText('Friday as always').filter({ visible: true }).first()).toBeVisible()

      await page.getByRole('button', { name: 'Demo', exact: true }).filter({ visible: true }).click()
      const dialog = page.getByRole('dialog', { name: 'This is a demo: connect it to Steam' })
      await expect(dialog.getByRole('listitem')).toHaveCount(4)
      await expect(dialog).toContainText('STEAM_API_KEY')
      await expect(page).toBeAccessible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })
})
