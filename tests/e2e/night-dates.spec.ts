/** DATE-14 to DATE-20: finding the date of a game night. */
import type { Page } from '@playwright/test'
import type { DateAnswer } from '#shared/nights/dates.ts'
import { findingDate } from '../support/dates.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { writeRows } from '../support/rows.ts'
import { answer, openedNight, part, startButton, startNight, status } from './night-page.ts'
import { api, confirm, dialog, expect, openElsewhere, PHONE, test } from './support.ts'

const DAY = 86_400_000
/**
 * At 18:00 in UTC, so many days ahead: on that day in every zone of these tests. With 3 to 5 days it is called by its weekday
 * also where today is another day than in UTC.
 */
const evening = (days: number) => Math.floor(Date.now() / DAY) * DAY + days * DAY + 18 * 3_600_000
const [SOON, LATER, LAST] = [evening(3), evening(4), evening(5)]
const isoOf = (at: number) => new Date(at).toISOString()

/** What a card is called in a zone: 'Friday at 20:00'. */
const whenIn = (at: number, timeZone: string) => {
  const text = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at)
  return `${text({ weekday: 'long' })} at ${text({ hour: '2-digit', minute: '2-digit' })}`
}
const card = (page: Page, at: number, zone = 'UTC') =>
  page.getByRole('article', { name: whenIn(at, zone), exact: true })
const cards = (page: Page) => page.getByRole('list', { name: 'When can you play?' }).getByRole('article')
const choice = (page: Page, at: number, name: 'Yes' | 'If need be' | 'No', zone = 'UTC') =>
  card(page, at, zone).getByRole('radio', { name, exact: true })

/** A night of Mira, Theo and Ada with three times. */
const startDating = (product: Product, rest: object = {}) =>
  startNight(product, { times: [SOON, LATER, LAST].map(isoOf), title: 'Raid', ...rest })
type Started = Awaited<ReturnType<typeof startDating>>
const mark = ({ night }: Started, player: TestPlayer, ...answers: (readonly [number, DateAnswer])[]) =>
  findingDate(night, player).mark(...answers)

test('DATE-14: times are proposed with a deadline, on a phone', async ({ page, product, enter }) => {
  const host = await enter({ name: 'Mira', games: { Portal: 60 } })
  const { group_id } = await product.group({ owner: host })
  await page.setViewportSize(PHONE)
  await page.goto(`/groups/${group_id}`)
  await startButton(page).click()
  await dialog(page).getByRole('radio', { name: 'Find a date' }).check()
  const submit = dialog(page).getByRole('button', { name: 'Ask for a date' })
  await expect(submit).toBeDisabled()
  await expect(dialog(page)).toContainText('Your time zone, Coordinated Universal Time')
  const weekend = dialog(page).getByRole('group', { name: 'Next weekend' }).getByRole('checkbox')
  await expect(weekend).toHaveCount(3)
  await weekend.nth(2).check()
  await weekend.nth(0).check()
  await expect(dialog(page)).toContainText('2 of 12 times')
  const other = dialog(page).getByLabel('Another day or time')
  const add = dialog(page).getByRole('button', { name: 'Add this time' })
  await other.fill('2020-01-01T20:00')
  await add.click()
  await expect(dialog(page)).toContainText('Choose a time from now to a year ahead.')
  await other.fill(isoOf(SOON).slice(0, 16))
  await add.click()
  await add.click()
  await expect(dialog(page)).toContainText('This time is proposed already.')
  const list = dialog(page).getByRole('list', { name: 'Proposed times' }).getByRole('listitem')
  await expect(list).toHaveCount(3)
  // A line each: buttons of a dialog have their own size, wherever it was opened.
  expect((await list.first().boundingBox())!.height).toBeLessThan(50)
  await weekend.nth(1).check()
  await list
    .last()
    .getByRole('button', { name: /^Remove / })
    .click()
  await expect(weekend.nth(2)).not.toBeChecked()
  const deadline = dialog(page).getByLabel('Deadline (optional)')
  await deadline.fill('2020-01-01T20:00')
  await expect(submit).toBeDisabled()
  await deadline.fill(isoOf(SOON - 3_600_000).slice(0, 16))
  await expect(page).toBeAccessible()
  await submit.click()
  // NIGHT-150: each time on a line, and the address.
  await expect(page.getByRole('dialog', { name: 'Tell the others' })).toBeVisible()
  const message = dialog(page).getByRole('textbox', { name: 'Message for your chat' })
  await expect(message).toHaveValue(
    /^Game night: which suit you\? \(Coordinated Universal Time\)(\n- \w+ \d+ \w+ at \d\d:00){3}\nhttp.*\/join\/\S+$/,
  )
  await expect(page).toBeAccessible()
  const night = await host.call(api.nights.read, await openedNight(page))
  expect(night).toMatchObject({ status: 'dating', close_times_at: isoOf(SOON - 3_600_000) })
  expect(night.times).toHaveLength(3)
  const hours = new Set(night.times.map(({ starts_at }) => new Date(starts_at).getUTCHours()))
  expect(hours).toEqual(new Set([18, 20]))
  await expect(cards(page)).toHaveCount(3)
  await expect(page.getByText('The best time is taken')).toBeVisible()
})

