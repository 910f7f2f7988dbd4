/** SPEC.md 2 'Group detail', 5, 6, 8, 9 and CONTRACT.md 'Unknown libraries': one group. */
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const NO_DATA = "No data yet. Sync your friends' games!"
const NOTHING_IN_COMMON = 'No common games found for this group.'
const GONE = 'This group is not there, or you are not a member of it any more.'

const region = (page: Page, name: string) => page.getByRole('region', { name })
const members = (page: Page) => page.getByRole('list', { name: 'Members' })
const member = (page: Page, name: string) => members(page).getByRole('listitem').filter({ hasText: name })
const removeButton = (page: Page, name: string) => member(page, name).getByRole('button', { name: 'Remove' })
const search = (page: Page) => page.getByRole('combobox', { name: 'Search friends to add' })
const suggested = (page: Page) => page.getByRole('listbox', { name: 'Friends who can be added' })
const suggestion = (page: Page, name: string) => suggested(page).getByRole('option', { name })
const pictureForm = (page: Page) => region(page, 'Set Picture')
const address = (page: Page) => pictureForm(page).getByRole('textbox', { name: 'Picture address' })
const setPicture = (page: Page) => pictureForm(page).getByRole('button', { name: 'Set Picture' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** The one at the heading; before the first comparison there is another one where the games will be. */
const compare = (page: Page) => page.getByRole('button', { name: 'Compare Group Games' }).first()
const syncButton = (page: Page) => page.getByRole('button', { name: 'Sync Group Games' })
const games = (page: Page) => page.getByRole('list', { name: 'Common Games' })
const game = (page: Page, name: string) => games(page).getByRole('article').filter({ hasText: name })
const gameNames = (page: Page) => games(page).getByRole('heading', { level: 3 }).allTextContents()
const dialog = (page: Page) => page.getByRole('dialog')
const naturalWidth = (picture: Locator) => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)

const membersOf = async (player: TestPlayer, id: number) =>
  (await player.call(groupsContract.members, { id })).map(({ steam_id }) => steam_id)

async function png(): Promise<Buffer> {
  return sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
}

/** Mira, who owns a group with her friend Theo in it. */
async function friday(
  product: Product,
  {
    mine = { Portal: 90, Dota: 30 },
    theirs = { Portal: 29, Dota: 600 },
  }: { mine?: Record<string, number>; theirs?: Record<string, number> } = {},
) {
  const theo = await product.player({ name: 'Theo', games: theirs })
  const mira = await product.player({ name: 'Mira', games: mine, friends: [theo] })
  const { group_id: id } = await product.group({ owner: mira, members: [theo], name: 'Friday' })
  return { mira, theo, id, path: `/groups/${id}` }
}

/** Friends of somebody who are known here and own nothing. */
async function friendsOf(product: Product, player: TestPlayer, names: string[]): Promise<TestPlayer[]> {
  const friends: TestPlayer[] = []
  for (const name of names) friends.push(await product.player({ name, friends: [player] }))
  await product.deps.sync.syncFriends(player.steam_id)
  return friends
}

test.describe('SPEC 2: Group detail', () => {
  test('SPEC 2: picture and name, and the number of members', async ({ page, product, signedIn }) => {
    const { mira, path } = await friday(product)
    const upload = new FormData()
    upload.append('picture', new Blob([new Uint8Array(await png())], { type: 'image/png' }), 'crew.png')
    expect((await mira.request(`/api${path}/picture`, { method: 'POST', body: upload })).status).toBe(200)
    await signedIn(mira)
    await page.goto(path)
    await expect(heading(page)).toHaveAccessibleName('Friday')
    await expect(page).toHaveTitle('Friday · Shelfmates')
    await expect(page.getByText('2 members', { exact: true })).toBeVisible()
    await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(32)
    await expectAccessible(page)
  })

  test("SPEC 2: the owner carries '(Owner)', non-owners have a Remove button", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [ada!.steam_id] })
    // The button stands there for everybody, not only for the owner (SPEC.md 6).
    await signedIn(theo)
    await page.goto(path)
    await expect(members(page).getByRole('listitem')).toHaveCount(3)
    await expect(members(page).getByText('(Owner)')).toHaveCount(1)
    await expect(member(page, 'Mira')).toContainText('(Owner)')
    await expect(member(page, 'Mira').getByRole('button')).toHaveCount(0)
    await expect(removeButton(page, 'Theo')).toBeVisible()
    await expect(removeButton(page, 'Ada')).toHaveAccessibleDescription('Ada')
    await expectAccessible(page)
  })
})

