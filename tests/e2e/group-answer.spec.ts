/** GPAGE-24 to GPAGE-27, GPAGE-29 to GPAGE-31 and GPAGE-33: what a group can play, shown when its page opens. */
import type { Locator, Page } from '@playwright/test'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import type { TestPlayer } from '../support/product.ts'
import {
  answerCrew,
  compare,
  friday,
  friendsOf,
  game,
  gameNames,
  heading,
  member,
  region,
  syncButton,
} from './group-page.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import {
  DESK,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  hold,
  PHONE,
  switchTo,
  test,
} from './support.ts'

const together = (page: Page) => page.getByRole('radio', { name: /^Play together/ })
const all = (page: Page) => page.getByRole('radio', { name: /^All games/ })
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name })

for (const size of [{ width: 360, height: 740 }, PHONE, DESK, { width: 2560, height: 1440 }])
  test(`GPAGE-24: at ${size.width} px the common games are there on arrival, at the top, without a jump`, async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, id, path } = await answerCrew(product)
    const sam = await product.player({ name: 'Sam', gamesPrivate: true, friends: [mira] })
    await friendsOf(product, mira, ['Cleo', 'Dora'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [sam.steam_id] })
    await signInAs(mira)
    await page.setViewportSize(size)
    const shifts = await observeShifts(page)
    const release = await hold(page, '**/shared_games')
    await page.goto(path)
    await expect(page.getByText('Loading group games...')).toBeVisible()
    await expect(member(page, 'Sam')).toBeAttached()
    release()
    await expect(game(page, 'Raiders')).toBeVisible()
    await expect(region(page, 'One person short')).toBeAttached()
    await expect(page.getByRole('group', { name: 'Not counted' })).toContainText('Sam')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2)
    await expect(page.getByText(/of 10 syncs left today/)).toBeVisible()
    expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'BODY'])
    expect(sumOf(await shifts())).toBeLessThanOrEqual(0.01)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })

test('GPAGE-35: the loudest button of the page starts a game night, and the card of nights has no empty room', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path } = await friday(product)
  await signInAs(mira)
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    await page.goto(path)
    const start = page.getByRole('main').getByRole('button', { name: 'Start a game night' })
    await expect(start).toBeInViewport({ ratio: 1 })
    const colour = (button: Locator) => button.evaluate((one) => getComputedStyle(one).backgroundColor)
    const mint = await colour(start)
    await expect(compare(page)).toBeVisible()
    expect(await colour(compare(page))).not.toBe(mint)
    expect(await colour(syncButton(page))).not.toBe(mint)
    // Below the heading the explanation fills the card.
    const nights = region(page, 'Game nights')
    const explained = nights.getByText('No game nights yet.')
    await expect(explained).toBeVisible()
    const [card, text] = [(await nights.boundingBox())!, (await explained.boundingBox())!]
    expect(card.y + card.height - (text.y + text.height)).toBeLessThan(30)
  }
})

test('GPAGE-24: Compare Group Games loads them again, and its result is announced', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path } = await friday(product)
  await signInAs(mira)
  await page.goto(path)
  await expect(game(page, 'Portal')).toBeVisible()
  const release = await hold(page, '**/shared_games')
  await compare(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Loading group games...' })).toBeVisible()
  await expect(game(page, 'Portal')).toBeVisible()
  release()
  await expect(page.getByRole('status').filter({ hasText: 'Up to date: 2 games.' })).toBeVisible()
  await expect(compare(page)).toBeFocused()
})

test('GPAGE-25: games to play together come first, without those for one player; the choice is remembered', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path } = await answerCrew(product)
  const other = await product.group({ owner: mira, name: 'Other' })
  await signInAs(mira)
  await page.goto(path)
  // Mystery has the most hours, but the store says nothing about it.
  await expect.poll(() => gameNames(page)).toEqual(['Raiders', 'Mystery'])
  await expect(together(page)).toBeChecked()
  await expect(together(page)).toHaveAccessibleName('Play together (2)')
  await expect(all(page)).toHaveAccessibleName('All games (3)')
  await expect(page.getByText('1 single-player game hidden')).toBeVisible()
  await together(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => gameNames(page)).toEqual(['Mystery', 'Solitaire', 'Raiders'])
  await expect(page.getByText('single-player game hidden')).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(all(page)).toBeChecked()
  await page.goto(`/groups/${other.group_id}`)
  await expect(all(page)).toBeChecked()
  await page.getByText(/^Play together/).click()
  await page.goto(path)
  await expect(together(page)).toBeChecked()
  await expect.poll(() => gameNames(page)).toEqual(['Raiders', 'Mystery'])
})

