/** NIGHT-92 to NIGHT-95 and NIGHT-102 to NIGHT-105: starting a game night, and where nights are shown. */
import type { Page } from '@playwright/test'
import type { Night } from '#shared/nights/entities.ts'
import { friendsWithGames, inNight, startInGroup } from '../support/nights.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import { movedTo, openedNight, pickName, startButton, startNow } from './night-page.ts'
import { api, breakCalls, copiedBy, DESK, dialog, expect, hold, PHONE, switchTo, test } from './support.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Game night', exact: true })
const groupNights = (page: Page) => page.getByRole('region', { name: 'Game nights', exact: true })
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A group of three whose host has started no night yet. */
const crew = (product: Product) => friendsWithGames(product, 3)

/** Everyone is in, and the vote of the host alone decides; returns the game. */
async function decide(night: Night, host: TestPlayer, others: TestPlayer[]) {
  for (const one of [host, ...others]) await inNight(night, one).answer('in')
  const [game] = (await inNight(night, host).read()).shortlist
  await inNight(night, host).decide(game!.appid)
  return game!
}

test('NIGHT-92: a group’s night in two presses', async ({ page, product, signInAs }) => {
  const { host, groupId } = await crew(product)
  await signInAs(host)
  await page.setViewportSize(PHONE)
  await page.goto(`/groups/${groupId}`)
  await startButton(page).click()
  await expect(dialog(page)).toContainText('Everyone in Friday is asked.')
  await expect(page).toFitPhoneAndDesk()
  await startNow(page).click()
  const night = await host.call(api.nights.read, await openedNight(page))
  expect(night).toMatchObject({ group: { group_id: groupId }, planned: false, title: null, forbids: false })
  expect(night.people).toHaveLength(3)
})

