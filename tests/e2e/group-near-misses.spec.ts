/** GPAGE-28, GPAGE-34: games that one or two members lack, and what the store says about games later. */
import { storeSays } from '../support/store.ts'
import { answerCrew, game, gameNames, openShort } from './group-page.ts'
import {
  breakCalls,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  PHONE,
  test,
} from './support.ts'

test('GPAGE-28, GPAGE-25: near misses are folded, say who lacks a game, and lead to the store; a free game is for all', async ({
  page,
  product,
  signInAs,
}) => {
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
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
  await expectLargeTargets(page)
  await expectAccessible(page)
})

test('GPAGE-28: nothing near, and a quiet failure', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 500/)
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
  await expectAccessible(page)
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
