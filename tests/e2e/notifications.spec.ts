/** PUSH-13 to PUSH-23: notifications in a browser that has them, which the headless shell has not. */
import type { Page } from '@playwright/test'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { openPushService, type PushService } from '../support/push-service.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { region, stored } from './account-page.ts'
import { land } from './newcomers.ts'
import { answer, startNight } from './night-page.ts'
import { type Device, openDevice, press, shownOn } from './push-device.ts'
import {
  callsTo,
  DESK,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  PHONE,
  test as base,
} from './support.ts'

/** Where the address is not secure: a host of any other name, by http. */
const INSECURE = 'insecure.test'

/** Of every notification. */
const PICTURES = ['/icon-192.png', '/badge-96.png']

type Fixtures = { open: (player: TestPlayer) => Promise<Device> }
type WorkerFixtures = { service: PushService }

const test = base.extend<Fixtures, WorkerFixtures>({
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

  open: async ({ browser, product, service }, use) => {
    const devices: Device[] = []
    await use(async (player) => {
      const device = await openDevice(browser, product, service, player)
      devices.push(device)
      return device
    })
    for (const device of devices) await device.close()
  },
})

const card = (page: Page) => region(page, 'Notifications')
const turnOn = (page: Page) =>
  card(page).getByRole('button', { name: 'Turn on notifications on this device', exact: true })
const turnOff = (page: Page) =>
  card(page).getByRole('button', { name: 'Turn off on this device', exact: true })
const isOn = (page: Page) => card(page).getByText('They’re on for this device.')
const isOff = (page: Page) => card(page).getByText('They’re off on this device.')
const kind = (page: Page, name: string) => card(page).getByRole('checkbox', { name })

async function turnedOn({ page }: Device): Promise<void> {
  await page.goto('/account')
  await turnOn(page).click()
  await expect(isOn(page)).toBeVisible()
}

/** The addresses to which the server sends what a user is notified of. */
async function addressesOf(product: Product, { steam_id }: TestPlayer): Promise<string[]> {
  const rows = await product.database.queries
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('steam_id', '=', steam_id)
    .execute()
  return rows.map(({ endpoint }) => endpoint)
}

const message = (night: number) => ({
  title: 'Friday',
  body: 'Mira asks you to a game night',
  path: `/nights/${night}`,
  tag: `night-${night}`,
})

test('PUSH-17, PUSH-18: notifications are turned on by a press, which alone makes the browser ask, and off again', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const device = await open(theo)
  const { page } = device
  await device.permit('prompt')
  await page.goto('/account')
  await expect(isOff(page)).toBeVisible()
  await expect(turnOn(page)).toBeEnabled()
  expect(device.asked()).toBe(0)
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    await expectNoSidewaysScroll(page)
    await expectLargeTargets(page)
  }
  await expectAccessible(page)

  await turnOn(page).focus()
  await page.keyboard.press('Enter')
  await expect(isOn(page)).toBeVisible()
  await expect(card(page).getByText('Notifications are on for this device.')).toBeVisible()
  await expect(turnOff(page)).toBeFocused()
  await expectAccessible(page)
  expect(device.asked()).toBe(1)
  expect(await addressesOf(product, theo)).toEqual([device.subscription()!.endpoint])

  await page.reload()
  await expect(isOn(page)).toBeVisible()
  await expect(turnOff(page)).toBeEnabled()
  await turnOff(page).press('Enter')
  await expect(isOff(page)).toBeVisible()
  await expect(turnOn(page)).toBeFocused()
  expect(device.subscription()).toBeUndefined()
  await expect.poll(() => addressesOf(product, theo)).toEqual([])
  expect(Object.keys(await stored(page)).toSorted()).toEqual(['steam_id', 'token'])
  expect(device.asked()).toBe(1)
})

