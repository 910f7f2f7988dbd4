/** NIGHT-107 to NIGHT-110: game nights in calendars, links to picks, and messages to a group's webhook. */
import type { Page } from '@playwright/test'
import { openReceiver } from '../support/receiver.ts'
import { manage } from './group-page.ts'
import { openedNight, pick, startButton, startNight, startNow } from './night-page.ts'
import {
  api,
  breakCalls,
  confirm,
  copiedBy,
  dialog,
  expect,
  PHONE,
  switchTo,
  test as base,
} from './support.ts'

/** In the web of these tests there is one receiver of webhooks. */
const test = base.extend<object, { receiver: Awaited<ReturnType<typeof openReceiver>> }>({
  receiver: [
    async ({}, use) => {
      const receiver = await openReceiver()
      await use(receiver)
      await receiver.close()
    },
    { scope: 'worker' },
  ],
  web: [async ({ receiver }, use) => use(receiver.web), { scope: 'worker' }],
})

const STARTS_AT = new Date(Date.now() + 26 * 3_600_000).toISOString()

const share = (page: Page) => pick(page).getByRole('button', { name: 'Share', exact: true })

test('NIGHT-76, NIGHT-107: a pick is shared', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/409/)
  const { mira, others, path, id, groupId, as, night } = await startNight(product, {
    isIn: ['Mira', 'Theo'],
  })
  await as('Mira').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  await mira.call(api.nights.close, { id }, { by: 'votes' })
  await signInAs(mira)
  await page.setViewportSize(PHONE)
  await page.goto(path)
  await share(page).click()
  await expect(dialog(page)).toContainText('There is no link at the moment.')
  await dialog(page).getByRole('button', { name: 'Create a link' }).click()
  const link = dialog(page).getByRole('textbox', { name: 'Link' })
  await expect(link).toHaveValue(/\/share\/[\w-]{32}$/)
  await expect(page).toFitPhoneAndDesk()
  const url = await link.inputValue()
  expect(await copiedBy(dialog(page).getByRole('button', { name: 'Copy link' }))).toBe(url)
  const shared = await page.context().newPage()
  await shared.goto(url)
  await expect(shared.getByRole('heading', { name: 'Portal', exact: true })).toBeVisible()
  await expect(shared.getByRole('main')).toContainText(/ at \d\d:\d\d, \w/)
  await expect(shared.getByRole('main')).toContainText('2 are in')
  await expect(shared).toFitPhoneAndDesk()
  await expect(shared).toHaveLargeTargets()
  await shared.getByRole('link', { name: 'See what you can all play' }).click()
  await expect(shared).toHaveURL(/\/(dashboard|login)?$/)
  await shared.close()

  await dialog(page).getByRole('button', { name: 'Switch off' }).click()
  await confirm(page, 'Switch the link off?', 'Switch off').click()
  await expect(dialog(page)).toContainText('The link is switched off.')
  expect((await page.request.get(url)).status()).toBe(404)

  await mira.call(api.share.changeSettings, { id: groupId }, { shares: false })
  await dialog(page).getByRole('button', { name: 'Create a link' }).click()
  await expect(
    dialog(page).getByRole('alert').filter({ hasText: 'This group does not share its game nights.' }),
  ).toBeVisible()

  await switchTo(page, others[1]!)
  await page.goto(`/nights/${night.night_id}`)
  await share(page).click()
  await expect(dialog(page)).toContainText('People who are in can create one.')
  await expect(dialog(page).getByRole('button', { name: 'Create a link' })).toHaveCount(0)
})

