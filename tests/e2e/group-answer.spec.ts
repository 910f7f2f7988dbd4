/** GPAGE-14 to GPAGE-27, GPAGE-31, GPAGE-33 and GPAGE-35: what a group can play, shown when its page opens. */
import type { Locator, Page } from '@playwright/test'
import {
  answerCrew,
  compare,
  friendsOf,
  game,
  gameNames,
  heading,
  inGerman,
  openMissing,
  search,
  syncButton,
} from './group-page.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import { api, controlsInView, DESK, expect, isCut, PHONE, region, test } from './support.ts'

const together = (page: Page) => page.getByRole('radio', { name: /^Play together/ })
const all = (page: Page) => page.getByRole('radio', { name: /^All own/ })

for (const size of [PHONE, DESK])
  test(`GPAGE-26, GPAGE-35: the first view at ${size.width} px`, async ({ page, product, enter }) => {
    const games = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`Shelf ${nth}`, 60 * nth]))
    const ada = await product.player({ name: 'Ada', games })
    const bea = await product.player({ name: 'Bea', games, gamesPrivate: true })
    const mira = await enter({ name: 'Mira', games, friends: [ada, bea] })
    const { group_id } = await product.group({ owner: mira, members: [ada, bea] })
    await page.setViewportSize(size)
    await page.goto(`/groups/${group_id}`)
    await page.getByText(/^All own/).click()
    await page.evaluate(() => scrollTo(0, 0))
    await expect(game(page, 'Shelf 11').getByRole('link').first()).toBeVisible()
    const cover = (await game(page, 'Shelf 11').getByRole('link').first().locator('div').boundingBox())!
    expect(cover.y + cover.height).toBeLessThan(size.height)
    if (size === DESK) {
      const card = (await game(page, 'Shelf 11').boundingBox())!
      expect(card.y + card.height).toBeLessThan(size.height)
    }
    expect(await controlsInView(page)).toBeLessThanOrEqual(16)
    const main = page.getByRole('main')
    const start = main.getByRole('button', { name: 'Start a game night' })
    if (size === DESK) {
      const title = (await heading(page).boundingBox())!
      const button = (await start.boundingBox())!
      expect(Math.abs(title.y + title.height / 2 - (button.y + button.height / 2))).toBeLessThan(8)
    }
    const colour = (button: Locator) => button.evaluate((one) => getComputedStyle(one).backgroundColor)
    for (const other of [compare(page), syncButton(page)])
      expect(await colour(other)).not.toBe(await colour(start))
    await expect(page).toBeAccessible()
  })

test('GPAGE-25: games to play together first, as remembered', async ({ page, product, signInAs }) => {
  const { mira, path } = await answerCrew(product)
  const other = await product.group({ owner: mira, name: 'Other' })
  await signInAs(mira, path)
  // Mystery has the most hours, but the store says nothing about it.
  await expect.poll(() => gameNames(page)).toEqual(['Raiders', 'Freebie', 'Mystery'])
  await expect(together(page)).toBeChecked()
  await expect(together(page)).toHaveAccessibleName('Play together (3)')
  await expect(all(page)).toHaveAccessibleName('All own (3)')
  await expect(page.getByText('1 single-player game hidden')).toBeVisible()
  await together(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => gameNames(page)).toEqual(['Mystery', 'Solitaire', 'Raiders'])
  await expect(page.getByText('single-player game hidden')).toHaveCount(0)
  await expect(page).toBeAccessible()
  await page.reload()
  await expect(all(page)).toBeChecked()
  await page.goto(`/groups/${other.group_id}`)
  await expect(all(page)).toBeChecked()
  await page.getByText(/^Play together/).click()
  await page.goto(path)
  await expect(together(page)).toBeChecked()
  await expect.poll(() => gameNames(page)).toEqual(['Raiders', 'Freebie', 'Mystery'])
})

test('GPAGE-26: members with presence, and who has not joined', async ({ page, product, signInAs }) => {
  const { mira, id, path } = await answerCrew(product)
  const [cleo] = await friendsOf(product, mira, ['Cleo'])
  await mira.call(api.groups.addMembers, { id }, { steam_ids: [cleo!.steam_id] })
  await signInAs(mira, path)
  const lines = region(page, '5 members').getByRole('listitem')
  await expect(lines).toHaveText([
    /^Mira\(Owner\)/,
    /^AdaOnline/,
    /^BeaOffline/,
    /^Theo/,
    /^Cleo.*has not joined yet$/,
  ])
  await expect(page).toBeAccessible()
  await page.setViewportSize(PHONE)
  // Presence comes with the friend list, after the members.
  const avatars = page.getByRole('img', { name: /^Mira; / })
  await expect(avatars).toHaveAccessibleName(/; Ada, Online; Bea, Offline; .*Cleo, .*has not joined yet$/)
  await expect(avatars.locator('img')).toHaveCount(5)
  await expect(page).toBeAccessible()
})

