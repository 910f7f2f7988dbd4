/** PUSH-17 to PUSH-19, PUSH-7: turning notifications on and off, and choosing what they tell. */
import type { Page } from '@playwright/test'
import { privacyContract } from '#shared/contract/privacy.ts'
import { stored } from './account-page.ts'
import { answer, startNight } from './night-page.ts'
import { openDevice } from './push-device.ts'
import { addressesOf, card, INSECURE, isOff, isOn, test, turnOff, turnOn } from './push-page.ts'
import {
  callsTo,
  DESK,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  PHONE,
} from './support.ts'

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

test('PUSH-7: each kind can be switched off, and names be left out', async ({ theo, open }) => {
  const { page } = await open(theo)
  const saved = async () =>
    (await theo.call(privacyContract.settings, { steamId: theo.steam_id })).notifications
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
