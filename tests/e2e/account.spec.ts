/** The further pages (ROUTE-3): Account (SIGN-29, VIS-1, PAGE-6) and Privacy (VIS-5). */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import { api, breakCalls, callsTo, dialog, expect, openElsewhere, region, stored, test } from './support.ts'

/** Firefox takes no click counts and no downloads from a test. */
const IN_CHROMIUM = { tag: '@chromium' }

const choice = (page: Page, name: string) =>
  region(page, 'Who can see my library').getByRole('radio', { name })
const sessionsCard = (page: Page) => region(page, 'Active sessions')
const sessions = (page: Page) => sessionsCard(page).getByRole('listitem')
const openDeletion = (page: Page) =>
  region(page, 'Delete my account').getByRole('button', { name: 'Delete my account' })
const deletionWord = (page: Page) => dialog(page).getByRole('textbox', { name: 'Type DELETE to confirm' })
const confirmDeletion = (page: Page) => dialog(page).getByRole('button', { name: 'Delete permanently' })

/** The same person in another browser: another session of theirs. */
async function secondSession(product: Product, { steam_id }: TestPlayer) {
  const token = await product.signIn(steam_id)
  return { steam_id, token, ...product.callsOf(token) }
}

test('VIS-1: a choice is saved at once', async ({ page, enter }) => {
  const me = await enter({ games: { Portal: 90 } }, '/account')
  await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()
  await expect(page).toBeAccessible()
  for (const [name, stored] of [
    ['Only members of my groups', 'groups'],
    ['Nobody', 'nobody'],
  ] as const) {
    await choice(page, name).check()
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
    await expect
      .poll(async () => (await me.call(api.privacy.settings, me.user)).library_visibility)
      .toBe(stored)
  }
  await page.reload()
  await expect(choice(page, 'Nobody')).toBeChecked()
})

test('WISH-5, LIVE-11: the wishlist is read and removed', async ({ page, browser, product, enter }) => {
  await enter({ games: { Portal: 90 } }, '/account')
  const cardOf = (of: Page) => region(of, 'Steam wishlist')
  const readOf = (of: Page) =>
    cardOf(of).getByRole('checkbox', { name: 'Read my Steam wishlist, once a day at most' })
  await expect(readOf(page)).toBeEnabled()
  await expect(readOf(page)).not.toBeChecked()
  await readOf(page).press('Space')
  await expect(cardOf(page)).toContainText('It will be read within a day.')
  await product.deps.wishlists.readNext()
  await expect(cardOf(page)).toContainText(
    /Steam showed no games.*it may be private.*"Game details" to Public/,
  )
  await expect(page).toBeAccessible()

  const theo = await product.player({ games: { Portal: 90 } })
  const wishlist = [999_401, 999_400].map((appid) => ({ appid, added: 0 }))
  product.simulator.updatePlayer(theo.steam_id, { wishlist })
  const theirs = await openElsewhere(browser, product, theo)
  await theirs.goto('/account')
  await expect(readOf(theirs)).toBeEnabled()
  await readOf(theirs).press('Space')
  await expect(readOf(theirs)).toBeChecked()
  await product.deps.wishlists.readNext()
  await expect(cardOf(theirs)).toContainText('2 games read.')
  await readOf(theirs).press('Space')
  await expect(readOf(theirs)).not.toBeChecked()
  await expect(cardOf(theirs)).not.toContainText('games read')
  await theirs.context().close()
})

