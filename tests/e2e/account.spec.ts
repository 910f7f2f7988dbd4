/** The further pages (ROUTE-15): Account (SIGN-29, VIS-1 to VIS-5) and Privacy. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { sessionContract } from '#shared/contract/session.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import {
  breakCalls,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  test,
} from './support.ts'

const HIDDEN = 'Their library is hidden.'

const region = (page: Page, name: string) => page.getByRole('region', { name })
const choice = (page: Page, name: string) =>
  region(page, 'Who can see my library').getByRole('radio', { name })
const sessionsCard = (page: Page) => region(page, 'Active sessions')
const sessions = (page: Page) => sessionsCard(page).getByRole('listitem')
const dialog = (page: Page) => page.getByRole('dialog')
const stored = (page: Page) => page.evaluate((): Record<string, string> => ({ ...localStorage }))

/** Another browser in which somebody is signed in. */
async function openElsewhere(
  browser: Browser,
  product: Product,
  { steam_id, token }: Pick<TestPlayer, 'steam_id' | 'token'>,
): Promise<Page> {
  const localStorage = [
    { name: 'token', value: token },
    { name: 'steam_id', value: steam_id },
  ]
  const context = await browser.newContext({
    baseURL: product.url,
    storageState: { cookies: [], origins: [{ origin: product.url, localStorage }] },
  })
  return context.newPage()
}

/** The same person in another browser: another session of theirs. */
async function secondSession(product: Product, { steam_id }: TestPlayer) {
  const token = await product.signIn(steam_id)
  return { steam_id, token, ...product.callsOf(token) }
}

test.describe('Account: who may see my library', () => {
  test('VIS-1: connected, my groups only, or nobody, and it takes effect for another person', async ({
    page,
    browser,
    product,
    signedIn,
  }) => {
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

    await signedIn(mira)
    await page.goto('/account')
    await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()
    await expectAccessible(page)
    await expectSeen(true)
    await save('Only members of my groups')
    await expectSeen(false)
    const { group_id: id } = await product.group({ owner: mira, members: [theo] })
    await expectSeen(true)

    await save('Nobody')
    await expectSeen(false)
    const [mine] = await theo.call(groupsContract.members, { id })
    expect(mine).toMatchObject({ steam_id: mira.steam_id, library_status: 'hidden' })
    await page.reload()
    await expect(choice(page, 'Nobody')).toBeChecked()
    await save('Everyone I’m connected with')
    await expectSeen(true)
    await theirs.context().close()
  })

  test('VIS-3: it shows at once on a group page that one has just seen', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Portal: 90 } })
    const { group_id: id } = await product.group({ owner: me })
    await signedIn(me)
    await page.goto(`/groups/${id}`)
    const members = page.getByRole('list', { name: 'Members' })
    await expect(members.getByText('synced just now')).toBeVisible()
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await choice(page, 'Nobody').check()
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
    await page.goBack()
    await expect(members.getByText('library hidden')).toBeVisible()
  })

  test('UI: by keys, however fast; what is chosen last is what is saved', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player()
    await signedIn(me)
    await page.goto('/account')
    const held = Promise.withResolvers<void>()
    await page.route('**/settings', async (route) => {
      if (route.request().method() === 'PUT') await held.promise
      await route.continue()
    })
    await choice(page, 'Everyone I’m connected with').focus()
    await page.keyboard.press('ArrowDown')
    await expect(choice(page, 'Only members of my groups')).toBeChecked()
    await page.keyboard.press('ArrowDown')
    await expect(choice(page, 'Nobody')).toBeChecked()
    await expect(choice(page, 'Nobody')).toBeFocused()
    held.resolve()
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
    await expect(choice(page, 'Nobody')).toBeChecked()
    expect(await me.call(privacyContract.settings, { steamId: me.steam_id })).toEqual({
      library_visibility: 'nobody',
    })
  })

  test('UI: what cannot be saved says so, and the earlier choice stands', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    await signedIn(await product.player())
    await page.goto('/account')
    await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()
    await breakCalls(page, '**/settings', 'The pen is dry.')
    await choice(page, 'Nobody').click()
    const failure = region(page, 'Who can see my library').getByRole('alert')
    await expect(failure).toContainText('Couldn’t save your change.')
    await expect(failure).toContainText('The pen is dry.')
    await expect(choice(page, 'Everyone I’m connected with')).toBeChecked()
    await expectAccessible(page)
  })
})

