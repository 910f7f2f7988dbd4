/** GPAGE-1: a group, its members and its picture. */
import type { Page } from '@playwright/test'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import type { TestPlayer } from '../support/product.ts'
import {
  address,
  compare,
  dialog,
  friday,
  friendsOf,
  game,
  games,
  GONE,
  heading,
  leaveButton,
  member,
  members,
  membersOf,
  naturalWidth,
  pictureForm,
  png,
  region,
  removeButton,
  search,
  setPicture,
  suggested,
  suggestion,
  syncButton,
} from './group-page.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  hold,
  oddNames,
  test,
} from './support.ts'

test.describe('GPAGE-1: Group detail', () => {
  test('GPAGE-1: picture and name, and the number of members', async ({ page, product, signedIn }) => {
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

  test("GPAGE-8, GPAGE-9: the owner carries '(Owner)', non-owners have a Remove button", async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [ada!.steam_id] })
    // The button stands there for everybody, not only for the owner (GPAGE-9).
    await signedIn(theo)
    await page.goto(path)
    await expect(members(page).getByRole('listitem')).toHaveCount(3)
    await expect(members(page).getByText('(Owner)')).toHaveCount(1)
    await expect(member(page, 'Mira')).toContainText('(Owner)')
    await expect(member(page, 'Mira').getByRole('button')).toHaveCount(0)
    await expect(removeButton(page, 'Ada')).toHaveAccessibleDescription('Ada')
    // To oneself it is a way out, and called so.
    await expect(leaveButton(page)).toHaveAccessibleDescription('Theo You')
    await expect(removeButton(page, 'Theo')).toHaveCount(0)
    await expectAccessible(page)
  })
})

