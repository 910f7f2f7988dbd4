/** NIGHT-128: games for fewer people than are in stand below, and are not picked. */
import { nightsContract } from '#shared/contract/nights.ts'
import { inNight, readStore } from '../support/nights.ts'
import type { Product } from '../support/product.ts'
import { game, games, mark, unfold } from './night-page.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  PHONE,
  test,
} from './support.ts'

const IT_TAKES_TWO = 1426210
const names = { [IT_TAKES_TWO]: 'It Takes Two', 4_200_000: 'Our Own Game' }

/** Mira's night with Theo and Ada, who all are in and own both games. */
async function nightOfThree(product: Product) {
  const { apps } = product.simulator.world
  for (const [appid, name] of Object.entries(names))
    if (!apps.some((app) => app.appid === Number(appid)))
      product.simulator.addApp({ appid: Number(appid), name, iconHash: '', kind: 0, categories: [38] })
  const owned = { [IT_TAKES_TWO]: 600, 4_200_000: 60 }
  const theo = await product.player({ name: 'Theo', games: owned })
  const ada = await product.player({ name: 'Ada', games: owned })
  const mira = await product.player({ name: 'Mira', games: owned, friends: [theo, ada] })
  await readStore(product)
  const { group_id } = await product.group({ owner: mira, members: [theo, ada] })
  const night = await mira.call(nightsContract.start, {}, { group_id })
  for (const player of [theo, ada]) await inNight(night, player).answer('in')
  return { player: mira, path: `/nights/${night.night_id}` }
}

test('NIGHT-128: a game for fewer is below, can be marked, and is said not to be picked', async ({
  page,
  product,
  signInAs,
}) => {
  const { player, path } = await nightOfThree(product)
  await signInAs(player, path)
  await expect(games(page)).toHaveCount(1)
  await expect(games(page)).toContainText('Our Own Game')
  await unfold(page, 'For fewer than 3 (1)')
  await expect(page.getByRole('list', { name: 'For fewer than 3' })).toContainText('It Takes Two')
  await expect(game(page, 'It Takes Two')).toContainText('For 2')
  await expect(
    page.getByText('Known to have no room for all of you. They can be marked, but are not picked.'),
  ).toBeVisible()
  await mark(page, 'It Takes Two', 'Want').check({ force: true })
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectLargeTargets(page)
  await expectNoSidewaysScroll(page)
})