test.describe('Account: where I am signed in', () => {
  test('SIGN-29: sessions are listed, and another one can be signed out', async ({
    page,
    browser,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Portal: 90 } })
    const other = await secondSession(product, me)
    const elsewhere = await openElsewhere(browser, product, other)
    await elsewhere.goto('/my_games')
    await expect(elsewhere.getByText('1h 30m played')).toBeVisible()

    await signedIn(me)
    await page.goto('/account')
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
    await expectAccessible(page)
    const asked = { steamId: me.steam_id }
    expect(await other.refused(libraryContract.games, asked)).toMatchObject({ status: 401 })
    await elsewhere.getByRole('button', { name: 'Sync Games' }).click()
    await expect(elsewhere).toHaveURL('/login')
    expect(await stored(elsewhere)).toEqual({})
    // Here one stays signed in.
    await page.reload()
    await expect(sessions(page)).toHaveCount(1)
    await elsewhere.context().close()
  })

  test("SIGN-29: 'Sign out everywhere' asks, then ends every session, this one too", async ({
    page,
    browser,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Portal: 90 } })
    const other = await secondSession(product, me)
    const elsewhere = await openElsewhere(browser, product, other)
    await elsewhere.goto('/my_games')
    await expect(elsewhere.getByText('1h 30m played')).toBeVisible()

    await signedIn(me, 'Mira')
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
    expect(await stored(page)).toEqual({})
    for (const session of [me, other])
      expect(await session.refused(libraryContract.games, asked)).toMatchObject({ status: 401 })
    await elsewhere.getByRole('button', { name: 'Sync Games' }).click()
    await expect(elsewhere).toHaveURL('/login')
    await elsewhere.context().close()
  })

  test('UI: what fails says so beside it, with the reason, and can be tried again', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 50[02]/)
    const me = await product.player()
    await secondSession(product, me)
    await signedIn(me)
    await breakCalls(page, /\/(sessions|settings)$/, 'The list is lost.')
    await page.goto('/account')
    const failure = sessionsCard(page).getByRole('alert')
    await expect(failure).toContainText('Failed to fetch your sessions', { timeout: 9000 })
    await expect(failure).toContainText('The list is lost.')
    await expect(region(page, 'Who can see my library').getByRole('alert')).toContainText(
      'Failed to fetch your settings',
    )
    await expectAccessible(page)
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(sessions(page)).toHaveCount(2)

    await page.route(/\/sessions/, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    )
    await sessions(page).getByRole('button', { name: 'Sign out' }).click()
    await expect(sessionsCard(page).getByRole('alert')).toContainText('Failed to sign out that session.')
    await expect(sessions(page)).toHaveCount(2)
    await sessionsCard(page).getByRole('button', { name: 'Sign out everywhere' }).click()
    await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(sessionsCard(page).getByRole('alert')).toContainText('Failed to sign out everywhere.')
    await expect(page).toHaveURL('/account')
    await expectAccessible(page)
  })
})

test.describe('Account: taking my data along', () => {
  test('UI: the export is a JSON file with all that is said to be stored, and no token', async ({
    page,
    product,
    signedIn,
  }) => {
    const theo = await product.player({ name: 'Theo' })
    const me = await product.player({ name: 'Mira', games: { Portal: 90, Dota: 0 }, friends: [theo] })
    const { group_id } = await product.group({ owner: me, name: 'Friday' })
    await me.call(libraryContract.fetchGames, { steamId: me.steam_id })
    await signedIn(me)
    await page.goto('/account')
    const downloads = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const download = await downloads
    expect(download.suggestedFilename()).toBe(`shelfmates-${me.steam_id}.json`)
    await expect(page.getByText('Your data was downloaded.')).toBeVisible()
    await expectAccessible(page)

    const text = readFileSync(await download.path(), 'utf8')
    expect(text).not.toContain(me.token)
    const data = JSON.parse(text) as { library: { games: unknown[] }; sessions: unknown[]; syncs: unknown[] }
    expect(data).toMatchObject({
      person: { steam_id: me.steam_id, display_name: 'Mira', library_visibility: 'connected' },
      library: { status: 'ok' },
      friends: [{ steam_id: theo.steam_id, display_name: 'Theo' }],
      groups: [{ group_id, name: 'Friday', owner_steam_id: me.steam_id }],
    })
    expect(data.library.games).toHaveLength(2)
    expect(data.library.games).toContainEqual(
      expect.objectContaining({ appid: product.appidOf('Portal'), name: 'Portal', minutes: 90 }),
    )
    expect(data.sessions).toHaveLength(1)
    expect(data.syncs).toHaveLength(1)
  })

  test('UI: an export that fails says so', async ({ page, product, signedIn, expectedErrors }) => {
    expectedErrors.push(/status of 500/)
    await signedIn(await product.player())
    await page.goto('/account')
    await breakCalls(page, '**/export', 'The box is full.')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const failure = region(page, 'Export my data').getByRole('alert')
    await expect(failure).toContainText('Failed to download your data.', { timeout: 9000 })
    await expect(failure).toContainText('The box is full.')
    await expectAccessible(page)
  })
})