test('PUSH-13, PUSH-14: what is pushed is shown, one of the same night in place of the one before; a press opens the night', async ({
  open,
  product,
}) => {
  const { others, id } = await startNight(product)
  const device = await open(others[0]!)
  const { page, context } = device
  await turnedOn(device)

  await device.deliver(message(id))
  await device.deliver({ ...message(id), body: 'The vote is on' })
  await device.deliver(message(id + 1))
  await expect.poll(() => shownOn(device)).toHaveLength(2)
  expect(await shownOn(device)).toContainEqual({
    title: 'Friday',
    body: 'The vote is on',
    tag: `night-${id}`,
    pictures: PICTURES.map((path) => `${product.url}${path}`),
    data: `/nights/${id}`,
  })
  await (
    await device.worker()
  ).evaluate(
    async (tag) => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      for (const other of await registration.getNotifications({ tag })) other.close()
    },
    `night-${id + 1}`,
  )
  await expect.poll(() => shownOn(device)).toHaveLength(1)

  await press(device)
  await expect(page).toHaveURL(`${product.url}/nights/${id}`)
  await expect(answer(page, 'In')).toBeVisible()
  expect(context.pages()).toHaveLength(1)

  for (const path of PICTURES)
    expect((await page.request.get(path)).headers()['content-type']).toBe('image/png')

  // A window that shows the night already is used, and loses nothing that was typed.
  const elsewhere = await context.newPage()
  await elsewhere.goto('/groups')
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await device.deliver(message(id))
  await expect.poll(() => shownOn(device)).toHaveLength(1)
  await press(device)
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  expect(elsewhere.url()).toBe(`${product.url}/groups`)

  // Where no window is open, a new one. The browser opens it for a press by hand only, so it is asked in its stead.
  await device.deliver(message(id))
  await expect.poll(() => shownOn(device)).toHaveLength(1)
  const worker = await device.worker()
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { clients: object; opened: string[] }
    scope.opened = []
    Object.assign(scope.clients, { openWindow: async (href: string) => void scope.opened.push(href) })
  })
  await elsewhere.close()
  await page.close()
  await press(device)
  await expect
    .poll(() => worker.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual([`${product.url}/nights/${id}`])
})

test('PUSH-13, PUSH-14: Mira asks Theo to a night: his device is notified, and a press opens the night', async ({
  open,
  product,
  service,
}) => {
  const theo = await product.player({ name: 'Theo', games: { Portal: 60 } })
  const mira = await product.player({ name: 'Mira', games: { Portal: 60 }, friends: [theo] })
  const { group_id } = await product.group({ owner: mira, members: [theo] })
  const device = await open(theo)
  await turnedOn(device)

  const night = await mira.call(nightsContract.start, {}, { group_id })
  await expect.poll(() => device.received()).toHaveLength(1)
  expect(service.faults).toEqual([])
  const [sent] = device.received()
  expect(sent).toMatchObject({ path: `/nights/${night.night_id}`, tag: `night-${night.night_id}` })
  expect(`${sent!.title} ${sent!.body}`).toContain('Mira')
  await device.deliver(sent!)
  await expect.poll(() => shownOn(device)).toMatchObject([{ title: sent!.title, body: sent!.body }])
  await press(device)
  await expect(device.page).toHaveURL(`${product.url}/nights/${night.night_id}`)
  await expect(answer(device.page, 'In')).toBeVisible()

  // Nothing more is sent once they are off.
  await device.page.goto('/account')
  await turnOff(device.page).click()
  await expect(isOff(device.page)).toBeVisible()
  await expect.poll(() => addressesOf(product, theo)).toEqual([])
})

test('PUSH-15: no other site is opened, whatever a message says', async ({ open, product }) => {
  const device = await open(await product.player())
  const { page, context } = device
  await turnedOn(device)
  for (const path of ['https://elsewhere.test/', '//elsewhere.test/nights/1', 'javascript:alert(1)']) {
    await device.deliver({ ...message(1), path })
    await expect.poll(() => shownOn(device)).toHaveLength(1)
    await press(device)
  }
  // What is pressed next is led there, so nothing was on its way.
  await device.deliver({ ...message(1), path: '/groups' })
  await expect.poll(() => shownOn(device)).toHaveLength(1)
  await press(device)
  await expect(page).toHaveURL(`${product.url}/groups`)
  expect(context.pages()).toHaveLength(1)
})