test('GPAGE-27: dots for members, badges and a link', async ({ page, product, signInAs }) => {
  const { mira, path } = await answerCrew(product)
  await signInAs(mira, path)
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
  // In words, and how many more there are.
  await expect(raiders.getByTitle('Online co-op, Same screen')).toContainText('+1')
  await expect(game(page, 'Mystery')).toContainText('Player modes unknown')
  await expect(raiders.getByRole('link', { name: 'Raiders' })).toHaveAttribute(
    'href',
    `/games/${product.appidOf('Raiders')}`,
  )
})

for (const size of [PHONE, DESK])
  test(`GPAGE-33: a group of one, at ${size.width} px`, async ({ page, product, enter }) => {
    const mira = await enter({ name: 'Mira', games: { Portal: 60 } })
    await friendsOf(product, mira, ['Ada', 'Bea', 'Cleo', 'Dora'])
    const { group_id: id } = await product.group({ owner: mira, name: 'Just me' })
    await page.setViewportSize(size)
    const shifts = await observeShifts(page)
    await page.goto(`/groups/${id}`)
    await expect(search(page)).toBeFocused()
    await expect(search(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(4)
    await expect(
      page.getByText('Nobody else is in this group yet, so these are your own games.'),
    ).toBeVisible()
    expect(sumOf(await shifts())).toBeLessThanOrEqual(0.01)
    await expect(page).toBeAccessible()
    await expect(page).toHaveLargeTargets()
    await heading(page).focus()
    await page.getByRole('button', { name: 'Add friends' }).click()
    await expect(search(page)).toBeFocused()
    await page.keyboard.type('ad')
    await page.keyboard.press('Enter')
    await expect(region(page, '2 members')).toBeVisible()
    await expect(search(page)).toBeFocused()
  })

for (const language of ['English', 'German'])
  test(`GPAGE-1: a long name is whole on a phone, in ${language}`, async ({ page, product, signInAs }) => {
    const name = 'The Thursday evening round of just me, who has not asked anybody yet'
    const mira = await product.player({ name: 'Mira', games: { Portal: 60 } })
    const { group_id: id } = await product.group({ owner: mira, name })
    if (language === 'German') await inGerman(page)
    await signInAs(mira)
    await page.setViewportSize(PHONE)
    await page.goto(`/groups/${id}`)
    const shown = heading(page).getByText(name)
    await expect(shown).toBeVisible()
    expect(await isCut(shown, 'h1')).toBe(false)
    // Not a column of single letters either.
    expect((await heading(page).boundingBox())!.width).toBeGreaterThan(PHONE.width / 2)
  })

test('GPAGE-26: filters stand there from eight games on', async ({ page, product, signInAs }) => {
  const names = Array.from({ length: 8 }, (_, nth) => `Shelf ${nth}`)
  const mira = await product.player({ games: Object.fromEntries(names.map((name) => [name, 60])) })
  const ada = await product.player({
    games: Object.fromEntries(names.slice(1).map((name) => [name, 60])),
    friends: [mira],
  })
  const mine = await product.group({ owner: mira })
  const ours = await product.group({ owner: ada, members: [mira] })
  await signInAs(mira, `/groups/${mine.group_id}?shown=all`)
  await expect(page.getByText('8 games', { exact: true })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search common games' })).toBeVisible()
  await page.goto(`/groups/${ours.group_id}?shown=all`)
  await expect(page.getByText('7 games', { exact: true })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search common games' })).toHaveCount(0)
  // A filter of the address can be taken back.
  await page.goto(`/groups/${ours.group_id}?shown=all&kind=games`)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('checkbox', { name: 'Games only' }).click()
  await expect(page.getByRole('button', { name: 'Filters' })).toHaveCount(0)
})

test('GPAGE-31: a library is synced from where it is named', async ({ page, product, signInAs }) => {
  const me = await product.player({ synced: false, games: { Portal: 90 } })
  const { group_id } = await product.group({ owner: me })
  await signInAs(me, `/groups/${group_id}`)
  const missing = await openMissing(page)
  await missing.getByRole('button', { name: 'Sync now' }).click()
  await expect(game(page, 'Portal')).toBeVisible()
  await expect(missing).toHaveCount(0)
})

test("GPAGE-31, NIGHT-132, NIGHT-133: one's own private games", async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', gamesPrivate: true })
  const me = await product.player({ gamesPrivate: true, friends: [ada] })
  const { group_id } = await product.group({ owner: me, members: [ada] })
  await signInAs(me, `/groups/${group_id}`)
  await openMissing(page)
  await expect(page.getByRole('button', { name: 'Copy a message for Ada' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open Steam privacy settings' })).toHaveAttribute(
    'href',
    'https://steamcommunity.com/my/edit/settings',
  )
  await expect(page).toBeAccessible()
})
