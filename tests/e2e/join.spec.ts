/** NIGHT-94 to NIGHT-100: links by which people join a group or a game night. */
import type { Page } from '@playwright/test'
import type { Night } from '#shared/nights/entities.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { heading, membersOf } from './group-page.ts'
import { chooseAccount, newcomer } from './newcomers.ts'
import { api, breakCalls, callsTo, confirm, copiedBy, dialog, expect, PHONE, test } from './support.ts'

const GONE = 'This invitation is no longer valid. Ask for a new link.'

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in with Steam to join' })
const joinButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Join ${name}`, exact: true })
const inviteButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Invite by link', exact: true })
const linkField = (page: Page) => dialog(page).getByRole('textbox', { name: 'Link', exact: true })

/** A host's group of two with a link. */
async function groupWithLink(product: Product) {
  const { host, others, groupId } = await friendsWithGames(product, 2)
  const { token } = await host.call(api.invites.renewOfGroup, { id: groupId })
  return { host, others, groupId, token, page: `/join/${token}` }
}

test('NIGHT-94: a stranger learns the group, who invites, and nothing else', async ({ page, product }) => {
  const { page: link, token } = await groupWithLink(product)
  await page.setViewportSize(PHONE)
  const calls = callsTo(page, '')
  await page.goto(link)
  await expect(heading(page)).toHaveText('You’re invited to join Friday')
  await expect(page.getByText('Host invites you.')).toBeVisible()
  await expect(signIn(page)).toBeVisible()
  await expect(joinButton(page, 'Friday')).toHaveCount(0)
  await expect(page.getByText('Player 1')).toHaveCount(0)
  expect(calls.filter((call) => call.includes('/api/'))).toEqual([`GET /api/invites/${token}`])
  expect(await page.title()).toBe('You’re invited · Shelfmates')
  await expect(page).toHaveLargeTargets()
  await expect(page).toFitPhoneAndDesk()
  await expect(page).toHaveLargeTargets()
})

test('NIGHT-98, NIGHT-99, OPER-7: a stranger signs in, comes back and joins', async ({ page, product }) => {
  const { page: link, token, groupId, host } = await groupWithLink(product)
  const steamId = newcomer(product, 'Stranger', { Portal: 600 })
  await page.goto(link)
  const asked = page.waitForRequest(/\/auth\/steam\?/)
  await signIn(page).click()
  expect(new URL((await asked).url()).searchParams.get('invite')).toBe(token)
  await (await chooseAccount(page, steamId)).click()
  await expect(page).toHaveURL(link)
  await expect(page.getByText('You’re signed in as Stranger.')).toBeVisible()
  expect(await membersOf(host, groupId)).not.toContain(steamId)
  await joinButton(page, 'Friday').click()
  await expect(page).toHaveURL(`/groups/${groupId}`)
  await expect(heading(page)).toContainText('Friday')
  expect(await membersOf(host, groupId)).toContain(steamId)
  expect(await page.title()).not.toContain(token)
  expect(await page.evaluate(() => document.referrer)).not.toContain(token)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(token)
  await page.goBack()
  await expect(page).not.toHaveURL(new RegExp(token))
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Back to the page you came for' })).toHaveCount(0)
})

test('NIGHT-99, NIGHT-100: a user joins with one press', async ({ page, product, enter }) => {
  const { page: link, groupId, host } = await groupWithLink(product)
  const me = await enter({ name: 'Mira' }, '/groups', 'Mira')
  await page.goto(link)
  await expect(joinButton(page, 'Friday')).toBeVisible()
  await expect(page).toBeAccessible()
  await joinButton(page, 'Friday').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/groups/${groupId}`)
  expect(await membersOf(host, groupId)).toContain(me.steam_id)
  // A second time changes nothing.
  await page.goto(link)
  await joinButton(page, 'Friday').click()
  await expect(page).toHaveURL(`/groups/${groupId}`)
})

/** A night of two who are in, on a Friday at 20:30 in Berlin, with a link. */
async function nightWithLink(product: Product) {
  const { host, others } = await friendsWithGames(product, 2)
  const friday = new Date(Date.now() + 7 * 86_400_000)
  while (friday.getUTCDay() !== 5) friday.setUTCDate(friday.getUTCDate() + 1)
  friday.setUTCHours(19, 30, 0, 0)
  const night = await host.call(
    api.nights.start,
    {},
    { steam_ids: [others[0]!.steam_id], starts_at: friday.toISOString(), zone: 'Africa/Lagos' },
  )
  await inNight(night, others[0]!).answer('in')
  const { token } = await host.call(api.invites.renewOfNight, { id: night.night_id })
  return { host, night, page: `/join/${token}` }
}

/** What a person has answered; undefined who is not part of the night. */
const answerOf = async (host: TestPlayer, night: Pick<Night, 'night_id'>, steamId: string) =>
  (await inNight(night, host).read()).people.find((one) => one.steam_id === steamId)?.answer