test('GPAGE-25: where all common games are for one player, the page says so and shows them when asked', async ({
  page,
  product,
  signInAs,
}) => {
  await answerCrew(product)
  const mira = await product.player({ name: 'Mira', games: { Solitaire: 60 } })
  const { group_id } = await product.group({ owner: mira, name: 'Alone' })
  await signInAs(mira)
  await page.goto(`/groups/${group_id}`)
  await expect(page.getByText('Your common games are all for one player.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all games' }).click()
  await expect(game(page, 'Solitaire')).toBeVisible()
})

test('GPAGE-26: the banner has members with their presence, and marks who has not joined', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, id, path } = await answerCrew(product)
  const [cleo] = await friendsOf(product, mira, ['Cleo'])
  await mira.call(groupsContract.addMembers, { id }, { steam_ids: [cleo!.steam_id] })
  await signInAs(mira)
  await page.goto(path)
  // Presence comes with the friend list, after the members.
  const avatars = page.getByRole('img', { name: /^Mira; / })
  await expect(avatars).toHaveAccessibleName(/; Ada, Online; Bea, Offline; .*Cleo, .*has not joined yet$/)
  await expect(avatars.locator('img')).toHaveCount(5)
  await expectAccessible(page)
})

test('GPAGE-26: the banner has the same layout in every group', async ({ page, product, signInAs }) => {
  const { mira, path } = await answerCrew(product)
  const other = await product.group({ owner: mira, name: 'A' })
  await signInAs(mira)
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    const places: unknown[] = []
    for (const address of [path, `/groups/${other.group_id}`]) {
      await page.goto(address)
      await expect(page.getByText(/of 10 syncs left today/)).toBeVisible()
      await expect(heading(page)).toBeVisible()
      const boxes = await Promise.all([compare(page), syncButton(page)].map((button) => button.boundingBox()))
      places.push(boxes.map((box) => [Math.round(box!.x), Math.round(box!.y)]))
    }
    expect(places[0]).toEqual(places[1])
  }
})

test('GPAGE-27: a tile has a dot for each member, badges, and a link to its page', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path } = await answerCrew(product)
  await signInAs(mira)
  await page.goto(path)
  const raiders = game(page, 'Raiders')
  await expect(raiders.getByRole('listitem')).toHaveCount(4)
  await expect(
    raiders.getByRole('listitem').filter({ hasText: 'Mira' }).getByRole('img'),
  ).toHaveAccessibleName('plays it')
  await expect(
    raiders.getByRole('listitem').filter({ hasText: 'Ada' }).getByRole('img'),
  ).toHaveAccessibleName('owns it, never played')
  await expect(raiders.getByRole('listitem').filter({ hasText: 'Ada' })).toHaveText('Ada0h')
  await expect(raiders).toContainText('Online co-op')
  const badges = raiders.getByTitle('Online co-op, Same screen')
  await expect(badges.locator('svg')).toHaveCount(2)
  expect(
    await badges.evaluate((line) =>
      [...line.querySelectorAll('svg')].every(
        (icon) => icon.getBoundingClientRect().right <= line.getBoundingClientRect().right,
      ),
    ),
  ).toBe(true)
  await expect(game(page, 'Mystery')).toContainText('Player modes unknown')
  await expect(raiders.getByRole('link', { name: 'Raiders' })).toHaveAttribute(
    'href',
    `/games/${product.appidOf('Raiders')}`,
  )
})