test.describe('SPEC 8: removing a member', () => {
  test("SPEC 8: 'Member removed!', after the page has asked", async ({ page, product, signedIn }) => {
    const { mira, theo, id, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await removeButton(page, 'Theo').click()
    await expect(dialog(page)).toHaveAccessibleName('Remove from the group?')
    await expect(dialog(page)).toContainText('Theo will no longer see this group')
    await expectAccessible(page)
    await dialog(page).getByText('Cancel').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(removeButton(page, 'Theo')).toBeFocused()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id, theo.steam_id])

    await removeButton(page, 'Theo').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).dblclick()
    await expect(region(page, 'Members').getByText('Member removed!')).toBeVisible()
    await expect(member(page, 'Theo')).toHaveCount(0)
    await expect(page.getByText('1 members', { exact: true })).toBeVisible()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id])
    // Theo can be added again.
    await expect(suggestion(page, 'Theo')).toBeVisible()
    await expectAccessible(page)
  })

  test("SPEC 8: 'Failed to remove member.' with the server's reason, and the member stays", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 403/)
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [ada!.steam_id] })
    await signedIn(theo)
    await page.goto(path)
    await removeButton(page, 'Ada').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    const failure = region(page, 'Members').getByRole('alert')
    await expect(failure).toContainText('Failed to remove member.')
    await expect(failure).toContainText('Only the owner of the group may remove other members.')
    await expect(removeButton(page, 'Ada')).toBeEnabled()
    await expect(removeButton(page, 'Ada')).toBeFocused()
    expect(await membersOf(mira, id)).toContain(ada!.steam_id)
    await expectAccessible(page)
  })

  test('CONTRACT Who may do what: a member leaves; the page asks, and goes back to the groups', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, id, path } = await friday(product)
    await signedIn(theo)
    await page.goto(path)
    await compare(page).click()
    await expect(game(page, 'Portal')).toBeVisible()
    await removeButton(page, 'Theo').click()
    await expect(dialog(page)).toHaveAccessibleName('Leave this group?')
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Leave Group' }).click()
    await expect(page).toHaveURL('/groups')
    await expect(page.getByText('You are in no group yet.')).toBeVisible()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id])
  })

  test('UI: a member who is gone already goes from the list too', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    const { mira, theo, id, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await expect(member(page, 'Theo')).toBeVisible()
    await theo.call(groupsContract.removeMember, { id, steamId: theo.steam_id })
    await removeButton(page, 'Theo').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await expect(region(page, 'Members').getByRole('alert')).toContainText('Failed to remove member.')
    await expect(member(page, 'Theo')).toHaveCount(0)
    await expect(heading(page)).toHaveAccessibleName('Friday')
  })
})

