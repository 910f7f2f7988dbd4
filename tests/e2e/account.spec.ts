/** The further pages (ROUTE-3): Account (SIGN-29, VIS-1) and Privacy (VIS-5). */
import type { Page } from '@playwright/test'
import { libraryContract } from '#shared/contract/library.ts'
import { sessionContract } from '#shared/contract/session.ts'
import {
  choice,
  confirmDeletion,
  deletionWord,
  dialog,
  openDeletion,
  openElsewhere,
  region,
  secondSession,
  sessions,
  sessionsCard,
  stored,
} from './account-page.ts'
import { breakCalls, expect, expectAccessible, test } from './support.ts'

const HIDDEN = 'Their library is hidden.'

test('VIS-1: takes effect for another player at once', async ({ page, browser, product, signInAs }) => {
  test.slow()
  const theo = await product.player({ name: 'Theo' })
  const mira = await product.player({ name: 'Mira', games: { Portal: 90 }, friends: [theo] })
  await product.deps.sync.syncFriends(theo.steam_id)
  const theirs = await openElsewhere(browser, product, theo)
  const expectSeen = async (seen: boolean) => {
    await theirs.goto(`/friends/${mira.steam_id}/games`)
    await expect(theirs.getByRole('heading', { level: 1, name: "Mira's Games" })).toBeVisible()
    await expect(seen ? theirs.getByRole('article') : theirs.getByText(HIDDEN)).toBeVisible()
  }
  const save = async (name: string) => {
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
    await choice(page, name).check()
    expect((await answered).status()).toBe(200)
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  }

  await signInAs(mira, '/account')
  await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()
  await expectAccessible(page)
  await expectSeen(true)
  await save('Only members of my groups')
  await expectSeen(false)
  await product.group({ owner: mira, members: [theo] })
  await expectSeen(true)
  await save('Nobody')
  await expectSeen(false)
  await page.reload()
  await expect(choice(page, 'Nobody')).toBeChecked()
  await theirs.context().close()
})

test('WISH-5, LIVE-11: lets the Steam wishlist be read, says what came of it, and removes it', async ({
  page,
  browser,
  product,
  signInAs,
}) => {
  const mira = await product.player({ games: { Portal: 90 } })
  await signInAs(mira, '/account')
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
  await expectAccessible(page)

  const theo = await product.player({ games: { Portal: 90 } })
  const wishlist = [999_401, 999_400].map((appid) => ({ appid, added: 0 }))
  product.simulator.updatePlayer(theo.steam_id, { wishlist })
  const theirs = await openElsewhere(browser, product, theo)
  await theirs.goto('/account')
  await readOf(theirs).press('Space')
  await expect(readOf(theirs)).toBeChecked()
  await product.deps.wishlists.readNext()
  await expect(cardOf(theirs)).toContainText('2 games read.')
  await readOf(theirs).press('Space')
  await expect(readOf(theirs)).not.toBeChecked()
  await expect(cardOf(theirs)).not.toContainText('games read')
  await theirs.context().close()
})

test.describe('Account: where I am signed in', () => {
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
    await expectAccessible(page)
    await there.getByRole('button', { name: 'Sign out' }).click()
    await expect(sessionsCard(page).getByText('Session signed out.')).toBeVisible()
    await expect(sessions(page)).toHaveCount(1)
    const asked = { steamId: me.steam_id }
    expect(await other.refused(libraryContract.games, asked)).toMatchObject({ status: 401 })
    await expect(elsewhere).toHaveURL('/login')
    expect(await stored(elsewhere)).toEqual({})
    await expectAccessible(page)
    // Here one stays signed in.
    await page.reload()
    await expect(sessions(page)).toHaveCount(1)
    await elsewhere.context().close()
  })

  test("SIGN-29, LOGIN-9: 'Sign out everywhere' asks", async ({
    page,
    product,
    signInAs,
    expectedErrors,
  }) => {
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
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(button).toBeFocused()
    const asked = { steamId: me.steam_id }
    expect((await other.call(sessionContract.listSessions, asked)).sessions).toHaveLength(2)

    await button.click()
    await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(page).toHaveURL('/login')
    const why = page.getByRole('status').filter({ hasText: /./ })
    await expect(why).toHaveText('You were signed out on all devices.')
    await expectAccessible(page)
    // A public page in between changes nothing of it.
    await page.getByRole('link', { name: 'Privacy' }).click()
    await page.goBack()
    await expect(why).toHaveText('You were signed out on all devices.')
    expect(await stored(page)).toEqual({})
    for (const session of [me, other])
      expect(await session.refused(libraryContract.games, asked)).toMatchObject({ status: 401 })
  })
})

test('LOOK-14, PAGE-2: failures are said beside it', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 50[02]/)
  const me = await product.player()
  await secondSession(product, me)
  await signInAs(me)
  await breakCalls(page, /\/(sessions|settings)$/, 'The list is lost.')
  await page.goto('/account')
  const failure = sessionsCard(page).getByRole('alert')
  await expect(failure).toContainText('Failed to fetch your sessions', { timeout: 9000 })
  await expect(failure).toContainText('The list is lost.')
  const visibility = region(page, 'Who can see my library')
  await expect(visibility.getByRole('alert')).toContainText('Failed to fetch your settings')
  await expectAccessible(page)
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
  await expectAccessible(page)

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
  await expectAccessible(page)
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
  await expectAccessible(page)
  await page.getByRole('link', { name: 'To your account' }).click()
  await expect(page).toHaveURL('/login')
})