test('GPAGE-33: in a group of one the page says so, and leads to adding a friend', async ({
  page,
  product,
  signInAs,
}) => {
  const mira = await product.player({ name: 'Mira', games: { Portal: 60 } })
  const { group_id: id } = await product.group({ owner: mira, name: 'Just me' })
  await signInAs(mira)
  await page.setViewportSize(PHONE)
  await page.goto(`/groups/${id}`)
  const note = page.getByText('Nobody else is in this group yet, so these are your own games.')
  await expect(note).toBeVisible()
  await expectAccessible(page)
  await expectLargeTargets(page)
  await page.getByRole('link', { name: 'Add a friend' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Add Member' })).toBeFocused()
})

for (const size of [PHONE, DESK])
  test(`GPAGE-29: at ${size.width} px members, adding, picture and settings are one press away`, async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, theo, path } = await answerCrew(product)
    await signInAs(mira)
    await page.setViewportSize(size)
    await page.goto('/groups')
    await page.goto(path)
    await expect(game(page, 'Raiders')).toBeVisible()
    const targets = {
      Members: 'Members',
      Add: 'Add Member',
      Picture: 'Set Picture',
      Settings: 'Manage group',
    }
    for (const [name, title] of Object.entries(targets)) {
      await link(page, name).focus()
      await page.keyboard.press('Enter')
      const target = page.getByRole('heading', { level: 2, name: title, exact: true })
      await expect(target).toBeFocused()
      await expect(target).toBeInViewport()
    }
    await page.goBack()
    await expect(page).toHaveURL('/groups')
    await switchTo(page, theo)
    await page.goto(path)
    await expect(link(page, 'Members')).toBeVisible()
    await expect(link(page, 'Settings')).toHaveCount(0)
  })

test('GPAGE-30: a phone shows five games within two screens, and a large window more columns', async ({
  page,
  product,
  signInAs,
}) => {
  const names = ['Ant', 'Bat', 'Cat', 'Dog', 'Eel', 'Fox', 'Gnu', 'Hen']
  const games = Object.fromEntries(names.map((name, nth) => [name, 600 - nth]))
  const friends: TestPlayer[] = []
  for (const name of ['Ada', 'Bea', 'Cleo', 'Dora']) friends.push(await product.player({ name, games }))
  const mira = await product.player({ name: 'Mira', games, friends })
  const { group_id } = await product.group({ owner: mira, members: friends, name: 'Friday night crew' })
  await signInAs(mira)
  await page.setViewportSize(PHONE)
  await page.goto(`/groups/${group_id}`)
  const bottom = async (name: string) => {
    const { y, height } = (await game(page, name).boundingBox())!
    return y + height
  }
  await expect(game(page, 'Eel').getByRole('listitem')).toHaveCount(5)
  expect(await bottom('Eel')).toBeLessThan(2 * PHONE.height)
  await page.setViewportSize({ width: 2560, height: 1440 })
  // Six columns beside the cards.
  await expect.poll(async () => (await bottom('Fox')) - (await bottom('Ant'))).toBe(0)
  await expectNoSidewaysScroll(page)
})

test('GPAGE-31: a library that was not synced can be synced from where it is named, while syncs are left', async ({
  page,
  product,
  signInAs,
}) => {
  const me = await product.player({ synced: false, games: { Portal: 90 } })
  const { group_id } = await product.group({ owner: me })
  await signInAs(me)
  await page.goto(`/groups/${group_id}`)
  const missing = page.getByRole('group', { name: 'Not counted' })
  await missing.getByRole('button', { name: 'Sync now' }).click()
  await expect(game(page, 'Portal')).toBeVisible()
  await expect(missing).toHaveCount(0)
})

test('GPAGE-31: with no syncs left the page says so instead', async ({ page, product, signInAs }) => {
  const me = await product.player({ synced: false, games: { Portal: 90 } })
  for (let nth = 0; nth < 10; nth++) await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
  const { group_id } = await product.group({ owner: me })
  await signInAs(me)
  await page.goto(`/groups/${group_id}`)
  const missing = page.getByRole('group', { name: 'Not counted' })
  await expect(missing).toContainText('All of today’s syncs are used.')
  await expect(missing.getByRole('button')).toHaveCount(0)
})

test('GPAGE-31, NIGHT-132, NIGHT-133: whose own game details are private is led to the setting', async ({
  page,
  product,
  signInAs,
}) => {
  const ada = await product.player({ name: 'Ada', gamesPrivate: true })
  const me = await product.player({ gamesPrivate: true, friends: [ada] })
  const { group_id } = await product.group({ owner: me, members: [ada] })
  await signInAs(me)
  await page.goto(`/groups/${group_id}`)
  await expect(page.getByRole('button', { name: 'Copy a message for Ada' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open Steam privacy settings' })).toHaveAttribute(
    'href',
    'https://steamcommunity.com/my/edit/settings',
  )
  await expectAccessible(page)
})