test.describe('SPEC 5: adding a member', () => {
  const NAMES = Array.from({ length: 10 }, (_, nth) => `Friend ${nth}`)

  test('SPEC 9: 4 suggestions, 8 when typing; they exclude existing members', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product)
    await friendsOf(product, mira, NAMES)
    await signedIn(mira)
    await page.goto(path)
    const options = suggested(page).getByRole('option')
    await expect(options).toHaveCount(4)
    await search(page).fill('fRiEnD')
    await expect(options).toHaveCount(8)
    await expectAccessible(page)
    await search(page).fill('end 7')
    await expect(options).toHaveText(['Friend 7'])
    await search(page).fill('Theo')
    await expect(options).toHaveCount(0)
    await expect(region(page, 'Add Member').getByText('No friends found')).toBeVisible()
    await expectAccessible(page)
    await search(page).fill('')
    await expect(options).toHaveCount(4)
  })

  test("SPEC 8: 'Member added!', and who was added is a member and no suggestion any more", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada', 'Bea'])
    await signedIn(mira)
    await page.goto(path)
    await search(page).fill('ad')
    await suggestion(page, 'Ada').click()
    await expect(region(page, 'Add Member').getByText('Member added!')).toBeVisible()
    await expect(member(page, 'Ada')).toBeVisible()
    await expect(page.getByText('3 members', { exact: true })).toBeVisible()
    await expect(search(page)).toHaveValue('')
    await expect(suggested(page).getByRole('option')).toHaveText(['Bea'])
    expect(await membersOf(mira, id)).toEqual([mira.steam_id, theo.steam_id, ada!.steam_id])
    await expectAccessible(page)
  })

  test('SPEC 5: a double click adds once, and adds nobody else', async ({ page, product, signedIn }) => {
    const { mira, id, path } = await friday(product)
    await friendsOf(product, mira, ['Ada', 'Bea', 'Cleo'])
    await signedIn(mira)
    await page.goto(path)
    let calls = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/members')) calls += 1
    })
    await suggestion(page, 'Ada').dblclick()
    await expect(member(page, 'Ada')).toBeVisible()
    await expect(region(page, 'Add Member').getByText('Member added!')).toBeVisible()
    expect(calls).toBe(1)
    expect(await membersOf(mira, id)).toHaveLength(3)
  })

  test("SPEC 8: 'Failed to add member.' with the server's reason", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 403/)
    const { mira, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada'])
    await signedIn(mira)
    await page.goto(path)
    await expect(suggestion(page, 'Ada')).toBeVisible()
    product.simulator.unfriend(mira.steam_id, ada!.steam_id)
    await mira.call(friendsContract.syncFriends, { steamId: mira.steam_id })
    await ada!.call(friendsContract.syncFriends, { steamId: ada!.steam_id })
    await suggestion(page, 'Ada').click()
    const failure = region(page, 'Add Member').getByRole('alert')
    await expect(failure).toContainText('Failed to add member.')
    await expect(failure).toContainText('You are not connected with this player.')
    await expect(member(page, 'Ada')).toHaveCount(0)
    expect(await membersOf(mira, id)).toHaveLength(2)
    await expectAccessible(page)
  })

  test('UI: who has nobody to add reads why', async ({ page, product, signedIn }) => {
    const { mira, theo, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await expect(page.getByText('There is no friend left to add.')).toBeVisible()
    await expectAccessible(page)
    product.simulator.unfriend(mira.steam_id, theo.steam_id)
    await mira.call(friendsContract.syncFriends, { steamId: mira.steam_id })
    await page.reload()
    await expect(page.getByText('Sync your friends first, then add them here.')).toBeVisible()
    await region(page, 'Add Member').getByRole('link', { name: 'Go to Friends' }).click()
    await expect(page).toHaveURL('/friends')
  })
})