test('SIGN-29, API-37: another session is signed out', async ({ page, browser, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 90 } })
  const other = await secondSession(product, me)
  const elsewhere = await openElsewhere(browser, product, other)
  await elsewhere.goto('/my_games')
  await expect(elsewhere.getByText('1h 30m played')).toBeVisible()

  await signInAs(me, '/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Account & privacy' })).toBeVisible()
  await expect(sessions(page)).toHaveCount(2)
  const here = sessions(page).filter({ hasText: 'This browser' })
  await expect(here).toHaveCount(1)
  await expect(here.getByRole('button')).toHaveCount(0)
  const there = sessions(page).filter({ hasText: 'last used' })
  await expect(page).toBeAccessible()
  await there.getByRole('button', { name: 'Sign out' }).click()
  await expect(sessionsCard(page).getByText('Session signed out.')).toBeVisible()
  await expect(sessions(page)).toHaveCount(1)
  const asked = me.user
  expect(await other.refused(api.library.games, asked)).toMatchObject({ status: 401 })
  await expect(elsewhere).toHaveURL('/login')
  expect(await stored(elsewhere)).toEqual({})
  await expect(page).toBeAccessible()
  // Here one stays signed in.
  await page.reload()
  await expect(sessions(page)).toHaveCount(1)
  await elsewhere.context().close()
})

test("SIGN-29, LOGIN-9: 'Sign out everywhere' asks", async ({ page, product, signInAs, expectedErrors }) => {
  // The stream may tell the page before the answer to its own call does.
  expectedErrors.push(/status of 401/)
  const me = await product.player({ games: { Portal: 90 } })
  const other = await secondSession(product, me)
  await signInAs(me, undefined, 'Mira')
  // In Firefox only the window in front has the focus.
  await page.bringToFront()
  await page.goto('/account')
  const button = sessionsCard(page).getByRole('button', { name: 'Sign out everywhere' })
  await button.click()
  await expect(dialog(page)).toHaveAccessibleName('Sign out everywhere?')
  await expect(page).toBeAccessible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(button).toBeFocused()
  const asked = me.user
  expect((await other.call(api.session.listSessions, asked)).sessions).toHaveLength(2)

  await button.click()
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/login')
  const why = page.getByRole('status').filter({ hasText: /./ })
  await expect(why).toHaveText('You were signed out on all devices.')
  await expect(page).toBeAccessible()
  // A public page in between changes nothing of it.
  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.goBack()
  await expect(why).toHaveText('You were signed out on all devices.')
  expect(await stored(page)).toEqual({})
  for (const session of [me, other])
    expect(await session.refused(api.library.games, asked)).toMatchObject({ status: 401 })
})

test('LOOK-14, PAGE-2: failures are said beside it', async ({ page, product, enter }) => {
  const me = await enter()
  await secondSession(product, me)
  await breakCalls(page, /\/(sessions|settings)$/, 'The list is lost.')
  await page.goto('/account')
  const failure = sessionsCard(page).getByRole('alert')
  await expect(failure).toContainText('Failed to fetch your sessions', { timeout: 9000 })
  await expect(failure).toContainText('The list is lost.')
  const visibility = region(page, 'Who can see my library')
  await expect(visibility.getByRole('alert')).toContainText('Failed to fetch your settings')
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(sessions(page)).toHaveCount(2)
  await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()

  await breakCalls(page, '**/settings', 'The pen is dry.')
  await choice(page, 'Nobody').click()
  await expect(visibility.getByRole('alert')).toContainText('Couldn’t save your change.')
  await expect(visibility.getByRole('alert')).toContainText('The pen is dry.')
  await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()

  await page.route(/\/sessions/, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
  )
  await sessions(page).getByRole('button', { name: 'Sign out' }).click()
  await expect(failure).toContainText('Failed to sign out that session.')
  await expect(sessions(page)).toHaveCount(2)
  await sessionsCard(page).getByRole('button', { name: 'Sign out everywhere' }).click()
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(failure).toContainText('Failed to sign out everywhere.')
  await expect(page).toBeAccessible()

  await breakCalls(page, '**/export', 'The box is full.')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = region(page, 'Export my data').getByRole('alert')
  await expect(download).toContainText('Failed to download your data.', { timeout: 9000 })
  await expect(download).toContainText('The box is full.')

  await breakCalls(page, `**/api/users/${me.steam_id}`, 'The shredder is stuck.')
  await openDeletion(page).click()
  await deletionWord(page).fill('DELETE')
  await confirmDeletion(page).dblclick()
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to delete your account.')
  await expect(dialog(page).getByRole('alert')).toContainText('The shredder is stuck.')
  await expect(deletionWord(page)).toHaveValue('DELETE')
  await expect(confirmDeletion(page)).toBeEnabled()
  await expect(page).toBeAccessible()
  await expect(page).toHaveURL('/account')
  expect((await stored(page)).token).toBe(me.token)
})

