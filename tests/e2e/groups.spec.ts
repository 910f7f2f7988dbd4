/** GLIST-1 and GLIST-7, PAGE-5: my groups, and creating one. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { groupsContract } from '#shared/contract/groups.ts'
import type { TestPlayer } from '../support/product.ts'
import {
  breakCalls,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  hold,
  oddNames,
  test,
} from './support.ts'

const EMPTY = 'You’re not in any groups yet. Create one, then add your friends.'

const list = (page: Page) => page.getByRole('region', { name: 'My groups' })
const card = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
const form = (page: Page) => page.getByRole('region', { name: 'Create Group' })
const nameField = (page: Page) => form(page).getByRole('textbox', { name: 'Group name' })
const pictureField = (page: Page) => form(page).getByLabel('Picture (optional)')
const create = (page: Page) => form(page).getByRole('button', { name: 'Create Group' })
const preview = (page: Page) => page.getByRole('img', { name: 'Preview of the chosen picture' })

const png = async (width = 32, height = 32) => ({
  name: 'crew.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer(),
})

const groupsOf = async (player: TestPlayer) =>
  (await player.call(groupsContract.list, { steamId: player.steam_id })).groups

/** The calls that change something, in the order they were made. */
function changesOf(page: Page): string[] {
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') changes.push(new URL(request.url()).pathname)
  })
  return changes
}