test.describe('SPEC 8: setting the picture', () => {
  test("SPEC 8: 'Group picture updated!' for an address, and the picture is shown", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product)
    const other = await product.group({ owner: mira, name: 'Other' })
    const upload = new FormData()
    upload.append('picture', new Blob([new Uint8Array(await png())], { type: 'image/png' }), 'crew.png')
    const uploaded = await mira.request(`/api/groups/${other.group_id}/picture`, {
      method: 'POST',
      body: upload,
    })
    const { picture_url } = (await uploaded.json()) as { picture_url: string }
    await signedIn(mira)
    await page.goto(path)
    await expect(heading(page).locator('img')).toHaveCount(0)
    await address(page).fill(`  ${product.url}${picture_url} `)
    await setPicture(page).click()
    await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
    await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(32)
    await expect(address(page)).toHaveValue('')
    await expectAccessible(page)
  })

  test("SPEC 8: 'Failed to update picture.' with the reason; what was typed stays", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 400/)
    const { mira, id, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await address(page).fill('javascript:alert(1)')
    await setPicture(page).click()
    const failure = pictureForm(page).getByRole('alert')
    await expect(failure).toContainText('Failed to update picture.')
    await expect(failure).toContainText('The picture address must be an http or https address.')
    await expect(address(page)).toHaveValue('javascript:alert(1)')
    expect((await mira.call(groupsContract.read, { id })).picture_url).toBeNull()
    await expectAccessible(page)
  })

  test('SPEC 5: without a picture the button does nothing', async ({ page, product, signedIn }) => {
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await address(page).fill('   ')
    await setPicture(page).click()
    await address(page).fill('javascript:alert(1)')
    await address(page).fill('')
    await setPicture(page).click()
    await expect(pictureForm(page).getByRole('alert')).toHaveCount(0)
    // What is asked for afterwards is asked for alone.
    await syncButton(page).click()
    await expect(page.getByText('Group sync complete!')).toBeVisible()
    expect(posts.map((url) => new URL(url).pathname)).toEqual(['/api/sync_group_games'])
  })

  test('CONTRACT Calls: a picture can be uploaded; a file that is no image is refused beside the field', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    const file = pictureForm(page).getByLabel('Or upload a picture')
    const upload = pictureForm(page).getByRole('button', { name: 'Upload Picture' })
    await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await expect(file).toHaveAccessibleDescription('Please choose an image file.')
    await expect(upload).toHaveCount(0)
    await file.setInputFiles({ name: 'crew.png', mimeType: 'image/png', buffer: await png() })
    await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible()
    await expectAccessible(page)
    await upload.click()
    await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
    await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(32)
    await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toHaveCount(0)
  })
})

test.describe('SPEC 8: syncing the games of the group', () => {
  test("SPEC 8: 'Group sync complete!', says for whom it worked, and the comparison is new", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, path } = await friday(product)
    product.simulator.setGames(
      theo.steam_id,
      ['Portal', 'Dota'].map((name) => ({
        appid: product.appidOf(name),
        minutes: 6000,
        recentMinutes: 0,
        lastPlayed: 0,
      })),
    )
    await signedIn(mira)
    await page.goto(path)
    await compare(page).click()
    await expect(game(page, 'Portal')).toContainText('2h together')
    await expect(page.getByText('10 of 10 syncs left')).toBeVisible()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/sync_group_games', async (route) => {
      await held.promise
      await route.continue()
    })
    await syncButton(page).dblclick()
    await expect(page.getByRole('button', { name: 'Syncing...' })).toBeDisabled()
    await expectAccessible(page)
    held.resolve()
    await expect(page.getByText('Group sync complete!')).toBeVisible()
    await expect(page.getByText('2 of 2 libraries were read.')).toBeVisible()
    await expect(game(page, 'Portal')).toContainText('102h together')
    await expect(page.getByText('9 of 10 syncs left')).toBeVisible()
    await expect(syncButton(page)).toBeEnabled()
  })

  test('CONTRACT Syncs: one bad library does not fail the others, and is named', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, path } = await friday(product)
    product.simulator.updatePlayer(theo.steam_id, { gamesPrivate: true })
    await signedIn(mira)
    await page.goto(path)
    await syncButton(page).click()
    await expect(page.getByText('1 of 2 libraries were read.')).toBeVisible()
    await expect(page.getByText("Theo's game details are private.")).toBeVisible()
    await expect(member(page, 'Theo')).toContainText('game details are private')
    await expectAccessible(page)
  })

  test("SPEC 8: the server's error, such as that no sync is left today", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 429/)
    const { mira, path } = await friday(product)
    for (let nth = 0; nth < 10; nth++) await mira.call(libraryContract.fetchGames, { steamId: mira.steam_id })
    await signedIn(mira)
    await page.goto(path)
    await expect(page.getByText(/^All 10 syncs of the last 24 hours are used\./)).toBeVisible()
    await syncButton(page).click()
    await expect(page.getByRole('alert')).toHaveText('Daily sync limit reached.')
    await expect(page.getByText('Sync failed')).toHaveCount(0)
    await expectAccessible(page)
  })

  test("SPEC 8: 'Sync failed' where the server gives no text, and without a connection", async ({
    page,
    context,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 502/, /net::ERR_/)
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
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
    await context.setOffline(false)
  })
})