test('NIGHT-108: a calendar of my nights', async ({ page, product, signInAs }) => {
  const { mira } = await startNight(product, { title: 'Portal night', startsAt: STARTS_AT })
  await signInAs(mira, '/account')
  const card = page.getByRole('region', { name: 'Game nights in your calendar' })
  const address = card.getByRole('textbox', { name: 'Address of your calendar' })
  const status = async (url: string) => (await page.request.get(url)).status()
  await expect(card).toContainText('This is switched off')
  await card.getByRole('button', { name: 'Create an address' }).click()
  await expect(address).toHaveValue(/\/calendar\/[\w-]{32}\.ics$/)
  await expect(page).toFitPhoneAndDesk()
  const first = await address.inputValue()
  expect(await (await page.request.get(first)).text()).toContain('SUMMARY:Portal night')
  expect(await copiedBy(card.getByRole('button', { name: 'Copy address' }))).toBe(first)

  await card.getByRole('button', { name: 'Renew' }).click()
  await page.keyboard.press('Escape')
  await expect(address).toHaveValue(first)
  await card.getByRole('button', { name: 'Renew' }).click()
  await confirm(page, 'Renew the address?', 'Renew').click()
  await expect(card).toContainText('This is the new address.')
  const second = await address.inputValue()
  expect([await status(first), await status(second)]).toEqual([404, 200])

  const calls = `**/api/users/${mira.steam_id}/calendar`
  await breakCalls(page, calls, 'The server is busy.')
  await card.getByRole('button', { name: 'Switch off' }).click()
  await confirm(page, 'Switch your calendar off?', 'Switch off').click()
  await expect(card.getByRole('alert').filter({ hasText: 'The server is busy.' })).toBeVisible()
  await expect(address).toHaveValue(second)
  await page.unrouteAll()
  await card.getByRole('button', { name: 'Switch off' }).click()
  await confirm(page, 'Switch your calendar off?', 'Switch off').click()
  await expect(card).toContainText('The calendar is switched off.')
  await expect(card.getByRole('button', { name: 'Create an address' })).toBeVisible()
  expect(await status(second)).toBe(404)
})

test("NIGHT-109: a group's rule and sharing", async ({ page, product, signInAs }) => {
  const { mira, others, id, groupId, as } = await startNight(product, { isIn: ['Mira', 'Theo'] })
  await as('Mira').decide(product.appidOf('Portal'))
  const { url } = await mira.call(api.share.create, { id })
  const settings = () => mira.call(api.share.settings, { id: groupId })
  await signInAs(mira, `/groups/${groupId}`)
  const forbids = manage(page).getByRole('checkbox', { name: '“Not tonight” rules a game out' })
  const shares = manage(page).getByRole('checkbox', { name: 'Picks and years may be shared by link' })

  await test.step('a change that fails is reverted', async () => {
    await expect(shares).toBeChecked()
    await expect(page).toBeAccessible()
    await breakCalls(page, `**/api/groups/${groupId}/night_settings`, 'The server is busy.')
    // It may be reverted before one could see that it was checked.
    await forbids.click()
    await expect(manage(page).getByRole('alert').filter({ hasText: 'The server is busy.' })).toBeVisible()
    await expect(forbids).not.toBeChecked()
    await page.unrouteAll()
  })

  await test.step('nights start with the rule', async () => {
    await forbids.check()
    await expect(manage(page).getByText('Saved.')).toBeVisible()
    expect(await settings()).toEqual({ not_tonight_forbids: true, shares: true })
    await startButton(page).click()
    await startNow(page).click()
    expect(await mira.call(api.nights.read, await openedNight(page))).toMatchObject({ forbids: true })
  })

  await test.step('sharing stops after a question, and links are gone', async () => {
    await page.goto(`/groups/${groupId}`)
    await shares.click()
    await page.keyboard.press('Escape')
    await expect(shares).toBeChecked()
    await shares.click()
    await confirm(page, 'Stop sharing picks and years?', 'Stop sharing').click()
    await expect(shares).not.toBeChecked()
    await expect(manage(page).getByText('Saved.')).toBeVisible()
    expect(await settings()).toEqual({ not_tonight_forbids: true, shares: false })
    expect((await page.request.get(url)).status()).toBe(404)
  })

  await test.step('other members see none of it', async () => {
    await switchTo(page, others[0]!)
    await page.goto(`/groups/${groupId}`)
    await expect(page.getByRole('region', { name: 'Game nights', exact: true })).toBeVisible()
    await expect(shares).toHaveCount(0)
  })
})

