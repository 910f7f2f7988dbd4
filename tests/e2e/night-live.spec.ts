/** NIGHT-84, NIGHT-85, NIGHT-89: what others do while the page of a game night is open. */
import { bar, game, games, mark, names, pickName, startNight } from './night-page.ts'
import { expect, test } from './support.ts'

test('NIGHT-84: a game that left stays in its place as gone, and its mark waits; the new order is asked for', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path, as } = await startNight(product, { people: ['Theo', 'Ada'], isIn: ['Theo'] })
  product.simulator.setGames(
    (await as('Ada').read()).people.find(({ display_name }) => display_name === 'Ada')!.steam_id,
    ['Portal', 'Overcooked'].map((name) => ({
      appid: product.appidOf(name),
      minutes: 60,
      recentMinutes: 0,
      lastPlayed: 1_700_000_000,
    })),
  )
  await signInAs(mira, path)
  await expect(games(page)).toHaveCount(3)
  const before = await names(page)
  await mark(page, 'Factorio', 'Want').click()
  await mark(page, 'Portal', 'Fine').click()
  await expect(bar(page)).toContainText('2/3 marked')

  const { steam_id: ada } = (await as('Ada').read()).people.find(
    ({ display_name }) => display_name === 'Ada',
  )!
  await product.deps.sync.syncGames(ada, ada)
  await as('Ada').answer('in')
  await expect(game(page, 'Factorio')).toContainText('Not on the list at the moment; your mark is kept')
  expect(await names(page)).toEqual(before)
  await expect(bar(page)).toContainText('1/2 marked')
  await page.getByRole('button', { name: 'Show the new order' }).click()
  await expect(games(page)).toHaveCount(2)
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page)).toContainText('You have voted.')
  await expect(bar(page)).toContainText('1 mark waits for its game to come back.')
  expect((await as('Mira').read()).my.marks).toEqual([
    { appid: product.appidOf('Portal'), mark: 'fine' },
    { appid: product.appidOf('Factorio'), mark: 'want' },
  ])
})

test('NIGHT-85: a vote that comes too late', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/Failed to load resource/)
  const { others, path, as } = await startNight(product, { isIn: ['Theo'] })
  await page.route('**/events', (route) => route.abort())
  // The page does not learn of the end before it votes, not by a request that is under way either.
  let isBlocked = false
  await page.route(
    (url) => url.pathname === `/api${path}`,
    async (route) => {
      const response = await route.fetch()
      await (isBlocked ? route.abort() : route.fulfill({ response }))
    },
  )
  await signInAs(others[0]!, path)
  await mark(page, 'Portal', 'Want').click()
  isBlocked = true
  await as('Mira').vote([{ appid: product.appidOf('Factorio'), mark: 'want' }])
  await as('Mira').close()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page).getByRole('alert').filter({ hasText: 'Failed to vote.' })).toContainText(
    'The vote has already ended.',
  )
  isBlocked = false
  await expect(pickName(page)).toHaveText('You are playing Factorio', { timeout: 20_000 })
})
