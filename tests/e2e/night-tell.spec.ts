/** NIGHT-111, NIGHT-149, NIGHT-150 and MEMORY-6 to MEMORY-8: telling and asking others, and playing again. */
import type { Page } from '@playwright/test'
import { friendsWithGames, inNight, startInGroup } from '../support/nights.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { answer, bar, movedTo, openedNight, part, startButton, startNight, unfold } from './night-page.ts'
import { api, copiedBy, DESK, dialog, expect, PHONE, test } from './support.ts'

const DAY = 86_400_000
const iso = (at: number) => new Date(at).toISOString()
const message = (page: Page) => dialog(page).getByRole('textbox', { name: 'Message for your chat' })
const card = (page: Page) => page.getByRole('region', { name: 'Played before' })

/** A night that was held so many days ago: these came, and the first game was picked. */
async function held(product: Product, host: TestPlayer, came: TestPlayer[], body: object, daysAgo: number) {
  const night = await host.call(api.nights.start, {}, body)
  for (const one of came) await inNight(night, one).answer('in')
  const [game] = (await inNight(night, host).read()).shortlist
  await inNight(night, host).decide(game!.appid)
  await movedTo(product, night.night_id, Date.now() - daysAgo * DAY)
  return { id: night.night_id, game: game!.name }
}

test('NIGHT-81, NIGHT-149: a night opens with its message', async ({ page, product, signInAs }) => {
  const { host, others, groupId } = await friendsWithGames(product, 3)
  await signInAs(host, `/groups/${groupId}`)
  await startButton(page).focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('radio', { name: 'At a time' }).focus()
  await page.keyboard.press('Space')
  await dialog(page).getByRole('textbox', { name: 'Title (optional)' }).fill('Portal marathon')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Tell the others' })).toBeVisible()
  await expect(message(page)).toHaveValue(
    /^Portal marathon: .+ at 20:30 \(.+\)\nAre you in\? http.*\/join\/\S+$/,
  )
  await expect(message(page)).toHaveJSProperty('readOnly', true)
  const url = await dialog(page).getByRole('textbox', { name: 'Link' }).inputValue()
  expect(await message(page).inputValue()).toContain(url)
  await expect(page).toFitPhoneAndDesk()
  await message(page).focus()
  for (const name of ['Copy message', 'Copy for Discord', 'Copy link']) {
    const button = dialog(page).getByRole('button', { name })
    while (!(await button.evaluate((one) => one === document.activeElement))) await page.keyboard.press('Tab')
  }
  expect(await copiedBy(dialog(page).getByRole('button', { name: 'Copy message' }))).toBe(
    await message(page).inputValue(),
  )
  const { id } = await openedNight(page)
  expect((await host.call(api.invites.ofNight, { id }))!.url).toBe(url)
  await expect(dialog(page)).toHaveCount(0)
  // Until one of them has answered it is the first action of the bar.
  const tell = bar(page).getByRole('button', { name: 'Tell the others' })
  await expect(tell).toHaveClass(/bg-mint/)
  await expect(part(page, 'Not answered')).toContainText('Told on Shelfmates only')
  await inNight({ night_id: id }, others[0]!).answer('in')
  await expect(tell).toHaveCount(0)
})

test('NIGHT-150: the message again, selected without a clipboard', async ({ page, product, signInAs }) => {
  const { mira, path } = await startNight(product, {
    title: 'Raid',
    startsAt: iso(Date.now() + 2 * DAY),
  })
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await signInAs(mira, path)
  await page.getByRole('button', { name: 'Tell the others' }).click()
  await expect(message(page)).toHaveValue(/^Raid: .*\nAre you in\? http.*\/join\/\S+$/)
  const selected = () =>
    message(page).evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    )
  for (const [name, form] of [
    ['Copy for Discord', /^Raid: <t:\d+:F>\n/],
    ['Copy message', /^Raid: \w+ \d+ \w+ at /],
  ] as const) {
    await dialog(page).getByRole('button', { name }).click()
    await expect(dialog(page).getByText(/^Selected: copy it with/)).toBeVisible()
    await expect(message(page)).toBeFocused()
    expect(await selected()).toMatch(form)
    expect(await selected()).toBe(await message(page).inputValue())
  }
  await expect(page).toFitPhoneAndDesk()
  const now = await mira.call(api.nights.start, {}, { steam_ids: [] })
  await page.goto(`/nights/${now.night_id}`)
  await page.getByRole('button', { name: 'Tell the others' }).click()
  await expect(message(page)).toHaveValue(/^Game night: we start now\.\nAre you in\? http.*\/join\/\S+$/)
})

