/** NIGHT-141: the first view of a night, what its host does, and games and names of any size. */
import { friendsWithGames, inNight, startInGroup } from '../support/nights.ts'
import {
  answer,
  answers,
  bar,
  game,
  games,
  mark,
  openMenu,
  part,
  pick,
  startNight,
  unfold,
} from './night-page.ts'
import { api, confirm, controlsInView, DESK, dialog, expect, isCut, PHONE, test } from './support.ts'

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
    if (size === DESK) expect(await controlsInView(page)).toBeLessThanOrEqual(20)
    await expect(page).toFitItsWidth()
  }

  await expect(page).toBeAccessible()
  await expect(page).toHaveLargeTargets()

  await expect(page.getByText('the link shows how many are in and three games.')).toBeVisible()
  await mira.call(api.nights.change, { id }, { faces: true })
  await expect(page.getByText('the link shows your name, picture')).toBeVisible()
  await answer(page, 'Maybe').click()
  await expect(page.getByText('the link shows')).toHaveCount(0)
})

test('NIGHT-87: changes, ends the vote early, and cancels', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product)
  await signInAs(mira, path)
  await openMenu(page)
  await unfold(page, 'Settings')
  await expect(page).toBeAccessible()
  await dialog(page).getByLabel('Title (optional)').fill('Later, with cake')
  await dialog(page).getByLabel('Date and time').fill('2001-01-01T20:30')
  await expect(dialog(page)).toContainText('Choose a time from now to a year ahead.')
  const tomorrow = new Date(Date.now() + 86_400_000)
  const date = [tomorrow.getFullYear(), tomorrow.getMonth() + 1, tomorrow.getDate()]
  await dialog(page)
    .getByLabel('Date and time')
    .fill(`${date.map((part) => String(part).padStart(2, '0')).join('-')}T20:30`)
  await dialog(page).getByText('One “Not tonight” rules a game out').click()
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Later, with cake')
  await expect(page.getByText('Tomorrow at 20:30')).toBeVisible()
  await expect(page.getByText('One “Not tonight” rules a game out.')).toBeVisible()

  await mark(page, 'Portal', 'Want').click()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page).getByRole('button', { name: 'Close the vote' })).toHaveClass(/bg-raised/)
  await as('Theo').answer('in')
  await expect(bar(page)).toContainText('1 of 2 voted')
  await bar(page).getByRole('button', { name: 'Close the vote' }).click()
  await expect(dialog(page)).toContainText('The odds of a game are its score')
  await expect(dialog(page)).toContainText('1 person who is in has not voted yet.')
  await expect(dialog(page)).toContainText('1 person has not answered:')
  await expect(dialog(page)).toContainText('Ada · has all 3')
  await expect(dialog(page)).toContainText('Leading: Portal')
  await expect(page).toBeAccessible()
  await dialog(page).getByRole('button', { name: 'Close the vote' }).click()
  await expect(pick(page)).toContainText('It has the best score.')

  await page.getByRole('button', { name: 'Host menu' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel this night' }).click()
  await confirm(page, 'Cancel this game night?', 'Cancel this night').click()
  await expect(page.getByText('This game night was cancelled.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Host menu' })).toHaveCount(0)
  await expect(page).toBeAccessible()
})

test('NIGHT-81: removing and leaving, after a question', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product)
  await signInAs(mira, path)
  await openMenu(page)
  await unfold(page, 'Remove somebody')
  await page.getByRole('button', { name: 'Remove Theo' }).click()
  await expect(dialog(page).last()).toContainText('Theo will no longer see this game night.')
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove Theo' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(part(page, 'Not answered').getByRole('listitem')).toHaveText([/Ada/])
  await as('Ada').answer('in')
  await expect(part(page, 'In')).toContainText('Ada')
  await openMenu(page)
  await page.getByRole('button', { name: 'Leave this night' }).click()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByText('You have left this game night.')).toBeVisible()
})

const LONG = `The ${'very '.repeat(12)}last evening`
const UNBROKEN = 'x'.repeat(80)
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

test('NIGHT-85: a link and the key V lead to the vote', async ({ page, product, signInAs }) => {
  const gameNames = Array.from({ length: 24 }, (_, nth) => `Game ${nth}`)
  const { others, path } = await startNight(product, { gameNames, isIn: ['Theo'] })
  await signInAs(others[0]!, path)
  const skip = page.getByRole('link', { name: 'Skip to your vote' })
  await skip.focus()
  await expect(page).toBeAccessible()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toBeFocused()
  await mark(page, 'Game 3', 'Want').focus()
  await page.keyboard.press('1')
  await page.keyboard.press('v')
  await expect(bar(page).getByRole('button', { name: 'Vote' })).toBeFocused()
  await skip.focus()
  await page.keyboard.press('Enter')
  await expect(bar(page).getByRole('button', { name: 'Vote' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('You have voted.')
})

test('NIGHT-79, NIGHT-102, NIGHT-104: decided ones apart', async ({ page, product, signInAs }) => {
  const { host, groupId, appids } = await friendsWithGames(product, 2)
  const start = (title: string) => startInGroup(host, groupId, { title, starts_at: tomorrow() })
  await start(LONG)
  await start(UNBROKEN)
  const decided = await start('Chosen early')
  await inNight(decided, host).decide(appids[0]!)
  await page.setViewportSize(PHONE)
  await signInAs(host, `/groups/${groupId}`)
  await page.getByRole('link', { name: 'All nights' }).click()
  const part = (name: string) => page.getByRole('list', { name }).getByRole('link')
  await expect(part('Now and planned')).toHaveCount(2)
  await expect(part('Decided')).toHaveCount(1)
  await expect(part('Decided')).toContainText('Portal')
  for (const title of [LONG, UNBROKEN])
    expect(await isCut(page.getByRole('main').getByText(title, { exact: true }), 'main')).toBe(false)
  await part('Now and planned').filter({ hasText: UNBROKEN }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(UNBROKEN)
  expect(await isCut(page.getByRole('heading', { level: 1 }).getByText(UNBROKEN), 'main')).toBe(false)
})

test('NIGHT-128: a game for fewer can be marked, and is not picked', async ({ page, product, signInAs }) => {
  // In the list of how many can play.
  const two = { appid: 1426210, name: 'It Takes Two', iconHash: '', kind: 0, categories: [38] }
  product.simulator.addApp(two)
  const { mira, path } = await startNight(product, {
    gameNames: [two.name, 'Our Own Game'],
    isIn: ['Theo', 'Ada'],
  })
  await signInAs(mira, path)
  await expect(games(page)).toHaveCount(1)
  await expect(games(page)).toContainText('Our Own Game')
  await unfold(page, 'For fewer than 3 (1)')
  await expect(page.getByRole('list', { name: 'For fewer than 3' })).toContainText('It Takes Two')
  await expect(game(page, 'It Takes Two')).toContainText('For 2')
  await expect(
    page.getByText('Known to have no room for all of you. They can be marked, but are not picked.'),
  ).toBeVisible()
  await mark(page, 'It Takes Two', 'Want').check({ force: true })
  await expect(page).toBeAccessible()
  await page.setViewportSize(PHONE)
  await expect(page).toHaveLargeTargets()
})
