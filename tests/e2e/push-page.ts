/** What tests of notifications start from: a Chromium that has them, a push service, and the section on the Account page. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { openPushService, type PushService } from '../support/push-service.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { type Device, openDevice } from './push-device.ts'
import { expect, region, test as base } from './support.ts'

/** Where the address is not secure: a host of any other name, by http. */
export const INSECURE = 'insecure.test'

type Fixtures = {
  theo: TestPlayer
  /** Opens a browser in which a player is signed in, on a desk unless `kind` is another of Playwright's devices. */
  open: (player: TestPlayer, kind?: BrowserContextOptions) => Promise<Device>
  /** Also turns notifications on in it. */
  openNotified: (player: TestPlayer, kind?: BrowserContextOptions) => Promise<Device>
}
type WorkerFixtures = { service: PushService }

export const test = base.extend<Fixtures, WorkerFixtures>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const executablePath = process.env.FULL_CHROMIUM_PATH || process.env.CHROMIUM_PATH
      const args = (launchOptions.args ?? []).map((arg) =>
        arg.replace('--host-resolver-rules=', `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1, `),
      )
      await use({
        ...launchOptions,
        args,
        ...(executablePath ? { executablePath } : { channel: 'chromium' }),
      })
    },
    { scope: 'worker' },
  ],

  service: [
    async ({}, use) => {
      const service = await openPushService()
      await use(service)
      await service.close()
    },
    { scope: 'worker' },
  ],

  web: [async ({ service }, use) => use(service.web), { scope: 'worker' }],

  theo: async ({ product }, use) => use(await product.player({ name: 'Theo' })),

  open: async ({ browser, product, service }, use) => {
    const devices: Device[] = []
    await use(async (player, kind) => {
      const device = await openDevice(browser, product, service, player, kind)
      devices.push(device)
      return device
    })
    for (const device of devices) await device.close()
  },

  openNotified: async ({ open }, use) =>
    use(async (player, kind) => {
      const device = await open(player, kind)
      const { page } = device
      await page.goto('/account')
      await turnOn(page).click()
      await expect(isOn(page)).toBeVisible()
      return device
    }),
})

export const card = (page: Page) => region(page, 'Notifications')
export const turnOn = (page: Page) =>
  card(page).getByRole('button', { name: 'Turn on notifications on this device', exact: true })
export const turnOff = (page: Page) =>
  card(page).getByRole('button', { name: 'Turn off on this device', exact: true })
export const isOn = (page: Page) => card(page).getByText('They’re on for this device.')
export const isOff = (page: Page) => card(page).getByText('They’re off on this device.')

/** The addresses to which the server sends what a user is notified of. */
export async function addressesOf(product: Product, { steam_id }: TestPlayer): Promise<string[]> {
  const rows = await product.database.queries
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('steam_id', '=', steam_id)
    .execute()
  return rows.map(({ endpoint }) => endpoint)
}
