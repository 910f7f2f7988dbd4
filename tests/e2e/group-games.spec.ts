/** GPAGE-12 to GPAGE-19: the games of a group. */
import type { TestPlayer } from '../support/product.ts'
import {
  compare,
  friday,
  friendsOf,
  game,
  gameNames,
  inGerman,
  member,
  NO_DATA,
  NOTHING_IN_COMMON,
  openMissing,
  syncButton,
} from './group-page.ts'
import { api, dialog, expect, hold, test } from './support.ts'

test("GPAGE-12: 'Group sync complete!', and for whom", async ({ page, product, signInAs }) => {
  const { mira, theo, path } = await friday(product)
  product.giveGames(theo, { Portal: 6000, Dota: 6000 })
  await signInAs(mira, path)
  await compare(page).click()
  await expect(game(page, 'Portal')).toContainText('2h in total')
  await expect(page.getByText('10 of 10 syncs left')).toBeVisible()
  const release = await hold(page, '**/api/sync_group_games')
  await syncButton(page).dblclick()
  await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
  await expect(page).toBeAccessible()
  release()
  await expect(page.getByText('Group sync complete!')).toBeVisible()
  await expect(page.getByText('2 of 2 libraries synced.')).toBeVisible()
  await expect(game(page, 'Portal')).toContainText('102h in total')
  await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
  await expect(syncButton(page)).toBeEnabled()
})

test('LANG-6, SYNC-15: each library’s result, in German', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 5 } })
  const bea = await product.player({ name: 'Bea', games: { Portal: 5 } })
  const theo = await product.player({ name: 'Theo', games: { Portal: 5 } })
  const mira = await product.player({
    name: 'Mira',
    games: { Portal: 60, Dota: 5 },
    friends: [ada, bea, theo],
  })
  const { group_id } = await product.group({ owner: mira, members: [ada, bea, theo], name: 'Friday' })
  product.simulator.updatePlayer(ada.steam_id, { gamesPrivate: true })
  product.simulator.fail({ endpoint: 'GetOwnedGames', steamId: bea.steam_id, kind: 'status', status: 500 })
  await inGerman(page)
  await signInAs(mira, `/groups/${group_id}`)
  await page.getByRole('button', { name: 'Spiele synchronisieren' }).click()
  await expect(page.getByText('2 von 4 Bibliotheken synchronisiert.')).toBeVisible()
  const results = page
    .getByRole('group')
    .filter({ hasText: 'Bibliotheken synchronisiert' })
    .getByRole('listitem')
  await expect(results).toHaveText([
    'Die Spieldetails von Ada sind privat.',
    'Steam hat die Spiele von Bea nicht geliefert.',
    'Mira: 2 Spiele',
    'Theo: 1 Spiel',
  ])
  await expect(page).toBeAccessible()
})

test("GPAGE-12: the server's error", async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 429/)
  const { mira, path } = await friday(product)
  for (let nth = 0; nth < 10; nth++) await mira.call(api.library.fetchGames, mira.user)
  await signInAs(mira, path)
  await expect(page.getByText(/^No syncs left today\. Next sync /)).toBeVisible()
  await syncButton(page).click()
  await expect(page.getByRole('alert')).toHaveText('Daily sync limit reached.')
  await expect(page.getByText('Sync failed')).toHaveCount(0)
  await expect(page).toBeAccessible()
})

test('GPAGE-12, PAGE-4: why a sync failed', async ({ page, context, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/net::ERR_/)
  const { mira, path } = await friday(product)
  await signInAs(mira, path)
  await expect(member(page, 'Theo')).toBeVisible()
  await page.route('**/api/sync_group_games', (route) => route.fulfill({ status: 502, body: '<html>' }), {
    times: 1,
  })
  await syncButton(page).click()
  await expect(page.getByRole('alert')).toHaveText('Sync failed')
  await expect(syncButton(page)).toBeEnabled()
  await context.setOffline(true)
  await syncButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Sync failed' })).toContainText('Network error.')
  await compare(page).click()
  // What else had not loaded yet names what failed first.
  const failure = page.getByRole('alert').filter({ hasText: /^Network error\./ })
  await expect(failure).toBeVisible({ timeout: 9000 })
  await expect(failure).not.toContainText('Failed to fetch common games.')
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible()
  await context.setOffline(false)
  // By itself (PAGE-19).
  await expect(game(page, 'Portal')).toBeVisible()
})