test.describe('GLIST-1: Groups', () => {
  test("GLIST-2: lists groups with picture, name, '{n} members' and a View Group link", async ({
    page,
    product,
    signedIn,
  }) => {
    const friend = await product.player()
    const me = await product.player({ friends: [friend] })
    const pictured = await product.group({ owner: me, members: [friend], name: 'Friday night crew' })
    await product.group({ owner: me, name: 'Alone' })
    const upload = new FormData()
    upload.append('picture', new Blob([(await png()).buffer], { type: 'image/png' }), 'crew.png')
    const path = `/api/groups/${pictured.group_id}/picture`
    expect((await me.request(path, { method: 'POST', body: upload })).status).toBe(200)
    await signedIn(me)
    await page.goto('/groups')

    await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
    await expect(page).toHaveTitle('Groups · Shelfmates')
    await expect(list(page).getByRole('listitem')).toHaveCount(2)
    await expect(card(page, 'Friday night crew')).toContainText('2 members')
    await expect(card(page, 'Alone')).toContainText('1 members')
    const picture = card(page, 'Friday night crew').locator('img').first()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    await expect(card(page, 'Alone').locator('[aria-hidden] img')).toHaveCount(0)
    await expectAccessible(page)
    await card(page, 'Friday night crew').getByRole('link', { name: 'View Group' }).click()
    await expect(page).toHaveURL(`/groups/${pictured.group_id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Friday night crew' })).toBeVisible()
  })

  test('UI: who is in no group reads how to get one', async ({ page, product, signedIn }) => {
    await signedIn(await product.player())
    await page.goto('/groups')
    await expect(page.getByText(EMPTY, { exact: true })).toBeVisible()
    await expect(create(page)).toBeVisible()
    await expectAccessible(page)
  })

  test('API-2: the answer may be a list, or an object with groups', async ({ page, product, signedIn }) => {
    const me = await product.player()
    await product.group({ owner: me, name: 'Friday' })
    const groups = await groupsOf(me)
    await signedIn(me)
    for (const json of [groups, { groups }]) {
      await page.route(`**/api/users/${me.steam_id}/groups`, (route) => route.fulfill({ json }))
      await page.goto('/groups')
      await expect(card(page, 'Friday')).toContainText('1 members')
      await page.unrouteAll()
    }
  })

  test('PAGE-2, PAGE-3: a list that fails to load says so in red within 9 seconds, and has a way out', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const me = await product.player()
    await product.group({ owner: me, name: 'Friday' })
    await signedIn(me)
    await breakCalls(page, `**/api/users/${me.steam_id}/groups`, 'The table fell over.')
    await page.goto('/groups')
    const failure = list(page).getByRole('alert')
    await expect(failure).toContainText('Failed to fetch groups', { timeout: 9000 })
    await expect(failure).toContainText('The table fell over.')
    await expectAccessible(page)
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, 'Friday')).toBeVisible()
    await expect(list(page).getByRole('alert')).toHaveCount(0)
  })
})

test.describe('GLIST-8: creating a group', () => {
  test('GLIST-8: success goes to the new group page, and the list has the group', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player()
    await signedIn(me)
    await page.goto('/groups')
    await expect(page.getByText(EMPTY)).toBeVisible()
    await nameField(page).fill('  Friday night crew ')
    await create(page).click()
    await expect(page).toHaveURL(/\/groups\/\d+$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Friday night crew' })).toBeVisible()
    const [created, ...others] = await groupsOf(me)
    expect(created).toMatchObject({ name: 'Friday night crew', owner_steam_id: me.steam_id, member_count: 1 })
    expect(others).toEqual([])
    await expect(page).toHaveURL(`/groups/${created!.group_id}`)
    await page.goBack()
    await expect(card(page, 'Friday night crew')).toContainText('1 members')
    await expect(nameField(page)).toHaveValue('')
  })

  test('GLIST-7: with an image: preview, create, upload, then the group page shows it', async ({
    page,
    product,
    signedIn,
  }) => {
    await signedIn(await product.player())
    await page.goto('/groups')
    const changes = changesOf(page)
    await nameField(page).fill('Friday')
    await pictureField(page).setInputFiles(await png())
    await expect(preview(page)).toBeVisible()
    await expect(form(page)).toContainText('crew.png')
    await expectAccessible(page)
    await create(page).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Friday' })
    await expect(heading).toBeVisible()
    const picture = heading.locator('img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(32)
    const id = /\d+$/.exec(page.url())![0]
    expect(changes).toEqual(['/api/groups', `/api/groups/${id}/picture`])
  })

  test('LIM-6: a picture that only the server can refuse: the group is there and its page says why', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 413/)
    const me = await product.player()
    await signedIn(me)
    await page.goto('/groups')
    await nameField(page).fill('Friday')
    await pictureField(page).setInputFiles(await png(6500, 6200))
    await expect(preview(page)).toBeVisible()
    await create(page).click()
    const said = page.getByRole('alert').filter({ hasText: 'the picture couldn’t be uploaded' })
    await expect(said).toContainText('The picture is larger than 5 MB or 40 megapixels.')
    await expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible()
    expect(await groupsOf(me)).toHaveLength(1)
    await expectAccessible(page)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible()
    await expect(said).toHaveCount(0)
  })

  test('PAGE-16: a double click creates one group', async ({ page, product, signedIn }) => {
    const me = await product.player()
    await signedIn(me)
    await page.goto('/groups')
    await nameField(page).fill('Friday')
    await create(page).dblclick()
    await expect(page).toHaveURL(/\/groups\/\d+$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible()
    expect(await groupsOf(me)).toHaveLength(1)
  })

  test('PAGE-16: while it is created the button is disabled and says so', async ({
    page,
    product,
    signedIn,
  }) => {
    await signedIn(await product.player())
    await page.goto('/groups')
    const release = await hold(page, '**/api/groups')
    await nameField(page).fill('Friday')
    await create(page).click()
    await expect(form(page).getByRole('button', { name: 'Creating...' })).toBeDisabled()
    await expectAccessible(page)
    // Enter in the field sends a form too.
    await nameField(page).press('Enter')
    release()
    await expect(page).toHaveURL(/\/groups\/\d+$/)
  })
})

test('UI: who has gone elsewhere while a group was created stays there', async ({
  page,
  product,
  signedIn,
}) => {
  const me = await product.player()
  await signedIn(me)
  await page.goto('/groups')
  const release = await hold(page, '**/api/groups')
  await nameField(page).fill('Friday')
  await create(page).click()
  await page.getByRole('link', { name: 'My Games', exact: true }).click()
  const created = page.waitForResponse('**/api/groups')
  release()
  await created
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(card(page, 'Friday')).toBeVisible()
  await expect(page).toHaveURL('/groups')
})

test.describe('GLIST-4: what the form refuses', () => {
  for (const [what, typed] of [
    ['an empty name', ''],
    ['a name of blanks', '   '],
  ] as const)
    test(`GLIST-4: 'Group name required.' stands beside the field for ${what}`, async ({
      page,
      product,
      signedIn,
    }) => {
      await signedIn(await product.player())
      await page.goto('/groups')
      await expect(nameField(page)).not.toHaveAttribute('required')
      await pictureField(page).setInputFiles(await png())
      await nameField(page).fill(typed)
      const changes = changesOf(page)
      await create(page).click()
      await expect(form(page).getByRole('alert')).toHaveText('Group name required.')
      await expect(nameField(page)).toHaveAccessibleDescription('Group name required.')
      await expect(nameField(page)).toHaveAttribute('aria-invalid', 'true')
      await expect(nameField(page)).toBeFocused()
      await expect(nameField(page)).toHaveValue(typed)
      await expect(preview(page)).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.type('F')
      await expect(form(page).getByText('Group name required.')).toHaveCount(0)
      expect(changes).toEqual([])
    })

  const NOT_AN_IMAGE = 'Please choose an image file.'
  const refused = {
    'a text file': [{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }, NOT_AN_IMAGE],
    'a file that only calls itself an image': [
      { name: 'list.png', mimeType: 'image/png', buffer: Buffer.from('hello') },
      NOT_AN_IMAGE,
    ],
    'a drawing that may carry scripts': [
      { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
      'This image format isn’t supported. Please choose a PNG, JPEG, WebP or GIF.',
    ],
    'more than 5 MB': [
      { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) },
      'The picture is larger than 5 MB. Please choose a smaller one.',
    ],
  } as const
  for (const [what, [file, text]] of Object.entries(refused))
    test(`GLIST-6: the group image must be an image file: ${what} is refused beside the field`, async ({
      page,
      product,
      signedIn,
    }) => {
      const me = await product.player()
      await signedIn(me)
      await page.goto('/groups')
      await nameField(page).fill('Friday')
      await pictureField(page).setInputFiles({ ...file })
      await expect(form(page).getByRole('alert').filter({ hasText: text })).toBeVisible()
      await expect(pictureField(page)).toHaveAccessibleDescription(text)
      await expect(preview(page)).toHaveCount(0)
      await expectAccessible(page)
      const changes = changesOf(page)
      await create(page).click()
      await expect(nameField(page)).toHaveValue('Friday')
      await expect(form(page).getByRole('alert').filter({ hasText: text })).toBeVisible()
      expect(changes).toEqual([])

      await form(page).getByRole('button', { name: 'Remove picture' }).click()
      await expect(form(page).getByText(text)).toHaveCount(0)
      await expect(pictureField(page)).toBeFocused()
      await create(page).click()
      await expect(page).toHaveURL(/\/groups\/\d+$/)
    })
})

test.describe('GLIST-9: creation that fails', () => {
  test("GLIST-9: 'Failed to create group.' where the server gives no text; what was typed stays", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 502/)
    await signedIn(await product.player())
    await page.goto('/groups')
    await page.route('**/api/groups', (route) => route.fulfill({ status: 502, body: '<html>Bad gateway' }))
    await nameField(page).fill('Friday')
    await pictureField(page).setInputFiles(await png())
    await create(page).click()
    await expect(form(page).getByRole('alert')).toHaveText('Failed to create group.')
    await expect(create(page)).toBeEnabled()
    await expect(nameField(page)).toHaveValue('Friday')
    await expect(preview(page)).toBeVisible()
    await expectAccessible(page)
    await page.unrouteAll()
    await create(page).click()
    await expect(page).toHaveURL(/\/groups\/\d+$/)
  })

  test("GLIST-9: the server's error text when one is given", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 400/)
    const me = await product.player()
    await signedIn(me)
    await page.goto('/groups')
    await nameField(page).fill('Friday\u0007')
    await create(page).click()
    await expect(form(page).getByRole('alert')).toContainText('must not have control characters')
    await expect(form(page).getByText('Failed to create group.')).toHaveCount(0)
    expect(await groupsOf(me)).toEqual([])
  })

  test("PAGE-5: 'Network error.' without a connection", async ({
    page,
    context,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/net::ERR_/)
    await signedIn(await product.player())
    await page.goto('/groups')
    await expect(page.getByText(EMPTY)).toBeVisible()
    await nameField(page).fill('Friday')
    await context.setOffline(true)
    await create(page).click()
    await expect(form(page).getByRole('alert')).toHaveText('Network error.')
    await expect(nameField(page)).toHaveValue('Friday')
    await context.setOffline(false)
    await create(page).click()
    await expect(page).toHaveURL(/\/groups\/\d+$/)
  })
})

test.describe('UI: by keys, and on a telephone', () => {
  test('UI: a group is created, and opened from the list, with the keyboard alone', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 502/)
    const me = await product.player()
    await product.group({ owner: me, name: 'Old' })
    await signedIn(me)
    await page.goto('/groups')
    await expect(card(page, 'Old')).toBeVisible()
    await page.getByRole('link', { name: 'View Group' }).focus()
    await page.keyboard.press('Tab')
    await expect(nameField(page)).toBeFocused()
    await page.keyboard.type('New')
    await page.keyboard.press('Tab')
    await expect(pictureField(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(create(page)).toBeFocused()
    // A button that is disabled while it works has the focus again when it failed.
    await page.route('**/api/groups', (route) => route.fulfill({ status: 502, body: '' }), { times: 1 })
    await page.keyboard.press('Enter')
    await expect(form(page).getByRole('alert')).toHaveText('Failed to create group.')
    await expect(create(page)).toBeFocused()
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'New' })
    await expect(heading).toBeFocused()
    await page.goBack()
    await card(page, 'Old').getByRole('link').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Old' })).toBeFocused()
  })

  test('UI: names are any text at all, nothing scrolls sideways, and the form is one press away', async ({
    page,
    product,
    signedIn,
  }) => {
    const odd = oddNames(100)
    const me = await product.player()
    for (const name of odd) await product.group({ owner: me, name })
    await signedIn(me, odd[1])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/groups')
    await expect(list(page).getByRole('heading')).toHaveCount(odd.length)
    expect(await list(page).getByRole('heading').allTextContents()).toEqual(odd.toReversed())
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await expectLargeTargets(page)
    await expect(nameField(page)).not.toBeInViewport()
    await page.getByRole('button', { name: 'New group' }).click()
    await expect(nameField(page)).toBeFocused()
    await expect(nameField(page)).toBeInViewport()
  })
})