test('NIGHT-94: a night’s link says when, how many and what is at stake', async ({ page, product }) => {
  const { host, night, page: link } = await nightWithLink(product)
  await page.setViewportSize(PHONE)
  await page.goto(link)
  await expect(heading(page)).toHaveText('You’re invited to a game night')
  await expect(page.getByText('Host invites you.')).toBeVisible()
  await expect(page.getByText(/^\D+\d.* at \d\d:30$/)).toBeVisible()
  await expect(page.getByText(/^Your time zone, .+/)).toBeVisible()
  await expect(page.getByText('Friday 20:30 West Africa Time')).toBeVisible()
  await expect(page.getByText('2 are in')).toBeVisible()
  await expect(page.getByRole('list').getByText('Portal', { exact: true })).toBeVisible()
  await expect(page.getByText('Player 1')).toHaveCount(0)
  await expect(page.getByText('one more who is in, not who')).toBeVisible()
  await expect(page).toFitPhoneAndDesk()
  await expect(page).toHaveLargeTargets()
  await expect(page).toBeAccessible()
  await host.call(api.nights.change, { id: night.night_id }, { faces: true })
  await page.reload()
  await expect(page.getByText('Player 1')).toBeVisible()
  await expect(page.getByText('sees your name and picture here')).toBeVisible()
  await expect(page).toBeAccessible()
})

test("NIGHT-99: a user answers a night's link with one press", async ({ page, product, enter }) => {
  const { host, night, page: link } = await nightWithLink(product)
  const me = await enter({ name: 'Mira' }, link)
  await page.getByRole('button', { name: 'Maybe', exact: true }).click()
  await expect(page).toHaveURL(`/nights/${night.night_id}`)
  expect(await answerOf(host, night, me.steam_id)).toBe('maybe')
})

test('NIGHT-99: a stranger’s answer is sent once they are back', async ({ page, product }) => {
  const { host, night, page: link } = await nightWithLink(product)
  const steamId = newcomer(product, 'Stranger', { Portal: 600 })
  await page.setViewportSize(PHONE)
  await page.goto(link)
  await page.getByRole('button', { name: 'In', exact: true }).click()
  await (await chooseAccount(page, steamId)).click()
  await expect(page).toHaveURL(`/nights/${night.night_id}`)
  expect(await answerOf(host, night, steamId)).toBe('in')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('join')
})

test('NIGHT-100: links that lead nowhere', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/404/)
  await page.goto('/join/nothing')
  await expect(page.getByText(GONE)).toBeVisible()
  await expect(page).toBeAccessible()
  await page.getByRole('link', { name: 'See what Shelfmates is' }).click()
  await expect(page).toHaveURL('/login')

  await enter({ name: 'Mira' }, '/join/nothing')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('NIGHT-100: a link that ends while it is open', async ({ page, product, expectedErrors, enter }) => {
  expectedErrors.push(/404/)
  const { host, groupId, page: link } = await groupWithLink(product)
  const me = await enter({ name: 'Mira' }, link)
  await breakCalls(page, '**/accept', 'No luck.')
  await joinButton(page, 'Friday').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to join.' })).toContainText('No luck.')
  await expect(page).toHaveURL(link)
  await page.unrouteAll()
  await host.call(api.invites.switchOffOfGroup, { id: groupId })
  await joinButton(page, 'Friday').click()
  await expect(page.getByText(GONE)).toBeVisible()
  expect(await membersOf(host, groupId)).not.toContain(me.steam_id)

  await breakCalls(page, '**/api/invites/*', 'No luck.')
  await page.goto(link)
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to open the invitation' })
  await expect(failure).toBeVisible({ timeout: 10_000 })
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(GONE)).toBeVisible()
})

test('NIGHT-95: a link is made, renewed, and off', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/404/)
  const { host, others, groupId } = await friendsWithGames(product, 2)
  // Not the owner: any member may.
  await signInAs(others[0]!, `/groups/${groupId}`)
  await page.getByRole('main').getByRole('button', { name: 'Invite by link' }).click()
  await expect(linkField(page)).toHaveValue(/\/join\/[\w-]{32}$/)
  await expect(dialog(page).getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expect(dialog(page)).toContainText(/Valid until .*created by you\./)
  await expect(page).toBeAccessible()
  const first = await linkField(page).inputValue()
  expect(await copiedBy(dialog(page).getByRole('button', { name: 'Copy link' }))).toBe(first)

  await dialog(page).getByRole('button', { name: 'Renew' }).click()
  await confirm(page, 'Renew the link?', 'Cancel').last().click()
  await expect(linkField(page)).toHaveValue(first)
  await dialog(page).getByRole('button', { name: 'Renew' }).click()
  await confirm(page, 'Renew the link?', 'Renew').click()
  await expect(dialog(page).getByText('This is the new link.')).toBeVisible()
  await expect(linkField(page)).not.toHaveValue(first)
  expect((await host.call(api.invites.ofGroup, { id: groupId }))!.url).toBe(
    await linkField(page).inputValue(),
  )

  await dialog(page).getByRole('button', { name: 'Switch off' }).click()
  await confirm(page, 'Switch the link off?', 'Switch off').click()
  await expect(dialog(page).getByText('The link is switched off.')).toBeVisible()
  await expect(linkField(page)).toHaveCount(0)
  expect(await host.call(api.invites.ofGroup, { id: groupId })).toBeNull()
  await page.keyboard.press('Escape')
  await expect(inviteButton(page)).toBeFocused()
})