test('NIGHT-110: the webhook of a group', async ({ page, product, receiver, signInAs, expectedErrors }) => {
  expectedErrors.push(/400/)
  const { mira, groupId } = await startNight(product)
  receiver.respond(() => ({ status: 204 }))
  receiver.received.length = 0
  await signInAs(mira)
  await page.setViewportSize(PHONE)
  await page.goto(`/groups/${groupId}`)
  await manage(page).getByRole('button', { name: 'Set up messages' }).click()
  const form = page.getByRole('dialog', { name: 'Messages about game nights' })
  const url = form.getByRole('textbox', { name: 'Webhook URL' })
  const save = form.getByRole('button', { name: 'Save webhook' })
  const state = form.getByRole('group', { name: 'State' })
  const sendTest = form.getByRole('button', { name: 'Send a test' })

  await test.step('none is set; an address that is refused stays, with the reason', async () => {
    await expect(form.getByText('No webhook is set.')).toBeVisible()
    await save.click()
    await expect(form.getByRole('alert').filter({ hasText: 'Enter a webhook URL.' })).toBeVisible()
    await url.fill('http://hooks.test/')
    await save.click()
    await expect(
      form.getByRole('alert').filter({ hasText: 'The webhook URL must be an https URL.' }),
    ).toBeVisible()
    await expect(url).toHaveValue('http://hooks.test/')
    await url.fill('')
    await save.click()
    await expect(form.getByRole('alert').filter({ hasText: /./ })).toHaveText(['Enter a webhook URL.'])
  })

  await test.step('the address of a chat chooses its format', async () => {
    for (const [address, format] of [
      ['https://discord.com/api/webhooks/1/x', 'Discord'],
      ['https://example.org/hooks/mine', 'Discord'],
    ] as const) {
      await url.fill(address)
      await expect(form.getByRole('radio', { name: format })).toBeChecked()
    }
  })

  await test.step('JSON has a secret to copy', async () => {
    await form.getByText('JSON', { exact: true }).click()
    await url.fill(receiver.url)
    await form.getByRole('checkbox', { name: 'Once a week, also what happened' }).check()
    await save.click()
    await expect(form.getByText('Webhook saved.')).toBeVisible()
    expect((await mira.call(api.webhooks.read, { id: groupId }))!.weekly).toBe(true)
    await expect(form.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
    await expect(form.getByRole('button', { name: 'Copy secret' })).toBeVisible()
    await expect(state).toHaveText('No message has been sent yet.')
    await expect(page).toFitPhoneAndDesk()
  })

  await test.step('a test is sent, and a failure is shown', async () => {
    await sendTest.click()
    await expect(state).toContainText('The last message was accepted', { timeout: 15_000 })
    expect(receiver.bodies()).toEqual([expect.objectContaining({ event: 'test' })])
    receiver.respond(() => ({ status: 400 }))
    await sendTest.click()
    await expect(state).toContainText('The address responded with 400.', { timeout: 15_000 })
  })

  await test.step('Discord has no secret; the webhook is removed after a question', async () => {
    await form.getByText('Discord', { exact: true }).click()
    await save.click()
    await expect(form.getByRole('textbox', { name: 'Secret' })).toHaveCount(0)
    await form.getByRole('button', { name: 'Remove webhook' }).click()
    await confirm(page, 'Remove the webhook?', 'Remove webhook').click()
    await expect(sendTest).toHaveCount(0)
    // Behind the dialog the button is hidden before the webhook is removed.
    await expect.poll(() => mira.call(api.webhooks.read, { id: groupId })).toBeNull()
  })
})