test.describe('Account: deleting it', () => {
  const open = (page: Page) =>
    region(page, 'Delete my account').getByRole('button', { name: 'Delete my account' })
  const word = (page: Page) => dialog(page).getByRole('textbox', { name: 'Type DELETE to confirm' })
  const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete permanently' })

  test('UI: nothing is deleted without the word', async ({ page, product, signedIn }) => {
    const me = await product.player({ games: { Portal: 90 } })
    await signedIn(me)
    await page.goto('/account')
    await open(page).click()
    await expect(dialog(page)).toHaveAccessibleName('Delete your account permanently?')
    await expect(confirm(page)).toBeDisabled()
    await expectAccessible(page)
    const deletions: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && deletions.push(request.url()))
    await word(page).fill('delet')
    await word(page).press('Enter')
    await expect(confirm(page)).toBeDisabled()
    await dialog(page).getByText('Cancel').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(open(page)).toBeFocused()
    await open(page).click()
    await expect(word(page)).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(open(page)).toBeFocused()
    expect(deletions).toEqual([])
    expect((await me.call(libraryContract.games, { steamId: me.steam_id })).games).toHaveLength(1)
  })

  test('UI: it deletes what is stored, signs out everywhere, and passes groups on', async ({
    page,
    browser,
    product,
    signedIn,
  }) => {
    const theo = await product.player({ name: 'Theo' })
    const me = await product.player({ name: 'Mira', games: { Portal: 90 }, friends: [theo] })
    const shared = await product.group({ owner: me, members: [theo], name: 'Friday' })
    const alone = await product.group({ owner: me, name: 'Alone' })
    const other = await secondSession(product, me)
    const elsewhere = await openElsewhere(browser, product, other)
    await elsewhere.goto('/my_games')
    await expect(elsewhere.getByText('1h 30m played')).toBeVisible()

    await signedIn(me, 'Mira')
    await page.goto('/account')
    await open(page).focus()
    await page.keyboard.press('Enter')
    await word(page).focus()
    await page.keyboard.type('delete')
    await expect(confirm(page)).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/login')
    expect(await stored(page)).toEqual({})
    const asked = { steamId: me.steam_id }
    for (const session of [me, other])
      expect(await session.refused(libraryContract.games, asked)).toMatchObject({ status: 401 })
    await elsewhere.getByRole('button', { name: 'Sync Games' }).click()
    await expect(elsewhere).toHaveURL('/login')
    expect(await stored(elsewhere)).toEqual({})
    await elsewhere.context().close()

    const { groups } = await theo.call(groupsContract.list, { steamId: theo.steam_id })
    expect(groups).toMatchObject([
      { group_id: shared.group_id, owner_steam_id: theo.steam_id, member_count: 1 },
    ])
    const libraries = product.database.queries.selectFrom('libraries').select('steam_id')
    expect(await libraries.where('steam_id', '=', me.steam_id).execute()).toEqual([])
    // Who comes back is new here, and their games are read by themselves once more.
    const again = await secondSession(product, me)
    await expect
      .poll(async () => (await again.call(libraryContract.games, asked)).games)
      .toMatchObject([{ name: 'Portal' }])
    expect((await again.call(groupsContract.list, asked)).groups).toEqual([])
    for (const { group_id: id } of [shared, alone])
      expect(await again.refused(groupsContract.read, { id })).toMatchObject({ status: 404 })
  })

  test('UI: a deletion that fails says so in the dialog, and nothing else happens', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const me = await product.player({ games: { Portal: 90 } })
    await signedIn(me)
    await page.goto('/account')
    await breakCalls(page, `**/api/users/${me.steam_id}`, 'The shredder is stuck.')
    await open(page).click()
    await word(page).fill('DELETE')
    await confirm(page).dblclick()
    await expect(dialog(page).getByRole('alert')).toContainText('Failed to delete your account.')
    await expect(dialog(page).getByRole('alert')).toContainText('The shredder is stuck.')
    await expect(word(page)).toHaveValue('DELETE')
    await expect(confirm(page)).toBeEnabled()
    await expectAccessible(page)
    expect((await stored(page)).token).toBe(me.token)
  })
})

test.describe('Privacy', () => {
  test('UI: it can be read by visitors, and leads them to sign in', async ({ page }) => {
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

  test('UI: it can be read when signed in, and leads back', async ({ page, product, signedIn }) => {
    const me = await product.player()
    await signedIn(me)
    await page.goto('/account')
    await page.getByRole('link', { name: 'Read about privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'To your account' }).click()
    await expect(page).toHaveURL('/account')
    await expect(page.getByRole('heading', { level: 1, name: 'Account & privacy' })).toBeVisible()
    expect((await stored(page)).token).toBe(me.token)
  })
})

test.describe('Account and Privacy: on a telephone', () => {
  test('UI: nothing scrolls sideways, and everything is large enough to touch', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ name: 'W'.repeat(64) })
    await secondSession(product, me)
    await signedIn(me, 'W'.repeat(64))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/account')
    await expect(sessions(page)).toHaveCount(2)
    await expect(choice(page, 'Nobody')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await expectLargeTargets(page)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(dialog(page)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.goto('/privacy')
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
