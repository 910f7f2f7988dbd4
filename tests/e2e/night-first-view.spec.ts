/** NIGHT-141: what stands in the first view of an open night. */
import { nightsContract } from '#shared/contract/nights.ts'
import { answer, answers, bar, game, startNight } from './night-page.ts'
import {
  DESK,
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  PHONE,
  test,
} from './support.ts'

test('NIGHT-141, NIGHT-82: games, marks and the vote are in the first view of a night on phones and desks; the rest is folded', async ({
  page,
  product,
  signInAs,
}) => {
  const gameNames = Array.from({ length: 21 }, (_, nth) => `A game with a rather long name ${nth}`)
  const { mira, path, as, id } = await startNight(product, {
    gameNames,
    title: 'Friday evening with everybody',
    people: ['Theo', 'Ada', 'Ben', 'Cleo'],
    isIn: ['Theo', 'Ada', 'Ben'],
  })
  for (const name of ['Theo', 'Ada'])
    await as(name).vote([{ appid: product.appidOf(gameNames[0]!), mark: 'want' }])
  await signInAs(mira)
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size)
    await page.goto(path)
    const vote = bar(page).getByRole('button', { name: 'Vote', exact: true })
    await expect(vote).toBeInViewport({ ratio: 1 })
    await expect(answers(page)).toBeInViewport({ ratio: 1 })
    await expect(bar(page)).toContainText('0/21 marked')
    await expect(bar(page)).toContainText('2 of 4 voted')
    // Whole games above the bar.
    const bottom = (await bar(page).boundingBox())!.y
    for (const name of gameNames.slice(0, size === DESK ? 6 : 2)) {
      const { y, height } = (await game(page, name).boundingBox())!
      expect(y + height, `${name} at ${size.width} px`).toBeLessThanOrEqual(bottom)
    }
    expect((await bar(page).boundingBox())!.height).toBeLessThanOrEqual(size === DESK ? 80 : 120)
    expect((await page.locator('main header').first().boundingBox())!.height).toBeLessThanOrEqual(
      size === DESK ? 100 : 140,
    )
    await expectNoSidewaysScroll(page)
  }

  await expectAccessible(page)
  await expectLargeTargets(page)

  await expect(page.getByText('the link shows how many are in and three games.')).toBeVisible()
  await mira.call(nightsContract.change, { id }, { faces: true })
  await expect(page.getByText('the link shows your name, picture')).toBeVisible()
  await answer(page, 'Maybe').click()
  await expect(page.getByText('the link shows')).toHaveCount(0)
})
