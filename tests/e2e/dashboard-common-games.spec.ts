import { startInGroup } from '../support/nights.ts'
import { card, common, openDashboard, rows, test } from './dashboard-page.ts'
import { answerCrew } from './group-page.ts'
import { api, expect, isCut, PHONE } from './support.ts'

test('DASH-25, DASH-26: arrows wrap around; View Group Details', async ({ page, product, enterCrew }) => {
  const { me, ada, group } = await enterCrew()
  await product.group({ owner: me, members: [ada], name: 'Second' })
  await product.group({ owner: me, name: 'Third' })
  await openDashboard(page)
  const { region, group: shown, next, previous, games } = common(page)
  await expect(shown).toHaveText('Friday night crew')
  for (const [arrow, name] of [
    [next, 'Second'],
    [next, 'Third'],
    [next, 'Friday night crew'],
    [previous, 'Third'],
    [previous, 'Second'],
  ] as const) {
    await arrow.click()
    await expect(shown).toHaveText(name)
  }
  await expect(games).toHaveText([/Portal.*30h$/, /Dota.*3h$/])
  await previous.focus()
  await page.keyboard.press('Enter')
  await expect(shown).toHaveText('Friday night crew')
  await expect(previous).toBeFocused()
  await expect(games).toHaveText([/Portal.*35h$/, /Dota.*4h$/])
  await expect(page).toBeAccessible()
  await region.getByRole('link', { name: 'View Group Details' }).click()
  await expect(page).toHaveURL(`/groups/${group.group_id}`)
})

test('DASH-42: the group of the next night, else the largest', async ({ page, product, enterCrew }) => {
  const { me, ada } = await enterCrew()
  const two = await product.group({ owner: me, members: [ada], name: 'Two' })
  await product.group({ owner: me, name: 'Alone' })
  await openDashboard(page)
  const { group } = common(page)
  await expect(group).toHaveText('Friday night crew')
  const starts_at = new Date(Date.now() + 3_600_000).toISOString()
  await startInGroup(me, two.group_id, { starts_at })
  await expect(card(page, 'Game night')).toContainText('Two')
  await expect(group).toHaveText('Friday night crew')
  await openDashboard(page)
  await expect(group).toHaveText('Two')
})

test('DASH-37: games to play together, or all of them', async ({ page, product, signInAs }) => {
  const { mira, path } = await answerCrew(product)
  await signInAs(mira)
  await openDashboard(page)
  const { region, games } = common(page)
  await expect(games).toHaveText([/^Raiders/, /^Freebie.*Free/, /^Mystery/])
  await expect(region).toContainText('Play together (3) · 4 members')
  await page.goto(path)
  await page.getByRole('radio', { name: 'All own (3)' }).check()
  await openDashboard(page)
  await expect(games).toHaveText([/^Mystery/, /^Solitaire/, /^Raiders/])
  await expect(region).toContainText('All own (3) · 4 members')
})

test("DASH-37: how many are counted and online, and 'Ask them'", async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada', personastate: 1, games: { Portal: 60 } })
  const bob = await product.player({
    name: 'Bob',
    playing: product.appidOf('Portal'),
    games: { Portal: 60 },
  })
  const cal = await product.player({ name: 'Cal', personastate: 3, gamesPrivate: true })
  const me = await enter({ name: 'Mira', games: { Portal: 60 }, friends: [ada, bob, cal] })
  await product.group({ owner: me, members: [ada, bob, cal], name: 'Four' })
  await product.group({ owner: me, members: [ada, bob], name: 'Three', joined: false })
  await openDashboard(page)
  const { region, next } = common(page)
  await expect(region).toContainText('3 of 4 counted, without Cal')
  await expect(region).toContainText('2 are online')
  await page.setViewportSize(PHONE)
  await next.click()
  await expect(region).toContainText('3 of 3 counted, Ada +1 perhaps only for you')
  expect(await isCut(region.getByText('3 of 3 counted'), 'p')).toBe(false)
  await expect(page).toBeAccessible()
  await region.getByRole('button', { name: 'Ask them' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a game night' })
  await expect(dialog).toContainText('Ada')
  await expect(dialog).toContainText('Bob')
})

test('DASH-25: the selected game row is highlighted', async ({ page, enterCrew }) => {
  await enterCrew()
  await openDashboard(page)
  const { region, games } = common(page)
  const looks = () => games.evaluateAll((all) => all.map((row) => getComputedStyle(row).backgroundColor))
  await expect(games.first()).toHaveAttribute('aria-pressed', 'true')
  await expect(games.last()).toHaveAttribute('aria-pressed', 'false')
  const [selected, other] = await looks()
  expect(selected).not.toBe(other)

  await games.last().focus()
  await page.keyboard.press('Space')
  await expect(games.last()).toHaveAttribute('aria-pressed', 'true')
  await expect(games.first()).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(looks).toEqual([other, selected])
  const details = region.getByRole('article')
  await expect(details.getByRole('heading')).toHaveText('Dota')
  await expect(details.getByText('4h in total')).toBeVisible()
  await expect(rows(details)).toHaveText([/Mira.*2h$/, /Ada.*1h$/, /Bob.*1h$/])
})

test('DASH-26: the index resets to 0', async ({ page, product, enter, expectedErrors }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
  const me = await enter({ games: { Portal: 60 }, friends: [ada] })
  await ada.call(api.friends.syncFriends, ada.user)
  const hers: number[] = []
  for (const name of ['Hers', 'Also hers'])
    hers.push((await product.group({ owner: ada, members: [me], name })).group_id)
  await product.group({ owner: me, name: 'Mine' })
  await openDashboard(page)
  const { region, group, games, next, previous } = common(page)
  await next.click()
  await expect(group).toHaveText('Hers')
  // What the page asks of the group is answered before she puts me out of it.
  await expect(games).toHaveText([/Portal/])
  await expect(rows(region.getByRole('article'))).toContainText([/Ada/, /Player/])
  // The page reads the group again before it knows that it is gone.
  expectedErrors.push(/status of 404/)
  for (const id of hers) await ada.call(api.groups.removeMember, { id, steamId: me.steam_id })
  await expect(group).toHaveText('Mine')
  await expect(rows(card(page, 'Groups'))).toHaveCount(1)
  for (const arrow of [previous, next]) await expect(arrow).toBeDisabled()
})
