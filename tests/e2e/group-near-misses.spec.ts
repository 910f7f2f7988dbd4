/** GPAGE-28, GPAGE-34: games that one or two members lack, and what the store says about games later. */
import { storeSays } from '../support/store.ts'
import { answerCrew, game, gameNames, openShort } from './group-page.ts'
import { api, breakCalls, expect, PHONE, test } from './support.ts'

test('GPAGE-28, GPAGE-25: near misses; a free game is for all', async ({ page, product, signInAs }) => {
  const { mira, path } = await answerCrew(product)
  await signInAs(mira)
  await page.setViewportSize(PHONE)
  await page.goto(path)
  const one = await openShort(page, 'One person short')
  await expect(one).toHaveCount(1)
  await expect(one).toContainText('Missing for Ada')
  // WCAG 2.2, 2.5.8: large enough to hit.
  expect((await one.getByRole('link', { name: 'Ada' }).boundingBox())!.height).toBeGreaterThanOrEqual(24)
  await expect(one).toContainText('Online versus')
  await expect(one.getByRole('link', { name: 'Store page' })).toHaveAttribute(
    'href',
    `https://store.steampowered.com/app/${product.appidOf('Arena')}/`,
  )
  await expect(one.getByRole('link', { name: 'Arena' })).toHaveAttribute('href', /^\/games\/\d+$/)
  await expect(page.getByRole('heading', { name: 'Two people short' })).toHaveCount(0)
  await expect(game(page, 'Freebie').getByRole('listitem').filter({ hasText: 'Free' })).toHaveText([
    /^(Ada|Bea)Free$/,
    /^(Ada|Bea)Free$/,
  ])
  await expect(page).toFitItsWidth()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page).toFitItsWidth()
  await expect(page).toHaveLargeTargets()
  await expect(page).toBeAccessible()
})

test('GPAGE-28, WISH-2, GAME-1, API-40, LANG-6: prices', async ({ page, product, signInAs }) => {
  const { mira, theo, id, path } = await answerCrew(product)
  const dear = { appid: 3_900_001, name: 'Dear', iconHash: '', kind: 0, categories: [36], price: 5999 }
  const arena = product.simulator.world.apps.find(({ name }) => name === 'Arena')!
  product.simulator.addApp(dear)
  const until = Date.now() / 1000 + 9 * 86_400
  product.simulator.addApp({ ...arena, price: 1996, sale: { percent: 75, until: Math.floor(until) } })
  await storeSays(product, { Dear: { categories: [36] } })
  const owned = [{ appid: dear.appid, minutes: 60_000, recentMinutes: 0, lastPlayed: 0 }]
  const crew = await mira.call(api.groups.members, { id })
  for (const { steam_id, display_name } of crew) {
    if (display_name === 'Ada') continue
    const { games } = product.simulator.world.players.find(({ steamid }) => steamid === steam_id)!
    product.simulator.setGames(steam_id, [...games, ...owned])
    await product.deps.sync.syncGames(steam_id, steam_id)
  }
  await signInAs(mira, '/account')
  await page.getByLabel('Prices of the store in').selectOption('Germany')
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page).toBeAccessible()
  await page.reload()
  await expect(page.getByLabel('Prices of the store in')).toHaveValue('DE')

  await page.goto(path)
  const one = await openShort(page, 'One person short')
  // What the look has asked for comes by itself, perhaps before it is seen without a price.
  await expect(one).toHaveText([/Dear/, /Arena/])
  await product.deps.prices.readWanted()
  await expect(one).toHaveText([/Ada needs it: 59,99€/, /Ada needs it: 4,99€, 75% off until \d+ \w+/])
  await expect(page.getByText('Store: Germany, read just now.')).toBeVisible()
  await page.getByLabel('Sort').selectOption('Lowest price for all')
  await expect(one).toHaveText([/Arena/, /Dear/])
  await expect(page).toBeAccessible()
  await page.setViewportSize(PHONE)
  await expect(page).toFitItsWidth()
  await expect(page).toHaveLargeTargets()

  // WISH-2
  for (const [one, { appid }] of [
    [mira, arena],
    [mira, dear],
    [theo, dear],
  ] as const)
    await one.call(api.wishes.want, { id, gameId: appid })
  const wanted = page.locator('details').filter({ has: page.getByRole('list', { name: 'Wanted' }) })
  const rows = wanted.getByRole('list', { name: 'Wanted' }).getByRole('listitem')
  await page.getByText('Wanted', { exact: true }).click()
  const [arenaRow, dearRow] = [/Arena.*Ada needs it: 4,99€, 75% off/, /Dear.*Ada needs it: 59,99€/]
  await expect(rows).toHaveText([dearRow, arenaRow])
  await wanted.getByLabel('Sort').selectOption('Lowest price for all')
  await expect(rows).toHaveText([arenaRow, dearRow])
  await expect(page).toBeAccessible()

  await page.goto(`/games/${arena.appid}`)
  const mine = page.getByRole('region', { name: 'Your playtime' })
  await expect(mine).toContainText(/4,99€, 75% off until \d+ \w+ Store: Germany, read just now\./)
  await expect(page).toBeAccessible()
})

test('GPAGE-28: nothing near, and a quiet failure', async ({ page, product, signInAs }) => {
  const { mira, path } = await answerCrew(product)
  const lonely = await product.group({ owner: mira, name: 'Lonely' })
  await signInAs(mira)
  const loaded = page.waitForResponse('**/near_misses')
  await page.goto(`/groups/${lonely.group_id}`)
  expect((await loaded).status()).toBe(200)
  await expect(page.getByRole('heading', { name: /short$/ })).toHaveCount(0)
  await breakCalls(page, '**/near_misses', 'The shelf fell over.')
  await page.goto(path)
  const failure = page.getByText('Games that one or two of you lack could not be loaded.')
  await expect(failure).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'One person short' })).toBeVisible()
  await expect(failure).toHaveCount(0)
})

test('GPAGE-34: what the store says appears by itself', async ({ page, product, signInAs }) => {
  const listed = { Brandnew: { categories: [38] }, Hermit: { categories: [2] }, Duo: { categories: [36] } }
  const { apps } = product.simulator.world
  // An unknown kind: whether the server has asked the store by now is not this test's business.
  for (const name of Object.keys(listed))
    product.simulator.addApp({
      appid: 4_000_000 + apps.length,
      name,
      iconHash: '',
      kind: 99,
      categories: [],
    })
  const ada = await product.player({ name: 'Ada', games: { Brandnew: 60, Hermit: 60 } })
  const bea = await product.player({ games: { Brandnew: 60, Hermit: 60, Duo: 60 } })
  const mira = await product.player({ games: { Brandnew: 60, Hermit: 90, Duo: 60 }, friends: [ada, bea] })
  const { group_id: id } = await product.group({ owner: mira, members: [ada, bea] })
  await signInAs(mira, `/groups/${id}`)
  await expect.poll(() => gameNames(page)).toEqual(['Hermit', 'Brandnew'])
  await storeSays(product, listed)
  await expect.poll(() => gameNames(page)).toEqual(['Brandnew'])
  await expect(game(page, 'Brandnew')).toContainText('Online co-op')
  await expect(await openShort(page, 'One person short')).toContainText('Duo')
})