test('MEMORY-6: a night’s page says when its people last played', async ({ page, product, signInAs }) => {
  const { host, others, groupId } = await friendsWithGames(product, 3)
  const [ada] = others as [TestPlayer, TestPlayer]
  const night = await startInGroup(host, groupId, { starts_at: iso(Date.now() + DAY) })
  await signInAs(host)
  const read = page.waitForResponse('**/history')
  await page.goto(`/nights/${night.night_id}`)
  await read
  await expect(page.getByRole('heading', { name: 'Are you in?' })).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  const before = await held(product, host, [ada], { group_id: groupId }, 10)
  await page.reload()
  await expect(card(page)).toContainText(/Last played on \w+ \d+ \w+: /)
  await expect(card(page)).toContainText(before.game)
  await page.setViewportSize(PHONE)
  await expect(page).toBeAccessible()
})

for (const size of [PHONE, DESK])
  test(`MEMORY-8: a night is planned again, at ${size.width} px`, async ({ page, product, signInAs }) => {
    const { host, others, groupId } = await friendsWithGames(product, 3)
    const [ada, ben] = others as [TestPlayer, TestPlayer]
    const body = { group_id: groupId, except: [ben.steam_id], title: 'Portal marathon' }
    const past = await held(product, host, [ada], body, 3)
    await page.setViewportSize(size)
    await signInAs(host, `/nights/${past.id}`)
    const before = await host.call(api.nights.read, { id: past.id })
    await unfold(page, 'More')
    await page.getByRole('button', { name: 'Again next week' }).click()
    await expect(dialog(page)).toContainText('1 member is not asked.')
    await expect(dialog(page).getByRole('textbox', { name: 'Title (optional)' })).toHaveValue(
      'Portal marathon',
    )
    const at = Date.parse(before.starts_at) + 7 * DAY
    await expect(dialog(page).getByLabel('Date and time')).toHaveValue(iso(at).slice(0, 16))
    await expect(page).toBeAccessible()
    await dialog(page).getByRole('button', { name: 'Plan this night' }).click()
    await expect(page).not.toHaveURL(`/nights/${past.id}`)
    const night = await host.call(api.nights.read, await openedNight(page))
    expect(night).toMatchObject({ title: 'Portal marathon', group: { group_id: groupId }, planned: true })
    expect(night.starts_at.slice(0, 16)).toBe(iso(at).slice(0, 16))
    expect(night.people.map(({ steam_id }) => steam_id).toSorted()).toEqual(
      [host.steam_id, ada.steam_id].toSorted(),
    )
  })

const askMore = (page: Page) => page.getByRole('button', { name: 'Ask more people' })
const search = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search friends to ask' })
const options = (page: Page) =>
  dialog(page).getByRole('listbox', { name: 'Friends who can be asked' }).getByRole('option')
const ask = (page: Page) => dialog(page).getByRole('button', { name: /^Ask( \d|$)/ })
const chips = (page: Page) => dialog(page).getByRole('list', { name: 'Chosen friends' }).getByRole('button')

/** A night of the host and Player 1, whose host has three friends more. */
async function nightOfTwo(product: Product) {
  const { host, others } = await friendsWithGames(product, 5)
  const night = await host.call(api.nights.start, {}, { steam_ids: [others[0]!.steam_id] })
  return { host, others: others as [TestPlayer, TestPlayer], night, path: `/nights/${night.night_id}` }
}

/** On phones people are folded. */
async function unfoldPeople(page: Page): Promise<void> {
  await expect(answer(page, 'In')).toBeVisible()
  const everyone = page.getByRole('button', { name: 'Everyone' })
  if (await everyone.isVisible()) await everyone.click()
}

for (const size of [PHONE, DESK])
  test(`NIGHT-111: at ${size.width} px more are asked, by keys`, async ({ page, product, signInAs }) => {
    const { host, night, path } = await nightOfTwo(product)
    await signInAs(host)
    await page.setViewportSize(size)
    await page.goto(path)
    await unfoldPeople(page)
    await askMore(page).focus()
    await page.keyboard.press('Enter')
    await expect(search(page)).toBeFocused()
    // Who is in the night is not among those who can be asked.
    await expect(options(page)).toHaveCount(3)
    await expect(options(page).filter({ hasText: 'Player 1' })).toHaveCount(0)
    await expect(ask(page)).toBeDisabled()
    await expect(dialog(page)).toContainText('Choose at least one friend.')
    await expect(page).toBeAccessible()
    await expect(page).toHaveLargeTargets()

    await page.keyboard.type('Player 3')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Player 4')
    await page.keyboard.press('Enter')
    await expect(chips(page)).toHaveCount(2)
    await page.keyboard.press('Backspace')
    await expect(chips(page)).toHaveCount(1)
    await page.keyboard.press('Tab')
    await expect(ask(page)).toBeFocused()
    await expect(ask(page)).toHaveText('Ask 1 person')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(askMore(page)).toBeFocused()
    await expect(part(page, 'Not answered').getByRole('listitem')).toHaveText([/Player 1/, /Player 3/])
    expect((await inNight(night, host).read()).people).toHaveLength(3)
  })
