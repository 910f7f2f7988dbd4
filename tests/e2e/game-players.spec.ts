/** LIST-10, GPAGE-36, GAME-1: how many can play a game, on all screens, and as a group corrects it. */
import type { Product } from '../support/product.ts'
import { storeSays } from '../support/store.ts'
import { games, openShort } from './group-page.ts'
import { api, DESK, dialog, expect, PHONE, test } from './support.ts'

/** Games of the list, for two and for four; and one that it does not have. */
const IT_TAKES_TWO = 1426210
const DEEP_ROCK = 548430
const UNKNOWN = 4_100_000
const names = { [IT_TAKES_TWO]: 'It Takes Two', [DEEP_ROCK]: 'Deep Rock Galactic', [UNKNOWN]: 'Homemade' }
const library = { [IT_TAKES_TWO]: 600, [DEEP_ROCK]: 60, [UNKNOWN]: 6 }

/** Mira's group of three, who all own the same three games; Ada lacks two others. */
async function trio(product: Product, others: Record<string, number> = {}) {
  for (const [appid, name] of Object.entries(names))
    product.simulator.addApp({ appid: Number(appid), name, iconHash: '', kind: 0, categories: [38] })
  await storeSays(
    product,
    Object.fromEntries(Object.values(names).map((name) => [name, { categories: [38] }])),
  )
  const ada = await product.player({ name: 'Ada', games: { ...library, ...others } })
  const bea = await product.player({ name: 'Bea', games: { ...library, ...others } })
  const mira = await product.player({ name: 'Mira', games: library, friends: [ada, bea] })
  const { group_id: id } = await product.group({ owner: mira, members: [ada, bea], name: 'Trio' })
  return { mira, ada, bea, id, path: `/groups/${id}` }
}

test('LIST-10: games for fewer members are below the others', async ({ page, product, signInAs }) => {
  const { mira, path } = await trio(product)
  await signInAs(mira, path)
  const below = page.getByRole('list', { name: 'For fewer than 3' })
  const filter = page.getByRole('checkbox', { name: 'Fits 3' })
  await expect(games(page).getByRole('article')).toHaveCount(2)
  await expect(games(page).getByRole('article').filter({ hasText: 'Deep Rock' })).toContainText('Up to 4')
  await expect(below.getByRole('article')).toHaveText(/For 2.*/)
  await expect(below).toContainText('It Takes Two')
  await expect(page.getByText('1 game for fewer than 3 is below')).toBeVisible()
  await expect(page).toBeAccessible()

  // Three games have no filters; the address does.
  await page.goto(`${path}?fits=no`)
  await expect(games(page).getByRole('article')).toHaveCount(3)
  await expect(below).toHaveCount(0)
  await expect(games(page).getByRole('article').first()).toContainText('For 2')
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(filter).not.toBeChecked()
  await filter.click()
  await expect(page).not.toHaveURL(/fits/)
  await expect(games(page).getByRole('article')).toHaveCount(2)
})

test('GPAGE-36: a correction, and who made it', async ({ page, product, signInAs }) => {
  const { mira, bea, id, path } = await trio(product)
  await signInAs(bea, path)
  const below = page.getByRole('list', { name: 'For fewer than 3' })
  await below.getByRole('article').hover()
  await below.getByRole('button', { name: 'How many can play together' }).click()
  await expect(dialog(page)).toContainText(
    'Up to 2 over the internet, up to 2 on one screen (checked in 2026).',
  )
  const field = dialog(page).getByRole('textbox', { name: 'The most who can play together' })
  await expect(field).toHaveValue('2')
  await field.fill('many')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toContainText('A whole number from 1 to 999.')
  await expect(page).toBeAccessible()
  await field.fill('6')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toContainText('Saved for this group.')
  await expect(dialog(page)).toContainText(
    /In this group: up to 6\. Corrected by Bea, (just now|\d+ seconds ago)/,
  )
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(below).toHaveCount(0)
  await expect(games(page).getByRole('article').first()).toContainText('Up to 6')

  // An unknown game says nothing, and can be corrected too, also by touch.
  await page.setViewportSize(PHONE)
  const homemade = games(page).getByRole('article').filter({ hasText: 'Homemade' })
  await expect(homemade).not.toContainText(/Up to|For \d|No limit/)
  await expect(page).toHaveLargeTargets()
  await homemade.getByRole('button', { name: 'How many can play together' }).click()
  await expect(dialog(page)).toContainText('Shelfmates doesn’t know how many can play this game.')
  await dialog(page).getByRole('textbox').fill('2')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('In this group: up to 2.')
  await expect(page).toFitItsWidth()
  await page.keyboard.press('Escape')
  await expect(below).toContainText('Homemade')

  // In rows it is behind the hours of a game.
  await page.setViewportSize(DESK)
  await signInAs(mira, `${path}?view=list`)
  await games(page).getByRole('article').first().getByRole('button').click()
  await dialog(page).getByRole('button', { name: 'How many can play?' }).click()
  await expect(dialog(page)).toContainText('Corrected by Bea')
  await dialog(page).getByRole('button', { name: 'Take it back' }).click()
  await expect(dialog(page)).toContainText('Taken back.')
  await expect(dialog(page)).not.toContainText('Corrected by')
  await page.keyboard.press('Escape')
  await expect(below).toContainText('It Takes Two')
  expect(await bea.call(api.players.read, { id, gameId: IT_TAKES_TWO })).toMatchObject({
    players_max: 2,
    correction: null,
  })
})