test('PUSH-20: logging out ends them, and who signs in next on the device gets none of the user before', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const ada = await product.player({ name: 'Ada' })
  const device = await open(theo)
  const { page } = device
  await turnedOn(device)
  await device.deliver(message(1))
  await expect.poll(() => shownOn(device)).toHaveLength(1)

  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(`${product.url}/login`)
  await expect.poll(() => device.subscription()).toBeUndefined()
  await expect.poll(() => addressesOf(product, theo)).toEqual([])
  expect(await shownOn(device)).toEqual([])
  expect(await stored(page)).toEqual({})
  await land(page, product, ada.steam_id)
  await page.goto('/account')
  await expect(isOff(page)).toBeVisible()

  // Ada turns them on herself; what Theo is asked to is not told here, but what she is asked to is.
  await turnOn(page).click()
  await expect(isOn(page)).toBeVisible()
  const mira = await product.player({ name: 'Mira', games: { Portal: 60 }, friends: [theo, ada] })
  await mira.call(nightsContract.start, {}, { steam_ids: [theo.steam_id], title: 'For Theo' })
  await mira.call(nightsContract.start, {}, { steam_ids: [ada.steam_id], title: 'For Ada' })
  await expect.poll(() => device.received()).toHaveLength(1)
  expect(JSON.stringify(device.received())).toContain('For Ada')
})

test('PUSH-20: who signs in over another user gets none of theirs; a sign-in that is refused changes nothing', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const ada = await product.player({ name: 'Ada' })
  const device = await open(theo)
  const { page } = device
  await turnedOn(device)

  const refused = page.waitForResponse('**/auth/session')
  await page.goto(`/steam-auth-success?steam_id=${ada.steam_id}&token=${'x'.repeat(43)}`)
  await refused
  await page.goto('/account')
  await expect(isOn(page)).toBeVisible()
  expect(device.subscription()).toBeDefined()

  await land(page, product, ada.steam_id)
  await expect.poll(() => device.subscription()).toBeUndefined()
  await page.goto('/account')
  await expect(isOff(page)).toBeVisible()
  expect(await addressesOf(product, ada)).toEqual([])
})

test('PUSH-20: a session that was ended elsewhere ends them when the page is opened next', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const device = await open(theo)
  await turnedOn(device)
  await theo.call(sessionContract.revokeAllSessions, { steamId: theo.steam_id })
  expect(await addressesOf(product, theo)).toEqual([])
  await device.page.goto('/groups')
  await expect(device.page).toHaveURL(`${product.url}/login`)
  await expect.poll(() => device.subscription()).toBeUndefined()
})

test('PUSH-21: a visit renews what the server has lost, or has another key for; what is of another user is off', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const device = await open(theo)
  const { page } = device
  await turnedOn(device)
  const { endpoint, key } = device.subscription()!

  await product.database.queries.deleteFrom('push_subscriptions').execute()
  await page.reload()
  await expect(turnOff(page)).toBeEnabled()
  expect(await addressesOf(product, theo)).toEqual([endpoint])

  const other = Buffer.alloc(65, 4).toString('base64url')
  device.replace(other)
  await page.reload()
  await expect(turnOff(page)).toBeEnabled()
  expect(device.subscription()!.key).toBe(key)
  expect(await addressesOf(product, theo)).toContain(device.subscription()!.endpoint)

  await page.evaluate(() => localStorage.setItem('notifications_of', '76561197960287930'))
  await page.reload()
  await expect(isOff(page)).toBeVisible()
  await expect.poll(() => device.subscription()).toBeUndefined()
  expect(device.asked()).toBe(1)
})

test('PUSH-16: when the browser replaces its subscription, the page that is open tells the server', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const device = await open(theo)
  await turnedOn(device)
  device.replace()
  const worker = await device.worker()
  await worker.evaluate(() => {
    const scope = globalThis as unknown as EventTarget & { PushSubscriptionChangeEvent: typeof Event }
    scope.dispatchEvent(new scope.PushSubscriptionChangeEvent('pushsubscriptionchange'))
  })
  await expect.poll(() => addressesOf(product, theo)).toContain(device.subscription()!.endpoint)
})

