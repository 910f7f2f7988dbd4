/** PUSH-13 to PUSH-16, PUSH-20: what reaches a device, whose it is, and what a press opens. */
import { nightsContract } from '#shared/contract/nights.ts'
import { stored } from './account-page.ts'
import { land } from './newcomers.ts'
import { answer, startNight } from './night-page.ts'
import { openedBy, press, shownOn } from './push-device.ts'
import { addressesOf, isOff, isOn, test, turnOff, turnOn } from './push-page.ts'
import { expect } from './support.ts'

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
  await mira.call(nightsContract.start, {}, { steam_ids: [theo.steam_id], title: 'For Theo' })
  await mira.call(nightsContract.start, {}, { steam_ids: [ada.steam_id], title: 'For Ada' })
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
