/** PUSH-7, PUSH-13 to PUSH-20: what reaches a device, whose it is, what a press opens, and turning it on and off. */
import type { Page } from '@playwright/test'
import { land } from './newcomers.ts'
import { answer, startNight } from './night-page.ts'
import { openDevice, openedBy, press, shownOn } from './push-device.ts'
import { addressesOf, card, INSECURE, isOff, isOn, test, turnOff, turnOn } from './push-page.ts'
import { api, callsTo, DESK, expect, PHONE, stored } from './support.ts'

/** Of every notification. */
const PICTURES = ['/icon-192.png', '/badge-96.png']

const message = (night: number) => ({
  title: 'Friday',
  body: 'Mira asks you to a game night',
  path: `/nights/${night}`,
  tag: `night-${night}`,
})

test('PUSH-13: shown, one for each night; a press opens it', async ({ openNotified, product }) => {
  const { others, id } = await startNight(product)
  const device = await openNotified(others[0]!)
  const { page, context } = device

  await device.deliver(message(id))
  await device.deliver({ ...message(id), body: 'The vote is on' })
  await device.deliver(message(id + 1))
  await expect
    .poll(() => shownOn(device))
    .toContainEqual({
      title: 'Friday',
      body: 'The vote is on',
      tag: `night-${id}`,
      pictures: PICTURES.map((path) => `${product.url}${path}`),
      data: `/nights/${id}`,
    })
  await expect.poll(() => shownOn(device)).toHaveLength(2)
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

  // Never in a window that shows something else, where a form may be half filled in.
  const before = page.url()
  await press(device)
  await expect.poll(() => openedBy(device)).toEqual([`${product.url}/nights/${id}`])
  expect(page.url()).toBe(before)
  await page.goto(`/nights/${id}`)
  await expect(answer(page, 'In')).toBeVisible()

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
  expect(await openedBy(device)).toEqual([])

  // A push service may drop the content: the worker still shows something, and leads to the nights.
  await (
    await device.worker()
  ).evaluate(() => {
    const scope = globalThis as unknown as { PushEvent: new (type: string) => Event } & EventTarget
    scope.dispatchEvent(new scope.PushEvent('push'))
  })
  await expect.poll(() => shownOn(device)).toMatchObject([{ title: 'Shelfmates' }])
  await press(device)
  await expect.poll(() => openedBy(device)).toEqual([`${product.url}/nights`])
})

test('PUSH-13: no other site is opened, whatever a message says', async ({ openNotified, product }) => {
  const device = await openNotified(await product.player())
  for (const path of ['https://elsewhere.test/', '//elsewhere.test/nights/1', 'javascript:alert(1)']) {
    await device.deliver({ ...message(1), path })
    await expect.poll(() => shownOn(device)).toHaveLength(1)
    await press(device)
    expect(await openedBy(device)).toEqual([])
  }
  await device.deliver({ ...message(1), path: '/groups' })
  await expect.poll(() => shownOn(device)).toHaveLength(1)
  await press(device)
  await expect.poll(() => openedBy(device)).toEqual([`${product.url}/groups`])
})

test('PUSH-20: logging out ends them on the device', async ({ theo, openNotified, product }) => {
  const ada = await product.player({ name: 'Ada' })
  const device = await openNotified(theo)
  const { page } = device
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
  await mira.call(api.nights.start, {}, { steam_ids: [theo.steam_id], title: 'For Theo' })
  await mira.call(api.nights.start, {}, { steam_ids: [ada.steam_id], title: 'For Ada' })
  await expect.poll(() => device.received()).toHaveLength(1)
  expect(JSON.stringify(device.received())).toContain('For Ada')
})

test('PUSH-20: signing in over another user ends theirs', async ({ theo, openNotified, product }) => {
  const ada = await product.player({ name: 'Ada' })
  const device = await openNotified(theo)
  const { page } = device

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

test('PUSH-16: a visit renews what the server has lost', async ({ theo, openNotified, product }) => {
  const device = await openNotified(theo)
  const { page } = device
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

test('PUSH-16: the server learns of a new subscription', async ({ theo, openNotified, product }) => {
  const device = await openNotified(theo)
  device.replace()
  const worker = await device.worker()
  await worker.evaluate(() => {
    const scope = globalThis as unknown as EventTarget & { PushSubscriptionChangeEvent: typeof Event }
    scope.dispatchEvent(new scope.PushSubscriptionChangeEvent('pushsubscriptionchange'))
  })
  await expect.poll(() => addressesOf(product, theo)).toContain(device.subscription()!.endpoint)
})

const kind = (page: Page, name: string) => card(page).getByRole('checkbox', { name })

test('PUSH-17: on by a press, which alone makes the browser ask', async ({ theo, open, product }) => {
  const device = await open(theo)
  const { page } = device
  await device.permit('prompt')
  await page.goto('/account')
  await expect(isOff(page)).toBeVisible()
  await expect(turnOn(page)).toBeEnabled()
  expect(device.asked()).toBe(0)
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    await expect(page).toFitItsWidth()
    await expect(page).toHaveLargeTargets()
  }
  await expect(page).toBeAccessible()

  await turnOn(page).focus()
  await page.keyboard.press('Enter')
  await expect(isOn(page)).toBeVisible()
  await expect(card(page).getByText('Notifications are on for this device.')).toBeVisible()
  await expect(turnOff(page)).toBeFocused()
  await expect(page).toBeAccessible()
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

test('PUSH-17: Account says why they cannot be on', async ({ theo, open, product, service }) => {
  const device = await open(theo)
  const { page, context } = device
  await page.goto('/account')
  await expect(isOff(page)).toBeVisible()

  // The browser says so while the page is open.
  await device.permit('denied')
  await expect(
    card(page).getByText(/^Your browser blocks notifications from this site\. To allow them/),
  ).toBeVisible()
  await expect(card(page).getByRole('button')).toHaveCount(0)
  await expect(page).toBeAccessible()
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

test('PUSH-7: each kind can be switched off, and names be left out', async ({ theo, open }) => {
  const { page } = await open(theo)
  const saved = async () => (await theo.call(api.privacy.settings, theo.user)).notifications
  await page.goto('/account')
  for (const name of [
    'You are asked to a game night',
    'A night was moved or cancelled',
    'A vote is on and you have not voted',
    'A game was picked',
    'A night starts tomorrow or in 30 minutes',
  ])
    await expect(kind(page, name)).toBeChecked()
  await expect(kind(page, 'Discreet: no names or games on the lock screen')).not.toBeChecked()

  // However quick, none is lost.
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

test('PUSH-19: a night offers them to who is in, until declined', async ({ open, product }) => {
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
    await expect(page).toFitItsWidth()
  }
  await expect(page).toBeAccessible()
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