test.describe('SPEC 2: Common Games', () => {
  test("SPEC 2: 'Compare Group Games' shows cards with total hours and per-member hours, minutes / 60 rounded", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product, {
      mine: { Portal: 90, Dota: 30, 'Only Mine': 5000 },
      theirs: { Portal: 29, Dota: 60_000, 'Only Theirs': 9000 },
    })
    await signedIn(mira)
    await page.goto(path)
    await expect(page.getByText('Press Compare Group Games to see every game')).toBeVisible()
    await expectAccessible(page)
    const held = Promise.withResolvers<void>()
    await page.route('**/shared_games', async (route) => {
      await held.promise
      await route.continue()
    })
    await compare(page).click()
    await expect(page.getByText('Loading group games...')).toBeVisible()
    held.resolve()
    await expect(page.getByRole('heading', { level: 2, name: 'Common Games' })).toBeVisible()
    await expect.poll(() => gameNames(page)).toEqual(['Dota', 'Portal'])
    // 30 + 60,000 minutes are 1000.5 hours; 90 + 29 are not quite 2.
    await expect(game(page, 'Dota')).toContainText('1001h together')
    await expect(game(page, 'Dota').getByRole('listitem')).toHaveText(['Theo1000h', 'Mira1h'])
    await expect(game(page, 'Portal')).toContainText('2h together')
    await expect(game(page, 'Portal').getByRole('listitem')).toHaveText(['Mira2h', 'Theo0h'])
    await expect(game(page, 'Portal').locator('img')).toBeVisible()
    await expect(page.getByText('2 games', { exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test("SPEC 2: 'Loading group games...' stands over the shape of what comes", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    // What is held is cut off in the end.
    expectedErrors.push(/net::ERR_/)
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    const over = Promise.withResolvers<void>()
    await page.route('**/shared_games', async (route) => {
      await over.promise
      await route.abort().catch(() => undefined)
    })
    await compare(page).click()
    await expect(page.getByRole('status').filter({ hasText: 'Loading group games...' })).toBeVisible()
    await expect(compare(page)).toBeDisabled()
    await expectAccessible(page)
    over.resolve()
  })

  test("SPEC 2: 'No common games found for this group.' where libraries have nothing in common", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product, { mine: { Portal: 1 }, theirs: { Dota: 1 } })
    await signedIn(mira)
    await page.goto(path)
    await compare(page).click()
    await expect(page.getByText(NOTHING_IN_COMMON, { exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test("SPEC 2: 'No data yet. Sync your friends' games!' where no library is known; a sync of the group brings them", async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ synced: false, games: { Portal: 90 } })
    const { group_id } = await product.group({ owner: me })
    await signedIn(me)
    await page.goto(`/groups/${group_id}`)
    await expect(page.getByText(NO_DATA, { exact: true })).toBeVisible()
    await expect(page.getByText('Your library is not synced yet')).toBeVisible()
    await expectAccessible(page)
    await compare(page).click()
    await expect(page.getByText(NO_DATA, { exact: true })).toBeVisible()
    await syncButton(page).click()
    await expect(game(page, 'Portal')).toContainText('2h together')
    await expect(page.getByText(NO_DATA)).toHaveCount(0)
  })

  test("SPEC 8: 'Failed to fetch common games.' within 9 seconds, and a way out", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await page.route('**/shared_games', (route) =>
      route.fulfill({ status: 500, json: { error: 'The shelf fell over.', code: 'internal' } }),
    )
    await compare(page).click()
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to fetch common games.' })
    await expect(failure).toBeVisible({ timeout: 9000 })
    await expect(failure).toContainText('The shelf fell over.')
    const [red, green] = await failure
      .getByText('Failed to fetch common games.')
      .evaluate((text) => getComputedStyle(text).color.match(/\d+/g)!.map(Number))
    expect(red).toBeGreaterThan(green! + 80)
    await expectAccessible(page)
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(game(page, 'Portal')).toBeVisible()
  })

  test("SPEC 8: 'Network error.' without a connection", async ({
    page,
    context,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/net::ERR_/)
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await expect(member(page, 'Theo')).toBeVisible()
    await context.setOffline(true)
    await compare(page).click()
    const failure = page.getByRole('alert').filter({ hasText: 'Network error.' })
    await expect(failure).toBeVisible({ timeout: 9000 })
    await expect(failure).not.toContainText('Failed to fetch common games.')
    await context.setOffline(false)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(game(page, 'Portal')).toBeVisible()
  })

  test('UI: of more than four members a card shows the first four, and a dialog all of them', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, id, path } = await friday(product)
    const more: TestPlayer[] = []
    for (const [nth, name] of ['Ada', 'Bea', 'Cleo', 'Dora'].entries())
      more.push(await product.player({ name, friends: [mira], games: { Portal: 600 + 60 * nth } }))
    await product.deps.sync.syncFriends(mira.steam_id)
    const ids = more.map(({ steam_id }) => steam_id)
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: ids })
    await signedIn(mira)
    await page.goto(path)
    await compare(page).click()
    const hours = ['Dora13h', 'Cleo12h', 'Bea11h', 'Ada10h', 'Mira2h', 'Theo0h']
    await expect(game(page, 'Portal').getByRole('listitem')).toHaveText(hours.slice(0, 4))
    const opener = game(page, 'Portal').getByRole('button', { name: 'and 2 more' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveAccessibleName('Hours of everybody')
    await expect(dialog(page).getByRole('listitem')).toHaveText(hours)
    await expectAccessible(page)
    for (let nth = 0; nth < 5; nth++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.matches('body, dialog, dialog *'))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(opener).toBeFocused()
  })

  test('UI: common games are searched, filtered and sorted; at 1280 the search has room', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product, {
      mine: { Portal: 0, Dota: 30, Éclair: 60 },
      theirs: { Portal: 900, Dota: 600, Éclair: 60 },
    })
    await signedIn(mira)
    await page.goto(path)
    await page.route('**/shared_games', async (route) => {
      const list = (await (await route.fetch()).json()) as { name: string; modes: string[] }[]
      for (const one of list) one.modes = one.name === 'Dota' ? ['coop', 'online'] : ['single']
      await route.fulfill({ json: list })
    })
    await compare(page).click()
    await expect.poll(() => gameNames(page)).toEqual(['Portal', 'Dota', 'Éclair'])
    const box = page.getByRole('searchbox', { name: 'Search common games' })
    expect((await box.boundingBox())!.width).toBeGreaterThan(250)
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Most players')
    await expect.poll(() => gameNames(page)).toEqual(['Dota', 'Éclair', 'Portal'])
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('A-Z')
    await expect.poll(() => gameNames(page)).toEqual(['Dota', 'Éclair', 'Portal'])
    await page.getByRole('combobox', { name: 'Way to play' }).selectOption('Playable together')
    await expect.poll(() => gameNames(page)).toEqual(['Dota'])
    await box.fill('portal')
    await expect(page.getByText('No common game matches.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show all games' }).click()
    await expect.poll(() => gameNames(page)).toEqual(['Portal', 'Dota', 'Éclair'])
  })
})