test('DATE-15, DATE-16, DATE-19: two zones find a date, live', async ({ browser, product }) => {
  const started = await startDating(product)
  const [theo, ada] = started.others
  await mark(started, ada!, [LAST, 'no'], [SOON, 'maybe'])
  const [berlin, newYork] = ['Europe/Berlin', 'America/New_York']
  const mira = await openElsewhere(browser, product, started.mira, { timezoneId: berlin })
  const phone = { timezoneId: newYork, viewport: PHONE, hasTouch: true, isMobile: true }
  const onPhone = await openElsewhere(browser, product, theo!, phone)
  await mira.goto(started.path)
  await onPhone.goto(started.path)
  await expect(mira.getByText('Your time zone, Central European')).toHaveCount(1)
  await expect(onPhone.getByText('Your time zone, Eastern')).toHaveCount(1)
  // The best first.
  await expect(cards(mira)).toHaveCount(3)
  await expect(cards(mira).first()).toHaveAccessibleName(whenIn(SOON, berlin))
  await expect(card(mira, SOON, berlin)).toContainText('Not answered 2')
  await expect(onPhone.getByText('0 of 3 answered')).toBeVisible()

  await choice(onPhone, LATER, 'Yes', newYork).tap()
  await expect(card(mira, LATER, berlin)).toContainText('Can 1')
  await expect(card(mira, LATER, berlin)).toContainText('Theo')
  await expect(status(mira)).toHaveText('Theo has answered the times')
  await choice(onPhone, SOON, 'No', newYork).tap()
  await choice(onPhone, LAST, 'If need be', newYork).tap()
  await expect(mira.getByText('1 of 3 answered')).toBeVisible()
  await expect(onPhone).toHaveLargeTargets()
  await expect(onPhone).toBeAccessible()
  await expect(onPhone.getByRole('button', { name: 'Take this time' })).toHaveCount(0)

  await choice(mira, LATER, 'Yes', berlin).check()
  await card(mira, LATER, berlin).getByRole('button', { name: 'Take this time' }).click()
  await confirm(mira, `Take ${whenIn(LATER, berlin)}?`, 'Take this time').click()
  for (const [page, zone] of [
    [mira, berlin],
    [onPhone, newYork],
  ] as const) {
    await expect(answer(page, 'In')).toBeChecked()
    await expect(page.locator('header time')).toHaveText(whenIn(LATER, zone))
    await expect(cards(page)).toHaveCount(0)
  }
  await expect(status(onPhone)).toHaveText(`The date was found: ${whenIn(LATER, newYork)}`)
  const night = await started.mira.call(api.nights.read, { id: started.id })
  expect(night).toMatchObject({ status: 'open', planned: true, starts_at: isoOf(LATER) })
  for (const page of [mira, onPhone]) await page.context().close()
})