test.describe('GPAGE-10: removing a member', () => {
  test("GPAGE-10: 'Member removed!', after the page has asked", async ({ page, product, signedIn }) => {
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

  test("GPAGE-11: 'Failed to remove member.' with the server's reason, and the member stays", async ({
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

  test('PERM-10: a member leaves; the page asks, and offers the way back', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, theo, id, path } = await friday(product)
    await signedIn(theo)
    await page.goto(path)
    await compare(page).click()
    await expect(game(page, 'Portal')).toBeVisible()
    await leaveButton(page).click()
    await expect(dialog(page)).toHaveAccessibleName('Leave this group?')
    await expect(dialog(page)).toContainText('Friday will be removed from your groups')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(leaveButton(page)).toBeFocused()
    await leaveButton(page).click()
    await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(page.getByText('You have left this group.')).toBeVisible()
    await expect(heading(page)).toBeFocused()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id])
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to Groups' }).click()
    await expect(page.getByText('You’re not in any groups yet.')).toBeVisible()
  })

  test('UI: who leaves while the group is being synced asks for nothing of it any more', async ({
    page,
    product,
    signedIn,
  }) => {
    const { theo, path } = await friday(product)
    await signedIn(theo)
    await page.goto(path)
    await compare(page).click()
    await expect(game(page, 'Portal')).toBeVisible()
    const releaseSync = await hold(page, '**/sync_group_games')
    await page.getByRole('button', { name: 'Sync Group Games' }).click()
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    await page.route('**/leave', async (route) => {
      const response = await route.fetch()
      // When the sync is done everything about groups is out of date, and this one is not mine any more.
      const synced = page.waitForResponse('**/sync_group_games')
      releaseSync()
      await synced
      await told
      await route.fulfill({ response })
    })
    await leaveButton(page).click()
    await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(page.getByText('9 of 10 syncs left today')).toBeVisible()
    tell()
    await expect(page.getByText('You have left this group.')).toBeVisible()
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

test.describe('GPAGE-5: adding a member', () => {
  const NAMES = Array.from({ length: 10 }, (_, nth) => `Friend ${nth}`)

  test('GPAGE-5, GPAGE-6: 4 suggestions, 8 when typing; they exclude existing members', async ({
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

  test('UI: the page opens at its top, and the focus is not taken to the search', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product)
    await friendsOf(product, mira, NAMES)
    await signedIn(mira)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/groups')
    await page.getByRole('link', { name: 'View Group' }).click()
    await expect(suggested(page).getByRole('option')).toHaveCount(4)
    await expect(heading(page)).toBeFocused()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.goto(path)
    await expect(suggested(page).getByRole('option')).toHaveCount(4)
    await expect(search(page)).not.toBeFocused()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    // It is there as soon as one goes to it.
    await search(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(suggested(page).getByRole('option', { selected: true })).toHaveText('Friend 0')
    await expectAccessible(page)
  })

  test("GPAGE-7: 'Member added!', and who was added is a member and no suggestion any more", async ({
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

  test('GPAGE-7: a second Enter adds nobody else', async ({ page, product, signedIn }) => {
    const { mira, id, path } = await friday(product)
    await friendsOf(product, mira, ['Ada', 'Bea', 'Cleo'])
    await signedIn(mira)
    await page.goto(path)
    await search(page).fill('ad')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(region(page, 'Add Member').getByText('Member added!')).toBeVisible()
    await expect(suggested(page).getByRole('option')).toHaveText(['Bea', 'Cleo'])
    await expect(suggested(page).getByRole('option', { selected: true })).toHaveCount(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await expect(suggested(page).getByRole('option', { selected: true })).toHaveText('Bea')
    expect(await membersOf(mira, id)).toHaveLength(3)
  })

  test('PAGE-16: a double click adds once, and adds nobody else', async ({ page, product, signedIn }) => {
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

  test('UI: friends chosen one after another are all added, and members removed likewise', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, id, path } = await friday(product)
    await friendsOf(product, mira, ['Ada', 'Bea'])
    await signedIn(mira)
    await page.goto(path)
    await expect(suggestion(page, 'Bea')).toBeVisible()
    let release = await hold(page, '**/members')
    await suggestion(page, 'Ada').click()
    await suggestion(page, 'Bea').click()
    release()
    for (const name of ['Ada', 'Bea']) await expect(member(page, name)).toBeVisible()
    expect(await membersOf(mira, id)).toHaveLength(4)

    release = await hold(page, /\/members\/\d+$/)
    for (const name of ['Ada', 'Bea']) {
      await removeButton(page, name).click()
      await dialog(page).getByRole('button', { name: 'Remove' }).click()
      await expect(member(page, name).getByRole('button')).toBeDisabled()
    }
    release()
    for (const name of ['Ada', 'Bea']) await expect(member(page, name)).toHaveCount(0)
    expect(await membersOf(mira, id)).toHaveLength(2)
  })

  test("GPAGE-7: 'Failed to add member.' with the server's reason", async ({
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
    await expect(page.getByText('All your friends are already in this group.')).toBeVisible()
    await expectAccessible(page)
    product.simulator.unfriend(mira.steam_id, theo.steam_id)
    await mira.call(friendsContract.syncFriends, { steamId: mira.steam_id })
    await page.reload()
    await expect(page.getByText('Sync your friends first, then add them here.')).toBeVisible()
    await region(page, 'Add Member').getByRole('link', { name: 'Go to Friends' }).click()
    await expect(page).toHaveURL('/friends')
  })
})

test.describe('GPAGE-3: setting the picture', () => {
  test("GPAGE-3: 'Group picture updated!' for an address, and the picture is shown", async ({
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

  test('PIC-12: an address without a picture is set, and said to have none', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    const { mira, id, path } = await friday(product)
    await signedIn(mira)
    await page.goto(path)
    await address(page).fill('https://nobody.test/a.png')
    await setPicture(page).click()
    const outcome = pictureForm(page).getByRole('status')
    await expect(outcome).toContainText('Group picture updated!')
    await expect(outcome).toContainText('The picture at this URL hasn’t loaded yet.')
    expect((await mira.call(groupsContract.read, { id })).picture_url).toBe('https://nobody.test/a.png')
    await expectAccessible(page)
  })

  test("GPAGE-3: 'Failed to update picture.' with the reason; what was typed stays", async ({
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
    await expect(failure).toContainText('The picture URL must be an http or https URL.')
    await expect(address(page)).toHaveValue('javascript:alert(1)')
    expect((await mira.call(groupsContract.read, { id })).picture_url).toBeNull()
    await expectAccessible(page)
  })

  test('GPAGE-4: without a picture the button does nothing', async ({ page, product, signedIn }) => {
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

  test('API-26: a picture can be uploaded; a file that is no image is refused beside the field', async ({
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

test.describe('GPAGE-21: a group that is not there', () => {
  for (const path of ['/groups/4000000000', '/groups/none', '/groups/0', '/groups/99999999999'])
    test(`GPAGE-21: ${path} says so in place of the content, with the way on`, async ({
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

  test('GPAGE-21: a group of others looks like one that is not there', async ({
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
    test(`GPAGE-21: who was taken out of the group while looking at it is told so by ${what}`, async ({
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

  test('UI: the number of members leads to them, also for who came from another page', async ({
    page,
    product,
    signedIn,
  }) => {
    const { mira, path } = await friday(product)
    await signedIn(mira)
    await page.setViewportSize({ width: 390, height: 700 })
    await page.goto('/groups')
    await page.getByRole('listitem').filter({ hasText: 'Friday' }).getByRole('link').click()
    await expect(page).toHaveURL(path)
    await page.getByRole('link', { name: '2 members' }).click()
    await expect(members(page)).toBeInViewport()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  })

  test('PAGE-2: a group that fails to load, and members that do, say so with a way out', async ({
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
    await expect(suggestion(page, 'Ada').first()).toHaveAttribute('aria-selected', 'true')
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
    await page.keyboard.press('Tab')
    await expect(leaveButton(page)).toBeFocused()
    // The links of the names stand before the buttons.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(removeButton(page, 'Ada')).toBeFocused()
  })

  test('UI: names are any text at all, and nothing scrolls sideways on a telephone', async ({
    page,
    product,
    signedIn,
  }) => {
    const odd = oddNames(64)
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
    await expect(page.getByText('4 of 4 libraries synced.')).toBeVisible()
    for (const name of odd.slice(0, 3)) await expect(members(page).getByText(name)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await expectLargeTargets(page)
    await members(page).getByRole('button', { name: 'Remove' }).nth(1).click()
    await expect(dialog(page)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