test("LIST-10, GAME-1: in comparisons and on a game's page", async ({ page, product, signInAs }) => {
  const { mira, ada } = await trio(product)
  await signInAs(mira, `/games/1/comparison?friend=${ada.steam_id}`)
  const both = page.getByRole('list', { name: 'Games You Both Own' })
  await expect(both.getByRole('article').filter({ hasText: 'It Takes Two' })).toContainText('For 2')
  await expect(both.getByRole('article')).toHaveCount(3)
  await expect(page.getByRole('checkbox', { name: /^Fits/ })).toHaveCount(0)

  const dan = await product.player({ name: 'Dan', games: { [DEEP_ROCK]: 5 }, friends: [mira] })
  await product.deps.sync.syncFriends(mira.steam_id)
  const four = await product.group({ owner: mira, members: [ada, dan] })
  await page.goto(`/groups/${four.group_id}`)
  const near = await openShort(page, 'One person short')
  await expect(near).toHaveCount(2)
  await expect(near.last()).toContainText('For 2')

  expect(await mira.call(api.games.read, { ...mira.user, gameId: DEEP_ROCK })).toMatchObject({
    players: { online: 4 },
  })
  await page.goto(`/games/${DEEP_ROCK}`)
  await expect(page.getByRole('group', { name: 'How it is played' })).toContainText('Up to 4')
  await expect(
    page.getByText('Up to 4 over the internet, not on one screen (checked in 2026).'),
  ).toBeVisible()
  await expect(page).toBeAccessible()
  await page.goto(`/games/${UNKNOWN}`)
  await expect(page.getByRole('group', { name: 'How it is played' })).toContainText('Online co-op')
  await expect(page.getByText('over the internet')).toHaveCount(0)
})

test('NIGHT-136, WISH-2: a game elsewhere is one that all can play', async ({ page, product, signInAs }) => {
  const { mira, path } = await trio(product, { Overcooked: 60 })
  await storeSays(product, { Overcooked: { categories: [38] } })
  const appid = product.appidOf('Overcooked')
  await signInAs(mira, `/games/${appid}`)
  const choice = page.getByLabel('I have it elsewhere')
  await expect(choice).toHaveValue('none')
  const saved: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/elsewhere/'))
      saved.push(request.postDataJSON())
  })
  // With keys it passes others on the way.
  await choice.press('Shift')
  await choice.selectOption('GOG')
  await choice.selectOption('Game Pass')
  await choice.blur()
  await expect
    .poll(async () => (await mira.call(api.games.read, { ...mira.user, gameId: appid })).elsewhere)
    .toBe('game_pass')
  expect(saved).toEqual([{ where: 'game_pass' }])
  await expect(page).toBeAccessible()
  await page.goto(path)
  const card = games(page).getByRole('article').filter({ hasText: 'Overcooked' })
  await expect(card).toContainText(/Mira.*Game Pass/)
  await card.hover()
  await card.getByRole('button', { name: 'how many can play together' }).click()
  // WISH-2
  await dialog(page).getByText('Want to play').click()
  await expect(dialog(page).getByRole('checkbox', { name: 'Want to play' })).toBeChecked()
  await expect(page).toBeAccessible()
  await dialog(page).getByLabel('I have it elsewhere').selectOption('No')
  await expect(card).toHaveCount(0)
  await page.keyboard.press('Escape')
  const wanted = page.getByRole('list', { name: 'Wanted' })
  await page.getByText('Wanted', { exact: true }).click()
  await expect(wanted.getByRole('listitem')).toHaveText(
    /Overcooked.*Wanted by .*Mira.* · 2 have it.*Missing for .*Mira/,
  )
  // What one of them wants, another says as well, or takes back.
  await wanted.getByRole('button', { name: 'More about Overcooked' }).press('Enter')
  await expect(dialog(page).getByRole('checkbox', { name: 'Want to play' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page).toBeAccessible()
  await page.setViewportSize(PHONE)
  await expect(page).toFitItsWidth()
  await page.goto(`/games/${appid}`)
  await page.getByText('Want to play with a group').click()
  await page.getByText(/Want to play with .*Trio/).click()
  await expect(page.getByRole('checkbox', { name: /Trio/ })).not.toBeChecked()
})
