/** NIGHT-83 to NIGHT-126: votes that are changed, voting again, and what others do while the page is open. */
import {
  answer,
  bar,
  game,
  games,
  mark,
  names,
  part,
  pickName,
  startNight,
  status,
  unfold,
} from './night-page.ts'
import { dialog, expect, switchTo, test } from './support.ts'

test('NIGHT-83: what the list stands for, and who lacks what', async ({ page, product, signInAs }) => {
  const { mira, others, path, as } = await startNight(product, { people: ['Theo', 'Ada'] })
  await product.owns(others[0]!, { Portal: 60 })
  await signInAs(mira, path)
  const list = page.getByRole('region', { name: 'Shortlist' })
  await expect(list).toContainText('1 game for all 3')
  expect((await names(page))[0]).toBe('Portal')
  await expect(game(page, 'Portal')).not.toContainText('Missing for')
  await unfold(page, 'Not all own these (2)')
  await expect(game(page, 'Factorio')).toContainText('Missing for Theo')
  await expect(page).toBeAccessible()
  await as('Theo').answer('out')
  await expect(list).toContainText('3 games for both of you')
  await expect(game(page, 'Factorio')).not.toContainText('Missing for')
  await as('Theo').answer('in')
  await expect(games(page)).toHaveCount(1)
  await expect(list).toContainText('1 game for all 3')
  await as('Ada').answer('in')
  await expect(list).toContainText('1 game for all 3')
})

test('NIGHT-125: a vote is changed; new games are shown', async ({ page, product, signInAs }) => {
  const { mira, others, path, as } = await startNight(product, { people: ['Theo', 'Ada'], isIn: ['Theo'] })
  await product.owns(others[0]!, { Portal: 60 })
  await signInAs(mira, path)
  await expect(games(page)).toHaveCount(1)
  await mark(page, 'Portal', 'Want').click()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page)).toContainText('You have voted.')
  await expect(mark(page, 'Portal', 'Want')).toBeChecked()

  await as('Theo').answer('maybe')
  await expect(bar(page)).toContainText('2 new games since you voted')
  await unfold(page, 'Not all own these (2)')
  await expect(game(page, 'Factorio')).toContainText('New')
  // What Theo lacks is not among the rest.
  await expect(bar(page).getByRole('button', { name: 'Rest is fine' })).toHaveCount(0)
  await mark(page, 'Factorio', 'Fine').click()
  await mark(page, 'Overcooked', 'Fine').click()
  await mark(page, 'Portal', 'Not tonight').click()
  await expect(bar(page)).toContainText('Your changes are not sent yet.')
  await expect(page).toBeAccessible()
  await page.reload()
  await expect(mark(page, 'Portal', 'Not tonight')).toBeChecked()
  await expect(bar(page)).toContainText('2 new games since you voted')
  await bar(page).getByRole('button', { name: 'Change my vote' }).click()
  await expect(bar(page)).toContainText('You have voted.')
  await expect(bar(page)).not.toContainText('since you voted')
  const { my } = await as('Mira').read()
  expect(new Map(my.marks!.map((one) => [one.appid, one.mark]))).toEqual(
    new Map([
      [product.appidOf('Portal'), 'no'],
      [product.appidOf('Factorio'), 'fine'],
      [product.appidOf('Overcooked'), 'fine'],
    ]),
  )
  // Undoing goes back to the vote.
  await mark(page, 'Portal', 'Want').click()
  await bar(page).getByRole('button', { name: 'Undo changes' }).click()
  await expect(mark(page, 'Portal', 'Not tonight')).toBeChecked()
})

test('NIGHT-126: a latecomer votes once the vote is reopened', async ({ page, product, signInAs }) => {
  const { mira, others, path, as } = await startNight(product, { people: ['Theo', 'Ada'], isIn: ['Theo'] })
  const portal = product.appidOf('Portal')
  await as('Mira').vote([{ appid: portal, mark: 'want' }])
  await as('Theo').vote([{ appid: portal, mark: 'want' }])
  await signInAs(others[1]!, path)
  await expect(bar(page)).toContainText('The vote ends when everyone has answered, and voted if in.')
  await as('Ada').answer('out', 'kids are ill')
  await expect(pickName(page)).toContainText('Portal')
  await answer(page, 'In').click()
  await expect(page.getByText('Voting has ended; ask Mira to reopen it.')).toBeVisible()
  // The word was for the other answer.
  await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Ada' })).not.toContainText('kids')

  await as('Mira').reopen()
  await expect(status(page)).toHaveText('Voting is open again')
  await mark(page, 'Factorio', 'Want').click()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(pickName(page)).toContainText('Portal')
  await switchTo(page, mira)
  await page.goto(path)
  await unfold(page, 'More')
  await page.getByRole('button', { name: 'Reopen the vote' }).click()
  await expect(dialog(page)).toContainText('the pick and its link are withdrawn')
  await dialog(page).getByRole('button', { name: 'Reopen the vote' }).click()
  await expect(page.getByText('Voting is open', { exact: true }).filter({ visible: true })).toBeVisible()
  await expect(bar(page)).toContainText('3 of 3 voted')
  await expect(bar(page).getByRole('button', { name: 'Close the vote' })).toBeVisible()
})

test('NIGHT-89: a failed vote, until the server is back', async ({ page, product, signInAs }) => {
  const { others, path, as } = await startNight(product, { isIn: ['Theo'] })
  let isDown = true
  for (const path of ['**/events', '**/ballot'])
    await page.route(path, (route) => (isDown ? route.abort() : route.continue()))
  await signInAs(others[0]!, path)
  await expect(status(page)).toHaveText('Reconnecting…')
  await mark(page, 'Portal', 'Want').click()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  const failed = bar(page).getByRole('alert').filter({ hasText: 'Failed to vote.' })
  await expect(failed).toContainText('Network error.')
  isDown = false
  await expect(status(page)).toHaveText('', { timeout: 20_000 })
  await expect(failed).toHaveCount(0)
  await expect(mark(page, 'Portal', 'Want')).toBeChecked()
  await as('Theo').answer('out')
  await expect(page.getByText('You are out. If that changes')).toBeVisible()
  await expect(page.getByText('Say that you are in to vote.')).toHaveCount(0)
})

test('NIGHT-84: a game that left keeps its place and its mark', async ({ page, product, signInAs }) => {
  const { mira, others, path, as } = await startNight(product, { people: ['Theo', 'Ada'], isIn: ['Theo'] })
  await signInAs(mira, path)
  await expect(games(page)).toHaveCount(3)
  const before = await names(page)
  await mark(page, 'Factorio', 'Want').click()
  await mark(page, 'Portal', 'Fine').click()
  await expect(bar(page)).toContainText('2/3 marked')

  await product.owns(others[1]!, { Portal: 60, Overcooked: 60 })
  await as('Ada').answer('in')
  await expect(game(page, 'Factorio')).toContainText('Not on the list at the moment; your mark is kept')
  expect(await names(page)).toEqual(before)
  await expect(bar(page)).toContainText('1/2 marked')
  await page.getByRole('button', { name: 'Show the new order' }).click()
  await expect(games(page)).toHaveCount(2)
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page)).toContainText('You have voted.')
  await expect(bar(page)).toContainText('1 mark is kept: its game is off the list.')
  expect((await as('Mira').read()).my.marks).toEqual([
    { appid: product.appidOf('Portal'), mark: 'fine' },
    { appid: product.appidOf('Factorio'), mark: 'want' },
  ])
})