test('ROUTE-3, VIS-5: it can be read by visitors, and leads them to sign in', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Privacy' }).click()
  await expect(page).toHaveURL('/privacy')
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  await expect(page).toHaveTitle('Privacy · Shelfmates')
  for (const title of ['What is stored, and why', 'Who can see it', 'For how long', 'What you can do'])
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible()
  await expect(page.getByText('It is not affiliated with, endorsed by or sponsored by Valve')).toBeVisible()
  await expect(page).toBeAccessible()
  await page.getByRole('link', { name: 'To your account' }).click()
  await expect(page).toHaveURL('/login')
})

test('VIS-5: the export is a JSON file without a token', IN_CHROMIUM, async ({ page, enter }) => {
  const me = await enter({ name: 'Mira' }, '/account')
  const downloads = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = await downloads
  expect(download.suggestedFilename()).toBe(`shelfmates-${me.steam_id}.json`)
  await expect(page.getByText('Your data was downloaded.')).toBeVisible()
  await expect(page).toBeAccessible()

  const text = readFileSync(await download.path(), 'utf8')
  expect(text).not.toContain(me.token)
  expect(JSON.parse(text)).toMatchObject({ person: { steam_id: me.steam_id, display_name: 'Mira' } })
})

test('VIS-5: nothing is deleted without the word', IN_CHROMIUM, async ({ page, enter }) => {
  const me = await enter({ games: { Portal: 90 } }, '/account')
  await openDeletion(page).click()
  await expect(dialog(page)).toHaveAccessibleName('Delete your account permanently?')
  await expect(confirmDeletion(page)).toBeDisabled()
  await expect(page).toBeAccessible()
  const deletions = callsTo(page, '', /DELETE/)
  await deletionWord(page).fill('delet')
  await deletionWord(page).press('Enter')
  await expect(confirmDeletion(page)).toBeDisabled()
  await dialog(page).getByText('Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(openDeletion(page)).toBeFocused()
  await openDeletion(page).click()
  await expect(deletionWord(page)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(openDeletion(page)).toBeFocused()
  expect(deletions).toEqual([])
  expect((await me.call(api.library.games, me.user)).games).toHaveLength(1)
})

test('PAGE-6: of a double click one counts', IN_CHROMIUM, async ({ page, product, enter }) => {
  const me = await enter()
  for (let further = 0; further < 2; further++) await product.signIn(me.steam_id)
  const sessions = async () => (await me.call(api.session.listSessions, me.user)).sessions.length
  await page.goto('/account')
  const rows = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  const buttons = rows.getByRole('button', { name: 'Sign out' })
  // The mouse reaches only what is in view.
  await buttons.first().scrollIntoViewIfNeeded()
  const at = (await buttons.first().boundingBox())!
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down({ clickCount: 1 })
  await page.mouse.up({ clickCount: 1 })
  await expect(rows).toHaveCount(2)
  // Another session's button is beneath the pointer now, once the notice above has come.
  const next = (await buttons.first().boundingBox())!
  await page.mouse.move(next.x + next.width / 2, next.y + next.height / 2)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(page.getByText('Session signed out.')).toBeVisible()
  await buttons.first().focus()
  await expect(buttons.first()).toBeEnabled()
  expect(await sessions()).toBe(2)
})
