/** NIGHT-141: what stands in the first view of an open night. */
import type { Page } from '@playwright/test'
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

test('NIGHT-141, NIGHT-82: games, marks and the vote', async ({ page, product, signInAs }) => {
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

/**
 * What can be pressed or typed into beside the navigation, whole or in part in view and not only at hover; the radios of one
 * question are one.
 */
const controls = (page: Page) =>
  page.evaluate(() => {
    const seen = new Map<unknown, string>()
    for (const one of document.querySelectorAll('main :is(a, button, input, select, summary)')) {
      const { top, bottom, width } = one.getBoundingClientRect()
      const isInView = width > 0 && bottom > 0 && top < innerHeight
      const isSeen = one instanceof HTMLInputElement || getComputedStyle(one).opacity !== '0'
      if (!isInView || !isSeen || !one.checkVisibility({ visibilityProperty: true })) continue
      seen.set(one instanceof HTMLInputElement && one.type === 'radio' ? one.name : one, one.outerHTML)
    }
    return [...seen.values()]
  })

test('NIGHT-141: at most 20 controls at 1280 × 800', async ({ page, product, signInAs }) => {
  const gameNames = Array.from({ length: 21 }, (_, nth) => `Game ${nth}`)
  const { mira, path } = await startNight(product, { gameNames, isIn: ['Mira', 'Theo'] })
  await page.setViewportSize(DESK)
  await signInAs(mira, path)
  await expect(game(page, 'Game 0')).toBeVisible()
  expect((await controls(page)).length).toBeLessThanOrEqual(20)
})