test('GPAGE-14, GPAGE-15, PAGE-12: hours of all and of each', async ({ page, product, signInAs }) => {
  // Games of no other test: those that the store's answers name are listed first.
  const { mira, path } = await friday(product, {
    mine: { Lemmings: 90, Tetris: 30, 'Only Mine': 5000 },
    theirs: { Lemmings: 29, Tetris: 60_000, 'Only Theirs': 9000 },
  })
  await signInAs(mira, path)
  await expect(game(page, 'Lemmings')).toBeVisible()
  await expect(page).toBeAccessible()
  const release = await hold(page, '**/shared_games')
  await compare(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Loading group games...' })).toBeVisible()
  await expect(compare(page)).toBeDisabled()
  await expect(page).toBeAccessible()
  release()
  await expect(page.getByRole('heading', { level: 2, name: 'Common Games' })).toBeVisible()
  await expect.poll(() => gameNames(page)).toEqual(['Tetris', 'Lemmings'])
  // 30 + 60,000 minutes are 1000.5 hours; 90 + 29 are not quite 2.
  await expect(game(page, 'Tetris')).toContainText('1,001h in total')
  await expect(game(page, 'Tetris').getByRole('listitem')).toHaveText(['Theo1,000h', 'Mira1h'])
  await expect(game(page, 'Lemmings')).toContainText('2h in total')
  await expect(game(page, 'Lemmings').getByRole('listitem')).toHaveText(['Mira2h', 'Theo0h'])
  await expect(game(page, 'Lemmings').locator('img')).toBeVisible()
  await expect(page.getByText('2 games', { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()
})

test("GPAGE-15: 'No common games found for this group.'", async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product, { mine: { Portal: 1 }, theirs: { Dota: 1 } })
  await signInAs(mira, path)
  await compare(page).click()
  await expect(page.getByText(NOTHING_IN_COMMON, { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()
})

test("GPAGE-15: 'No data yet. Sync your friends' games!'", async ({ page, product, signInAs }) => {
  const me = await product.player({ synced: false, games: { Portal: 90 } })
  const { group_id } = await product.group({ owner: me })
  await signInAs(me, `/groups/${group_id}`)
  await expect(page.getByText(NO_DATA, { exact: true })).toBeVisible()
  await expect(await openMissing(page)).toContainText('Your library is not synced yet')
  await expect(page).toBeAccessible()
  await compare(page).click()
  await expect(page.getByText(NO_DATA, { exact: true })).toBeVisible()
  await syncButton(page).click()
  await expect(game(page, 'Portal')).toContainText('2h in total')
  await expect(page.getByText(NO_DATA)).toHaveCount(0)
})

test('GPAGE-27: five of more than six members, a dialog all', async ({ page, product, signInAs }) => {
  const { mira, id, path } = await friday(product)
  const more: TestPlayer[] = []
  for (const [nth, name] of ['Ada', 'Bea', 'Cleo', 'Dora', 'Elsa'].entries())
    more.push(await product.player({ name, friends: [mira], games: { Portal: 600 + 60 * nth } }))
  await product.deps.sync.syncFriends(mira.steam_id)
  const ids = more.map(({ steam_id }) => steam_id)
  await mira.call(api.groups.addMembers, { id }, { steam_ids: ids })
  await signInAs(mira, path)
  await compare(page).click()
  const hours = ['Elsa14h', 'Dora13h', 'Cleo12h', 'Bea11h', 'Ada10h', 'Mira2h', 'Theo0h']
  await expect(game(page, 'Portal').getByRole('listitem')).toHaveText(hours.slice(0, 5))
  const opener = game(page, 'Portal').getByRole('button', { name: 'and 2 more' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName('Hours per member')
  await expect(dialog(page).getByRole('listitem')).toHaveText(hours)
  await expect(page).toBeAccessible()
  for (let nth = 0; nth < 5; nth++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.matches('body, dialog, dialog *'))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('GPAGE-19, API-27: missing members, and why', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await friday(product)
  const [sam] = await friendsOf(product, mira, ['Sam'])
  product.simulator.updatePlayer(sam!.steam_id, { gamesPrivate: true })
  await sam!.call(api.library.fetchGames, { steamId: sam!.steam_id })
  const nora = await product.player({ name: 'Nora', synced: false, gamesPrivate: true })
  const hedi = await product.player({ name: 'Hedi', games: { Dota: 9 } })
  for (const one of [nora, hedi]) product.simulator.befriend(mira.steam_id, one.steam_id)
  await product.deps.sync.syncFriends(mira.steam_id)
  await hedi.call(api.privacy.changeSettings, hedi.user, { library_visibility: 'nobody' })
  const steam_ids = [sam!, nora, hedi].map(({ steam_id }) => steam_id)
  await theo.refused(api.groups.addMembers, { id }, { steam_ids })
  await mira.call(api.groups.addMembers, { id }, { steam_ids })
  for (const one of [sam!, nora, hedi]) await one.call(api.groups.join, { id })
  // Whether the background has come to Nora by now is not this test's business.
  await page.route(`**/api${path}/members`, async (route) => {
    const list = (await (await route.fetch()).json()) as { steam_id: string; library_status: string }[]
    for (const one of list) if (one.steam_id === nora.steam_id) one.library_status = 'never'
    await route.fulfill({ json: list })
  })
  await signInAs(mira, path)
  const missing = await openMissing(page)
  await expect(missing.getByRole('listitem')).toHaveText([
    "Nora's library is not synced yet",
    "Sam's game details are private",
    "Hedi's library is hidden",
  ])
  await expect(missing).toContainText('set "Game details" to Public')
  await expect(member(page, 'Nora')).toContainText('not synced yet')
  await expect(member(page, 'Sam')).toContainText('game details are private')
  await expect(member(page, 'Hedi')).toContainText('library hidden')
  await compare(page).click()
  await expect(game(page, 'Portal').getByRole('listitem')).toHaveText(['Mira2h', 'Theo0h'])
  await expect(page).toBeAccessible()
})