test('PUSH-22: where they cannot be turned on, Account says why', async ({ open, product, service }) => {
  const theo = await product.player({ name: 'Theo' })
  const device = await open(theo)
  const { page, context } = device
  await page.goto('/account')
  await expect(isOff(page)).toBeVisible()

  // The browser says so while the page is open.
  await device.permit('denied')
  await expect(
    card(page).getByText(/^Your browser blocks notifications of this site\. To allow them/),
  ).toBeVisible()
  await expect(card(page).getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
  await device.permit('granted')
  await expect(isOff(page)).toBeVisible()

  device.refuse('Registration failed - push service error')
  await turnOn(page).click()
  await expect(card(page).getByRole('alert')).toHaveText(
    /Failed to turn on notifications\..*couldn’t reach its push service/,
  )
  await expect(isOff(page)).toBeVisible()
  device.refuse(undefined)

  await page.route('**/push_subscriptions', (route) => route.abort())
  await turnOn(page).click()
  await expect(card(page).getByRole('alert')).toHaveText('Failed to turn on notifications.Network error.')
  await expect(isOff(page)).toBeVisible()
  expect(device.subscription()).toBeUndefined()
  await page.unroute('**/push_subscriptions')

  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'))
  await page.reload()
  await expect(card(page).getByText('This browser can’t show notifications of websites.')).toBeVisible()
  await context.addInitScript(() => Object.assign(navigator, { standalone: false }))
  await page.reload()
  await expect(
    card(page).getByText(/^On iPhone and iPad, first add Shelfmates to your Home Screen/),
  ).toBeVisible()

  const insecure = await openDevice(context.browser()!, product, service, theo)
  await insecure.page.goto(`http://${INSECURE}:${new URL(product.url).port}/login`)
  await insecure.page.evaluate((session) => Object.assign(localStorage, session), {
    token: theo.token,
    steam_id: theo.steam_id,
  })
  await insecure.page.goto(`http://${INSECURE}:${new URL(product.url).port}/account`)
  await expect(card(insecure.page).getByText('Notifications need a secure address')).toBeVisible()
  await insecure.close()
})

test('PUSH-23: each kind can be switched off, and names be left out, for all devices', async ({
  open,
  product,
}) => {
  const theo = await product.player({ name: 'Theo' })
  const { page } = await open(theo)
  const saved = async () =>
    (await theo.call(privacyContract.settings, { steamId: theo.steam_id })).notifications
  await page.goto('/account')
  for (const name of [
    'You are asked to a game night',
    'A night was moved or cancelled',
    'A vote is on and you have not voted',
    'A game was picked',
    'A night starts in 30 minutes',
  ])
    await expect(kind(page, name)).toBeChecked()
  await expect(kind(page, 'Discreet: no names or games on the lock screen')).not.toBeChecked()

  // Quick ones, of which none is lost.
  await kind(page, 'A night was moved or cancelled').press('Space')
  await kind(page, 'A game was picked').press('Space')
  await kind(page, 'Discreet: no names or games on the lock screen').press('Space')
  await expect.poll(saved).toEqual({
    asked: true,
    moved: false,
    vote: true,
    picked: false,
    starting: true,
    discreet: true,
  })
  await expect(card(page).getByText('Saved.')).toBeVisible()

  await page.route('**/settings', (route) => route.abort())
  await kind(page, 'You are asked to a game night').press('Space')
  await expect(card(page).getByRole('alert')).toContainText('Network error.')
  await expect(kind(page, 'You are asked to a game night')).toBeChecked()
  await expect(kind(page, 'A game was picked')).not.toBeChecked()
})

test('PUSH-19: a night offers them to who is in, until they are on or declined for good on the device', async ({
  open,
  product,
}) => {
  const { others, path } = await startNight(product)
  const device = await open(others[0]!)
  const { page } = device
  const offer = page.getByRole('button', { name: 'Turn on notifications', exact: true })
  await page.goto(path)
  await expect(answer(page, 'In')).toBeVisible()
  await expect(offer).toHaveCount(0)
  await answer(page, 'In').check()
  await expect(offer).toBeVisible()
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    await expectNoSidewaysScroll(page)
  }
  await expectAccessible(page)
  expect(device.asked()).toBe(0)

  await page.getByRole('button', { name: 'Don’t offer notifications again' }).click()
  await expect(offer).toHaveCount(0)
  await page.reload()
  await expect(answer(page, 'In')).toBeChecked()
  await expect(offer).toHaveCount(0)

  const another = await open(others[0]!)
  await another.page.goto(path)
  await another.page.getByRole('button', { name: 'Turn on notifications', exact: true }).click()
  await expect(another.page.getByText('Notifications are on for this device.')).toBeVisible()
  expect(await addressesOf(product, others[0]!)).toEqual([another.subscription()!.endpoint])
  const calls = callsTo(another.page, '/push_subscriptions')
  await another.page.reload()
  await expect(answer(another.page, 'In')).toBeChecked()
  await expect.poll(() => calls).toHaveLength(1)
  await expect(another.page.getByRole('button', { name: 'Turn on notifications', exact: true })).toHaveCount(
    0,
  )
})