test.describe('CONTRACT Unknown libraries', () => {
  test('CONTRACT Unknown libraries: the page says who is missing and why, and the others are compared', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, id, path } = await friday(product)
    const [sam] = await friendsOf(product, mira, ['Sam'])
    product.simulator.updatePlayer(sam!.steam_id, { gamesPrivate: true })
    await sam!.call(libraryContract.fetchGames, { steamId: sam!.steam_id })
    const nora = await product.player({ name: 'Nora', synced: false, gamesPrivate: true })
    const hedi = await product.player({ name: 'Hedi', games: { Dota: 9 } })
    for (const one of [nora, hedi]) product.simulator.befriend(mira.steam_id, one.steam_id)
    await product.deps.sync.syncFriends(mira.steam_id)
    await hedi.call(
      privacyContract.changeSettings,
      { steamId: hedi.steam_id },
      { library_visibility: 'nobody' },
    )
    const steam_ids = [sam!, nora, hedi].map(({ steam_id }) => steam_id)
    await theo.refused(groupsContract.addMembers, { id }, { steam_ids })
    await mira.call(groupsContract.addMembers, { id }, { steam_ids })
    // Whether the background has come to Nora by now is not this test's business.
    await page.route(`**/api${path}/members`, async (route) => {
      const list = (await (await route.fetch()).json()) as { steam_id: string; library_status: string }[]
      for (const one of list) if (one.steam_id === nora.steam_id) one.library_status = 'never'
      await route.fulfill({ json: list })
    })
    await signedIn(mira)
    await page.goto(path)
    const missing = page.getByRole('group', { name: 'Not counted' })
    await expect(missing.getByRole('listitem')).toHaveText([
      'Nora is not synced yet',
      "Sam's game details are private",
      'Hedi hides their library here',
    ])
    await expect(missing).toContainText('set "Game details" to Public')
    await expect(member(page, 'Nora')).toContainText('not synced yet')
    await expect(member(page, 'Sam')).toContainText('game details are private')
    await expect(member(page, 'Hedi')).toContainText('library hidden here')
    await compare(page).click()
    await expect(game(page, 'Portal').getByRole('listitem')).toHaveText(['Mira2h', 'Theo0h'])
    await expectAccessible(page)
  })

  test('CONTRACT Unknown libraries: who hides a library reads that it counts for them alone', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product)
    await mira.call(
      privacyContract.changeSettings,
      { steamId: mira.steam_id },
      { library_visibility: 'nobody' },
    )
    await signedIn(mira)
    await page.goto(path)
    await expect(page.getByText('Your games count for you alone: you hide your library here')).toBeVisible()
    await compare(page).click()
    await expect(game(page, 'Portal').getByRole('listitem')).toHaveText(['Mira2h', 'Theo0h'])
  })
})