test('DATE-16, DATE-17: by keys; the order stays; none of them', async ({ page, product, signInAs }) => {
  const started = await startDating(product)
  const [theo, ada] = started.others
  await signInAs(theo!, started.path)
  await choice(page, SOON, 'Yes').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(choice(page, SOON, 'No')).toBeChecked()
  const times = async () => (await started.mira.call(api.nights.read, { id: started.id })).times
  await expect
    .poll(async () => (await times()).find(({ starts_at }) => starts_at === isoOf(SOON))!.answers)
    .toEqual({ [theo!.steam_id]: 'no' })

  // Others' answers change the best, but nothing moves until it is asked for.
  const order = () => cards(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  const before = await order()
  expect(before).toEqual([SOON, LATER, LAST].map((at) => whenIn(at, 'UTC')))
  await mark(started, ada!, [LAST, 'yes'])
  await expect(card(page, LAST)).toContainText('Best so far')
  expect(await order()).toEqual(before)
  await page.getByRole('button', { name: 'Show the new order' }).click()
  await expect(cards(page).first()).toHaveAccessibleName(whenIn(LAST, 'UTC'))
  await expect(page.getByRole('button', { name: 'Show the new order' })).toHaveCount(0)

  await page.getByRole('button', { name: 'None of them' }).click()
  await confirm(page, 'Can you come at none of these times?', 'None of them').click()
  await expect(page.getByText('You said that you can come at none of them.')).toBeVisible()
  await expect(part(page, 'Out')).toContainText('Theo')
  await choice(page, LAST, 'If need be').check()
  await expect(page.getByText('You said that you can come at none of them.')).toHaveCount(0)
  await expect(card(page, LAST)).toContainText('If need be 1')
  await expect(page).toFitPhoneAndDesk()
})

test('DATE-7, DATE-16: a refusal; nobody can come', async ({ page, product, signInAs }) => {
  const started = await startDating(product)
  await writeRows(product.database, (tx) =>
    tx
      .updateTable('night_dates')
      .set({ close_at: Date.now() - 60_000 })
      .where('night_id', '=', started.id)
      .execute(),
  )
  await started.mira.call(api.nights.change, { id: started.id }, { title: 'Raid night' })
  await signInAs(started.mira, started.path)
  await expect(page.getByText('Take a time, or cancel the night.')).toBeVisible()
  await page.route('**/api/nights/*/times', (route) =>
    route.fulfill({ status: 409, json: { error: 'This time has passed.', code: 'time_has_passed' } }),
  )
  await choice(page, SOON, 'Yes').click()
  await expect(page.getByRole('alert').filter({ hasText: 'This time has passed.' })).toBeVisible()
  await expect(choice(page, SOON, 'Yes')).not.toBeChecked()
})

test("DATE-20, DATE-10: how far it is, and an open date's link", async ({ page, product, signInAs }) => {
  const started = await startDating(product)
  const [theo, ada] = started.others
  await mark(started, ada!, [SOON, 'no'], [LATER, 'yes'], [LAST, 'no'])
  await signInAs(theo!)
  const row = page.getByRole('link', { name: /Raid/ })
  for (const path of ['/dashboard', '/nights', `/groups/${started.groupId}`]) {
    await page.goto(path)
    await expect(row).toContainText('Finding a date · 1 of 3 answered')
    await expect(row).toContainText('needs your answer')
  }
  await mark(started, theo!, [SOON, 'no'], [LATER, 'maybe'], [LAST, 'no'])
  await expect(row).toContainText('Finding a date · 2 of 3 answered')
  await expect(row).not.toContainText('needs your answer')

  const { token } = await started.mira.call(api.invites.renewOfNight, { id: started.id })
  await page.goto(`/join/${token}`)
  await expect(page.getByText('Several dates are proposed. Join, and say when you can.')).toBeVisible()
  await expect(page).toFitPhoneAndDesk()
  await page.getByRole('button', { name: 'Join Raid' }).click()
  await expect(cards(page)).toHaveCount(3)
})