test('NIGHT-92: with friends one chooses, by keys alone', async ({ page, product, signInAs }) => {
  const { host, others } = await crew(product)
  await signInAs(host, '/friends')
  await startButton(page).focus()
  await page.keyboard.press('Enter')
  const search = dialog(page).getByRole('combobox', { name: 'Search friends to ask' })
  await expect(search).toBeFocused()
  await expect(dialog(page)).toContainText('Nobody chosen: the night opens with a link to send.')
  await page.keyboard.type('Player 2')
  await page.keyboard.press('Enter')
  await expect(startNow(page)).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('radio', { name: 'Now' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('  Two of us  ')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const night = await host.call(api.nights.read, await openedNight(page))
  expect(night).toMatchObject({ group: null, title: 'Two of us' })
  expect(night.people.map(({ steam_id }) => steam_id).sort()).toEqual(
    [host.steam_id, others[1]!.steam_id].sort(),
  )
})

test('NIGHT-92, NIGHT-1: from the dashboard, and by link alone', async ({ page, product, signInAs }) => {
  const { host } = await crew(product)
  await signInAs(host, '/dashboard')
  await card(page).getByRole('button', { name: 'Start a game night' }).click()
  const who = dialog(page).getByRole('combobox', { name: 'Who is asked?' })
  await expect(who.getByRole('option')).toHaveText(['Friday', 'Friends I choose'])
  await who.selectOption('Friends I choose')
  await expect(dialog(page)).toContainText('Nobody chosen')
  await who.selectOption('Friday')
  await startNow(page).click()
  await openedNight(page)

  // Away from the night, which the next person may not read.
  await page.goto('/privacy')
  await switchTo(page, await product.player({ name: 'Alone' }))
  await page.goto('/dashboard')
  await card(page).getByRole('button', { name: 'Start a game night' }).click()
  await expect(dialog(page).getByRole('link', { name: 'Go to Friends' })).toBeVisible()
  await expect(dialog(page)).toContainText('No friends to choose from.')
  await expect(dialog(page)).toContainText('Nobody chosen: the night opens with a link to send.')
  await expect(page).toBeAccessible()
  await startNow(page).click()
  // NIGHT-1, NIGHT-149: the night opens with its link, once.
  const tell = page.getByRole('dialog', { name: 'Tell the others' })
  await expect(tell.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await openedNight(page)
  await expect(tell).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Tell the others' })).toBeVisible()
  await expect(tell).toBeHidden()
})

test('NIGHT-92: which group is proposed; nothing moves', async ({ page, product, signInAs }) => {
  const { host, others, groupId } = await crew(product)
  const shifts = await observeShifts(page)
  await product.group({ owner: host, members: others.slice(0, 1), name: 'Newer' })
  await signInAs(host)
  const who = dialog(page).getByRole('combobox', { name: 'Who is asked?' })
  const openDialog = async () => {
    await page.goto('/dashboard')
    await card(page).getByRole('button', { name: 'Start a game night' }).click()
  }
  await openDialog()
  await expect(who).toHaveValue(`g${groupId}`)
  const newest = await product.group({ owner: host, members: [], name: 'Newest' })
  await startInGroup(host, newest.group_id, { starts_at: hoursAhead(3) })
  await openDialog()
  await expect(who).toHaveValue(`g${newest.group_id}`)

  await who.selectOption('Friends I choose')
  const list = dialog(page).getByRole('listbox', { name: 'Friends who can be asked' })
  await expect(list.getByRole('option')).not.toHaveCount(0)
  const { height } = (await list.boundingBox())!
  const before = (await shifts()).length
  const search = dialog(page).getByRole('combobox', { name: 'Search friends to ask' })
  await search.fill('Player 2')
  await expect(list.getByRole('option')).toHaveCount(1)
  expect((await list.boundingBox())!.height).toBe(height)
  await search.fill('nobody')
  await expect(list.getByRole('option')).toHaveCount(0)
  expect((await list.boundingBox())!.height).toBe(height)

  // The link is made while its dialog is open, and takes the place that it had.
  const release = await hold(page, '**/invite')
  const asked = page.waitForRequest('**/invite')
  await startNow(page).click()
  await asked
  const tell = page.getByRole('dialog', { name: 'Tell the others' })
  await expect(tell).toBeVisible()
  const empty = await tell.boundingBox()
  release()
  await expect(tell.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  expect(await tell.boundingBox()).toEqual(empty)
  const moved = (await shifts()).slice(before)
  expect(sumOf(moved), JSON.stringify(moved, null, 1)).toBe(0)
})

test('NIGHT-92: a refusal stands in the dialog', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/409/)
  const { host, groupId } = await crew(product)
  for (let nth = 0; nth < 5; nth++) await startInGroup(host, groupId)
  await signInAs(host, `/groups/${groupId}`)
  await startButton(page).click()
  await dialog(page).getByRole('textbox', { name: 'Title (optional)' }).fill('One too many')
  await startNow(page).click()
  await expect(
    dialog(page).getByRole('alert').filter({ hasText: 'Failed to start the game night.' }),
  ).toBeVisible()
  await expect(dialog(page).getByRole('textbox', { name: 'Title (optional)' })).toHaveValue('One too many')
})

test('NIGHT-93: in the visitor’s zone; a past time is refused', async ({ page, product, signInAs }) => {
  const zone = await page.context().newCDPSession(page)
  await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
  const { host, groupId } = await crew(product)
  await signInAs(host, `/groups/${groupId}`)
  await startButton(page).click()
  await dialog(page).getByRole('radio', { name: 'At a time' }).check()
  const time = dialog(page).getByLabel('Date and time')
  await expect(time).toHaveValue(/T20:30$/)
  await expect(dialog(page)).toContainText('in your time zone, Japan Standard Time.')
  const plan = dialog(page).getByRole('button', { name: 'Plan this night' })
  await time.fill('2020-01-01T20:30')
  await expect(dialog(page).getByText('Choose a time from now to a year ahead.')).toBeVisible()
  await expect(plan).toBeDisabled()
  await expect(page).toBeAccessible()
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await time.fill(`${day}T09:15`)
  await plan.click()
  const message = dialog(page).getByRole('textbox', { name: 'Message for your chat' })
  await expect(message).toHaveValue(/ at 09:15 \(Japan Standard Time\)\nAre you in\? http/)
  const night = await host.call(api.nights.read, await openedNight(page))
  expect(night).toMatchObject({ planned: true, starts_at: `${day}T00:15:00.000Z` })
})

for (const size of [PHONE, DESK])
  test(`NIGHT-103: what waits for me is first, at ${size.width} px`, async ({ page, product, signInAs }) => {
    const { host, others, groupId } = await crew(product)
    await startInGroup(host, groupId, { title: 'Mine already' })
    const tonight = { group_id: groupId, starts_at: hoursAhead(3), title: 'Raid' }
    await decide(await host.call(api.nights.start, {}, tonight), host, others)
    await startInGroup(others[1]!, groupId, { starts_at: hoursAhead(22) })
    const asked = await startInGroup(others[0]!, groupId, {
      starts_at: hoursAhead(20),
      title: 'Portal marathon',
    })
    await signInAs(host)
    await page.setViewportSize(size)
    const shifts = await observeShifts(page)
    const rest = await Promise.all(
      ['games', 'friends**', 'groups', 'total_playtime'].map((what) =>
        hold(page, `**/api/users/${host.steam_id}/${what}`),
      ),
    )
    await page.goto('/dashboard')
    const first = card(page).getByRole('link', { name: /Portal marathon/ })
    await expect(first).toContainText('Portal marathon')
    await expect(first).toContainText('needs your answer')
    await expect(first).toContainText('Hosted by Player 1')
    await expect(first).toBeInViewport({ ratio: 1 })
    const second = card(page).getByRole('listitem')
    await expect(second).toHaveCount(1)
    await expect(second.getByRole('link')).toContainText('Game night · Friday')
    await expect(second).toContainText('Hosted by Player 2')
    await expect(second).toBeInViewport({ ratio: 1 })
    // Below what asks: what is played tonight, and a way to start another one.
    await expect(card(page).getByRole('link', { name: /Raid/ })).toBeInViewport({ ratio: 1 })
    await expect(card(page).getByRole('button', { name: 'Start a game night' })).toBeInViewport({ ratio: 1 })
    for (const release of rest) release()
    await expect(page.locator('[aria-busy=true], .skeleton')).toHaveCount(0)
    expect(sumOf(await shifts()), JSON.stringify(await shifts())).toBeLessThanOrEqual(0.01)
    await expect(page).toBeAccessible()
    await card(page).getByRole('button', { name: 'In', exact: true }).click()
    await expect(page).toHaveURL(`/nights/${asked.night_id}`)
    expect((await inNight(asked, host).read()).my.answer).toBe('in')
  })

test('NIGHT-103: nights that failed to load', async ({ page, product, signInAs }) => {
  const { host } = await crew(product)
  await signInAs(host)
  await breakCalls(page, `**/api/users/${host.steam_id}/nights`, 'No luck.')
  await page.goto('/dashboard')
  await expect(card(page)).toContainText('Failed to fetch game nights')
  await card(page).getByRole('button', { name: 'Start a game night' }).click()
  await expect(startNow(page)).toBeEnabled()
})

test("NIGHT-104, NIGHT-140: a group's next or last night", async ({ page, product, signInAs }) => {
  const { host, others, groupId } = await crew(product)
  const done = await startInGroup(host, groupId, { title: 'First one' })
  const game = await decide(done, host, others)
  const cancelled = await startInGroup(host, groupId, { title: 'Not this one' })
  await inNight(cancelled, host).cancel()
  await signInAs(host, `/groups/${groupId}`)
  const rows = groupNights(page).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText(game.name)
  await expect(rows.first()).toContainText('First one')
  await expect(rows.first()).toContainText('3 in')
  await groupNights(page).getByRole('link', { name: 'All nights' }).click()
  await expect(page).toHaveURL(`/nights?group=${groupId}`)
  await expect(page).toHaveTitle(/^Game nights of .+ · Shelfmates$/)
  const came = page.getByRole('main').getByRole('listitem').filter({ hasText: 'First one' })
  for (const name of ['Host', 'Player 1', 'Player 2']) await expect(came).toContainText(name)
  await expect(came).toContainText(game.name)
  await expect(page.getByRole('list', { name: 'Past' })).toContainText('Cancelled')
  await expect(page).toBeAccessible()
  await movedTo(product, done.night_id, Date.now() - 13 * 3_600_000)
  await came.getByRole('link').click()
  await expect(page).toHaveURL(`/nights/${done.night_id}`)
  await expect(pickName(page)).toHaveText(`You picked ${game.name}`)
  await expect(page.getByText('Who is ready')).toHaveCount(0)
})

test('NIGHT-105, NIGHT-143, NIGHT-149: a pick ahead, to paste', async ({ page, product, signInAs }) => {
  const { host, others, groupId } = await crew(product)
  const startsAt = hoursAhead(30)
  const night = await startInGroup(host, groupId, { starts_at: startsAt })
  const game = await decide(night, host, others)
  await signInAs(host, `/nights/${night.night_id}`)
  // NIGHT-143: it is not about now.
  await expect(pickName(page)).toHaveText(`You will play ${game.name}`)
  await expect(page.getByRole('list', { name: 'Who owns it' }).getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('list', { name: 'Who is ready' })).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Who owns it' })).toContainText('You own it')
  await expect(page.getByRole('main')).not.toContainText(/Offline|Online/)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const line = dialog(page).getByRole('textbox', { name: 'To paste into your chat' })
  await dialog(page).getByRole('button', { name: 'Create a link' }).click()
  await expect(line).toHaveValue(
    new RegExp(`at \\d\\d:\\d\\d [A-Z].*: ${game.name} with .*Host.* http.*/share/.+$`),
  )
  expect(await copiedBy(dialog(page).getByRole('button', { name: 'Copy text' }))).toBe(
    await line.inputValue(),
  )
  const forDiscord = await copiedBy(dialog(page).getByRole('button', { name: 'Copy for Discord' }))
  expect(forDiscord).toContain(`<t:${Math.floor(Date.parse(startsAt) / 1000)}:F>: ${game.name} with`)
  expect(forDiscord).toContain('/share/')
})