test.describe('CONTRACT Answers: a group that is not there', () => {
  for (const path of ['/groups/4000000000', '/groups/none', '/groups/0', '/groups/99999999999'])
    test(`CONTRACT Answers: ${path} says so in place of the content, with the way on`, async ({
      page,
      product,
      signedIn,
      expectedErrors,
    }) => {
      expectedErrors.push(/status of 404/)
      await signedIn(await product.player())
      await page.goto(path)
      await expect(page.getByText(GONE)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Back to Groups' }).click()
      await expect(page).toHaveURL('/groups')
    })

  test('CONTRACT Answers: a group of others looks like one that is not there', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    const { path } = await friday(product)
    await signedIn(await product.player())
    await page.goto(path)
    await expect(page.getByText(GONE)).toBeVisible()
    await expect(page.getByText('Friday')).toHaveCount(0)
  })

  const ways = {
    comparing: (page: Page) => compare(page).click(),
    'adding somebody': (page: Page) => suggestion(page, 'Ada').click(),
    'setting a picture': async (page: Page) => {
      await address(page).fill('https://example.org/a.png')
      await setPicture(page).click()
    },
  }
  for (const [what, act] of Object.entries(ways))
    test(`CONTRACT Answers: who was taken out of the group while looking at it is told so by ${what}`, async ({
      page,
      product,
      signedIn,
      expectedErrors,
    }) => {
      expectedErrors.push(/status of 404/)
      const { mira, theo, id, path } = await friday(product)
      await friendsOf(product, theo, ['Ada'])
      await signedIn(theo)
      await page.goto(path)
      await expect(suggestion(page, 'Ada')).toBeVisible()
      await mira.call(groupsContract.removeMember, { id, steamId: theo.steam_id })
      await act(page)
      await expect(page.getByText(GONE)).toBeVisible()
      await expect(page.getByText('Friday')).toHaveCount(0)
    })

  test('SPEC 8: a group that fails to load, and members that do, say so with a way out', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.route(`**/api${path}`, (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto(path)
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to fetch group' })
    await expect(failure).toBeVisible({ timeout: 9000 })
    await expectAccessible(page)
    await page.unrouteAll()
    await page.route(`**/api${path}/members`, (route) => route.fulfill({ status: 500, body: '' }))
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(heading(page)).toHaveAccessibleName('Friday')
    const membersFailure = region(page, 'Members').getByRole('alert')
    await expect(membersFailure).toContainText('Failed to fetch members', { timeout: 9000 })
    await expectAccessible(page)
    await page.unrouteAll()
    await membersFailure.getByRole('button', { name: 'Try again' }).click()
    await expect(member(page, 'Theo')).toBeVisible()
  })
})

test.describe('UI: by keys, and on a telephone', () => {
  test('UI: everything can be done with the keyboard', async ({ page, product, signedIn }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada', 'Adam', 'Bea'])
    await signedIn(mira)
    await page.goto(path)
    await expect(suggestion(page, 'Bea')).toBeVisible()
    await syncButton(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Group sync complete!')).toBeVisible()
    await expect(syncButton(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(compare(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(game(page, 'Portal')).toBeVisible()
    await expect(compare(page)).toBeFocused()

    // Tab goes on without adding whoever is highlighted.
    await search(page).focus()
    await page.keyboard.type('ada')
    await expect(suggested(page).getByRole('option')).toHaveText(['Ada', 'Adam'])
    await page.keyboard.press('ArrowDown')
    await expect(suggestion(page, 'Adam')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Tab')
    await expect(search(page)).not.toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(search(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(search(page)).toHaveValue('')
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    await expect(member(page, 'Ada')).toBeVisible()
    await expect(search(page)).toBeFocused()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id, theo.steam_id, ada!.steam_id])

    await removeButton(page, 'Theo').focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    for (let nth = 0; nth < 5; nth++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.matches('body, dialog, dialog *'))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(removeButton(page, 'Theo')).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Member removed!')).toBeVisible()
    // The row is gone with its button; the next Tab goes on in the list of members.
    await page.keyboard.press('Tab')
    await expect(removeButton(page, 'Ada')).toBeFocused()
  })

  test('UI: names are any text at all, and nothing scrolls sideways on a telephone', async ({
    page,
    product,
    signedIn,
  }) => {
    const odd = [
      '<img src=x onerror=alert(1)>',
      'W'.repeat(64),
      'لعبة العروش',
      '\u202Eright to left',
      '🎮'.repeat(20),
      'Z̷̢͎a̵l̶g̸o̴',
    ]
    const mira = await product.player({ name: 'M'.repeat(64), games: { ['G'.repeat(100)]: 90 } })
    const friends: TestPlayer[] = []
    for (const name of odd)
      friends.push(await product.player({ name, friends: [mira], games: { ['G'.repeat(100)]: 90 } }))
    await product.deps.sync.syncFriends(mira.steam_id)
    const { group_id } = await product.group({
      owner: mira,
      members: friends.slice(0, 3),
      name: 'W'.repeat(100),
    })
    await signedIn(mira, 'M'.repeat(64))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/groups/${group_id}`)
    await expect(members(page).getByRole('listitem')).toHaveCount(4)
    await expect(suggested(page).getByRole('option')).toHaveCount(3)
    await compare(page).click()
    await expect(games(page).getByRole('article')).toHaveCount(1)
    await syncButton(page).click()
    await expect(page.getByText('4 of 4 libraries were read.')).toBeVisible()
    for (const name of odd.slice(0, 3)) await expect(members(page).getByText(name)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    const targets = await page
      .locator('main')
      .locator('a, button, input, select, summary, [role=option]')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)))
    expect(Math.min(...targets)).toBeGreaterThanOrEqual(44)
    await members(page).getByRole('button', { name: 'Remove' }).nth(1).click()
    await expect(dialog(page)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
