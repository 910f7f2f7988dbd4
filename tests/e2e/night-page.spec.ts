/** NIGHT-79 to NIGHT-91: the page of a game night, for one person with others who act through calls. */
import type { Page } from '@playwright/test'
import { nightsContract } from '#shared/contract/nights.ts'
import type { Night } from '#shared/nights/entities.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import {
  answer,
  bar,
  dialog,
  game,
  games,
  GONE,
  mark,
  names,
  part,
  pick,
  pickName,
  shortlist,
  startNight,
  status,
} from './night-page.ts'
import {
  expect,
  expectAccessible,
  expectLargeTargets,
  expectNoSidewaysScroll,
  oddNames,
  test,
} from './support.ts'

test.describe('NIGHT-79: a game night from "who is in?" to the pick', () => {
  test('one answers, marks, votes and sees the pick; what others do appears by itself', async ({
    page,
    product,
    signInAs,
  }) => {
    const { others, path, as } = await startNight(product, { title: 'Couch evening', isIn: ['Mira'] })
    await signInAs(others[0]!)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Couch evening')
    await expect(page.getByRole('link', { name: 'Friday' })).toBeVisible()
    await expect(page.getByText('Voting is open')).toBeVisible()
    await expect(page.getByText('Hosted by Mira')).toBeVisible()
    await expect(part(page, 'In').getByRole('listitem')).toHaveText([/Mira/])
    await expect(part(page, 'Not answered').getByRole('listitem')).toHaveCount(2)
    await expect(page.getByText('“In” also lets the people of this night see')).toBeVisible()
    await expectAccessible(page)

    await page.getByLabel('A word with it (optional)').fill('from nine')
    await answer(page, 'In').click()
    await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Theo' })).toContainText(
      'from nine',
    )
    await expect(games(page)).toHaveCount(3)
    await expect(game(page, 'Portal')).toContainText('both own it')
    await expect(bar(page)).toContainText('You marked 0 of 3')
    await expect(bar(page).getByRole('button', { name: 'Vote' })).toBeDisabled()
    await expect(page.getByText('Marks are hidden until you have voted.')).toBeVisible()
    await expect(bar(page)).toContainText('You vote once; it cannot be changed.')
    await expect(bar(page)).toContainText('1 has not answered; the list may change.')
    await page.getByText('How is a draw decided?').click()
    await expect(page.getByText((await as('Mira').read()).seed_hash)).toBeVisible()

    await as('Ada').answer('in', 'no shooters')
    await expect(status(page)).toHaveText('Ada is in', { timeout: 3000 })
    await expect(game(page, 'Portal')).toContainText('all 3 own it')
    await as('Mira').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
    await expect(status(page)).toHaveText('Mira has voted', { timeout: 3000 })
    await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Mira' })).toContainText(
      'has voted',
    )
    await expect(page.getByText('Want it')).toHaveCount(0)

    await mark(page, 'Portal', 'Want').click()
    await mark(page, 'Factorio', 'Not tonight').click()
    await expect(bar(page)).toContainText('You marked 2 of 3')
    await bar(page).getByRole('button', { name: 'Rest is fine' }).click()
    await expect(mark(page, 'Overcooked', 'Fine')).toBeChecked()
    await expectAccessible(page)
    await bar(page).getByRole('button', { name: 'Vote' }).click()
    await expect(bar(page)).toContainText('You have voted.')
    await expect(game(page, 'Portal')).toContainText('Want it: Mira, You')
    await expect(bar(page)).toBeFocused()

    await as('Ada').vote([{ appid: product.appidOf('Portal'), mark: 'fine' }])
    await expect(pickName(page)).toHaveText('You are playing Portal', {
      timeout: 3000,
    })
    await expect(status(page)).toContainText('The pick is Portal')
    await expect(pick(page).getByRole('link', { name: /^Launch/ })).toHaveAttribute(
      'href',
      `steam://run/${product.appidOf('Portal')}`,
    )
    await expect(pick(page).getByRole('list', { name: 'Who is ready' }).getByRole('listitem')).toHaveCount(3)
    await expect(page.getByRole('heading', { name: 'How everyone voted' })).toBeVisible()
    await expect(game(page, 'Portal')).toContainText('Score 5')
    await expectAccessible(page)
  })

  test('the host draws a tie with the odds shown, draws again with a reason, and anyone checks the draws', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path, as } = await startNight(product, { people: ['Theo'], isIn: ['Theo'] })
    await as('Theo').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
    await signInAs(mira)
    await page.goto(path)
    await mark(page, 'Factorio', 'Want').click()
    await bar(page).getByRole('button', { name: 'Vote' }).click()
    const tie = page.getByRole('region', { name: 'It’s a tie' })
    await expect(tie.getByRole('listitem')).toHaveText([/1 in 2 \(50 %\)/, /1 in 2 \(50 %\)/])
    await expect(status(page)).toHaveText('Voting has ended, a draw decides')
    await expectAccessible(page)
    await tie.getByRole('button', { name: 'Draw now' }).click()
    await expect(pickName(page)).toHaveText(/^You are playing (Portal|Factorio)$/)
    await expect(pickName(page)).toBeFocused()
    const first = (await as('Mira').read()).pick!.name
    const second = first === 'Portal' ? 'Factorio' : 'Portal'

    await pick(page).getByRole('button', { name: 'Draw again' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Draw again' })).toBeDisabled()
    await expect(dialog(page)).not.toContainText('were drawn')
    await dialog(page).getByLabel('Reason').fill('Theo’s disk is full')
    await dialog(page).getByRole('button', { name: 'Draw again' }).click()
    await expect(pickName(page)).toHaveText(`You are playing ${second}`)
    await expect(pick(page).getByText('Drawn again by Mira: “Theo’s disk is full”')).toBeVisible()
    await pick(page).getByRole('button', { name: 'Draw again' }).click()
    await expect(dialog(page)).toContainText(
      'All games with the best score were drawn. This one is among the others.',
    )
    await page.keyboard.press('Escape')
    await pick(page).getByText('How it was decided').click()
    await expect(pick(page).getByRole('list', { name: 'How it was decided' })).toContainText(
      'Reason: Theo’s disk is full',
    )
    await expectAccessible(page)

    await pick(page).getByRole('link', { name: 'Check the draw' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check the draw')
    await expect(page.getByText('The seed belongs to the hash.')).toHaveCount(2)
    await expect(page.getByText('This is the game that was drawn.')).toHaveCount(2)
    await expect(page.getByText('NOT')).toHaveCount(0)
    await expectAccessible(page)
  })

  test('NIGHT-91: a draw that does not belong to its seed is shown as such', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path, as } = await startNight(product, { people: ['Theo'], isIn: ['Theo'] })
    await as('Mira').close('draw')
    await as('Mira').draw()
    // Another game than the one drawn, as a server would show that cheats.
    await page.route(`**/api${path}`, async (route) => {
      const response = await route.fetch()
      const night = (await response.json()) as Night
      const [draw] = night.draws
      const other = night.shortlist.find(({ appid }) => appid !== draw!.appid)
      await route.fulfill({
        response,
        json: { ...night, draws: [{ ...draw, ...other }], seed_hash: 'ab'.repeat(32) },
      })
    })
    await signInAs(mira)
    await page.goto(`${path}/draw`)
    await expect(page.getByText('The seed does NOT belong to the hash.')).toBeVisible()
    await expect(page.getByText('This is NOT the game that was drawn.')).toBeVisible()
  })
})

test.describe('NIGHT-84: the list does not move under a finger', () => {
  test('a game that left stays in its place as gone, and is not voted on; the new order is asked for', async ({
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
    await signInAs(mira)
    await page.goto(path)
    await expect(games(page)).toHaveCount(3)
    const before = await names(page)
    await mark(page, 'Factorio', 'Want').click()
    await mark(page, 'Portal', 'Fine').click()
    await expect(bar(page)).toContainText('You marked 2 of 3')

    const { steam_id: ada } = (await as('Ada').read()).people.find(
      ({ display_name }) => display_name === 'Ada',
    )!
    await product.deps.sync.syncGames(ada, ada)
    await as('Ada').answer('in')
    await expect(game(page, 'Factorio')).toContainText('No longer on the list')
    expect(await names(page)).toEqual(before)
    await expect(bar(page)).toContainText('You marked 1 of 2')
    await page.getByRole('button', { name: 'Show the new order' }).click()
    await expect(games(page)).toHaveCount(2)
    await bar(page).getByRole('button', { name: 'Vote' }).click()
    await expect(bar(page)).toContainText('You have voted.')
    expect((await as('Mira').read()).my.marks).toEqual([{ appid: product.appidOf('Portal'), mark: 'fine' }])
  })

  test('without marks the list shows what is new by itself', async ({ page, product, signInAs }) => {
    const { mira, others, path, as } = await startNight(product, { people: ['Theo'] })
    const { steam_id: theo } = others[0]!
    const owned = ['Portal', 'Overcooked'].map((name) => ({
      appid: product.appidOf(name),
      minutes: 60,
      recentMinutes: 0,
      lastPlayed: 1_700_000_000,
    }))
    product.simulator.setGames(theo, owned)
    await product.deps.sync.syncGames(theo, theo)
    await signInAs(mira)
    await page.goto(path)
    await expect(games(page)).toHaveCount(3)
    await as('Theo').answer('in')
    await expect(games(page)).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Show the new order' })).toHaveCount(0)
  })

  test('on a telephone nothing above the list moves it when others answer', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path, as } = await startNight(product, { people: ['Theo', 'Ada', 'Ben'] })
    await page.setViewportSize({ width: 390, height: 844 })
    await signInAs(mira)
    await page.goto(path)
    const top = async () => (await games(page).first().boundingBox())!.y
    const before = await top()
    await as('Ada').answer('in', 'W'.repeat(140))
    await expect(status(page)).toHaveText('Ada is in')
    await as('Ben').answer('maybe')
    await expect(status(page)).toHaveText('Ben may come')
    expect(await top()).toBe(before)
    await expect(part(page, 'Maybe')).toBeHidden()
    await page.getByRole('button', { name: 'Everyone' }).click()
    await expect(part(page, 'Maybe').getByRole('listitem')).toHaveText([/Ben/])
    await expectAccessible(page)
  })

  test('marks outlast a reload, and the filters of the lists are in the address', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path } = await startNight(product)
    await signInAs(mira)
    await page.goto(path)
    await mark(page, 'Portal', 'Want').click()
    await page.reload()
    await expect(mark(page, 'Portal', 'Want')).toBeChecked()
    await page.getByRole('searchbox', { name: 'Search the shortlist' }).fill('fact')
    await expect(games(page)).toHaveCount(1)
    await expect(page).toHaveURL(/search=fact/)
    await page.getByRole('searchbox', { name: 'Search the shortlist' }).fill('nothing like it')
    await expect(page.getByText('No games of the shortlist match.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all games' }).click()
    await expect(games(page)).toHaveCount(3)
  })
})

test('NIGHT-85: by keys alone one answers, marks with 1, 2 and 3, and votes', async ({
  page,
  product,
  signInAs,
}) => {
  const { others, path } = await startNight(product)
  await signInAs(others[0]!)
  await page.goto(path)
  await answer(page, 'In').focus()
  // Passing over an answer does not send it.
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Theo' })).toBeVisible()
  expect(sent).toHaveLength(1)
  const order = await names(page)
  await mark(page, order[0]!, 'Want').focus()
  await page.keyboard.press('1')
  await expect(mark(page, order[0]!, 'Want')).toBeChecked()
  await expect(mark(page, order[1]!, 'Want')).toBeFocused()
  await page.keyboard.press('3')
  await expect(mark(page, order[1]!, 'Not tonight')).toBeChecked()
  await page.keyboard.press('2')
  await expect(mark(page, order[2]!, 'Fine')).toBeChecked()
  await page.keyboard.press('0')
  await expect(mark(page, order[2]!, 'Fine')).not.toBeChecked()
  await expect(bar(page)).toContainText('You marked 2 of 3')
  await bar(page).getByRole('button', { name: 'Vote' }).focus()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('You have voted.')
})

test('NIGHT-82: withdrawing a vote by another answer asks first', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product, { isIn: ['Theo'] })
  await as('Mira').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  await signInAs(mira)
  await page.goto(path)
  await answer(page, 'Maybe').click()
  await expect(dialog(page)).toContainText(
    'Your votes do not count while you are not in, and count again when you come back. You cannot vote again.',
  )
  await dialog(page).getByRole('button', { name: 'Cancel' }).last().click()
  await expect(answer(page, 'In')).toBeChecked()
  await answer(page, 'Maybe').click()
  await dialog(page).getByRole('button', { name: 'Change my answer' }).click()
  await expect(part(page, 'Maybe').getByRole('listitem')).toHaveText([/Mira/])
  await expect(page.getByText('You have voted. Your vote counts while you are in.')).toBeVisible()
})

test.describe('NIGHT-87: the host', () => {
  test('changes title, time and rule, ends the vote early after a question, and cancels', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path, as } = await startNight(product)
    await signInAs(mira)
    await page.goto(path)
    await page.getByRole('button', { name: 'Host menu' }).click()
    await expectAccessible(page)
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
    await expect(bar(page)).toContainText('1 of 2 have voted')
    await bar(page).getByRole('button', { name: 'Draw for us' }).click()
    await expect(dialog(page)).toContainText('The odds of a game are its score')
    await expect(dialog(page).getByRole('button', { name: 'Draw for us' })).toHaveClass(/bg-mint/)
    await page.keyboard.press('Escape')
    await bar(page).getByRole('button', { name: 'Close the vote' }).click()
    await expect(dialog(page)).toContainText('1 person who is in has not voted yet.')
    await dialog(page).getByRole('button', { name: 'Close the vote' }).click()
    await expect(pick(page)).toContainText('It has the best score.')

    await page.getByRole('button', { name: 'Host menu' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel this night' }).click()
    await dialog(page)
      .filter({ hasText: 'Everyone sees' })
      .getByRole('button', { name: 'Cancel this night' })
      .click()
    await expect(page.getByText('This game night was cancelled.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Host menu' })).toHaveCount(0)
    await expectAccessible(page)
  })

  test('cancels a night before the vote, which does not say then that there is no common game', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path, as } = await startNight(product, { isIn: ['Theo'] })
    await signInAs(mira)
    await page.goto(path)
    await expect(games(page)).toHaveCount(3)
    await as('Mira').cancel()
    await expect(page.getByText('This game night was cancelled.')).toBeVisible()
    await expect(page.getByText('There is no game that all')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Shortlist' })).toHaveCount(0)
  })

  test('removes a person, whose open page says so', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/404/)
    const { others, path, as } = await startNight(product, { isIn: ['Theo'] })
    await signInAs(others[0]!)
    await page.goto(path)
    await expect(answer(page, 'In')).toBeChecked()
    await as('Mira').remove(others[0]!)
    await expect(
      page.getByText('You are no longer part of this game night, or it was deleted.'),
    ).toBeVisible()
    await expect(games(page)).toHaveCount(0)
    await page.reload()
    await expect(page.getByText(GONE)).toBeVisible()
    await expectAccessible(page)
  })
})

test('NIGHT-81: the host removes a person and anyone leaves, after a question', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path, as } = await startNight(product)
  await signInAs(mira)
  await page.goto(path)
  await page.getByRole('button', { name: 'Remove Theo' }).click()
  await expect(dialog(page)).toContainText('Theo will no longer see this game night.')
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove Theo' })).toHaveCount(0)
  await expect(part(page, 'Not answered').getByRole('listitem')).toHaveText([/Ada/])
  await as('Ada').answer('in')
  await page.getByRole('button', { name: 'Leave this night' }).click()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByText('You have left this game night.')).toBeVisible()
  const left = await as('Ada').read()
  expect(left.people.map(({ display_name }) => display_name)).toEqual(['Ada'])
  expect(left.host_steam_id).toBe(left.people[0]!.steam_id)
})

test('NIGHT-85: a vote that comes too late says so, and the page shows what was decided', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/)
  const { others, path, as } = await startNight(product, { isIn: ['Theo'] })
  await page.route('**/events?*', (route) => route.abort())
  await signInAs(others[0]!)
  await page.goto(path)
  await mark(page, 'Portal', 'Want').click()
  // The page does not learn of it before it votes.
  const blocked = (url: URL) => url.pathname === `/api${path}`
  await page.route(blocked, (route) => route.abort())
  await as('Mira').vote([{ appid: product.appidOf('Factorio'), mark: 'want' }])
  await as('Mira').close()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page).getByRole('alert').filter({ hasText: 'Failed to vote.' })).toContainText(
    'The vote has already ended.',
  )
  await page.unroute(blocked)
  await expect(pickName(page)).toHaveText('You are playing Factorio', { timeout: 20_000 })
})

test('NIGHT-83: who has no known library is named with the way out, and does not empty the list', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, others, path, as } = await startNight(product, { isIn: ['Theo'] })
  product.simulator.updatePlayer(others[1]!.steam_id, { gamesPrivate: true })
  await product.deps.sync.syncGames(others[1]!.steam_id, others[1]!.steam_id).catch(() => undefined)
  await as('Ada').answer('in')
  await signInAs(mira)
  await page.goto(path)
  const notCounted = page.getByRole('group', { name: 'Not counted' })
  await expect(notCounted).toContainText("Ada's game details are private")
  await expect(notCounted).toContainText('set "Game details" to Public')
  await expect(games(page)).toHaveCount(3)
})

test('NIGHT-89: a page in the background rests, and shows what it missed when it is seen again', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path, as } = await startNight(product)
  await signInAs(mira)
  const streams: string[] = []
  page.on('requestfinished', (request) => request.url().includes('/events') && streams.push('closed'))
  page.on('requestfailed', (request) => request.url().includes('/events') && streams.push('closed'))
  const opened = page.waitForRequest(/\/events/)
  await page.goto(path)
  await opened
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await expect(part(page, 'In').getByRole('listitem')).toHaveCount(1)
  await show('hidden')
  await expect.poll(() => streams.length).toBe(1)
  await as('Theo').answer('in')
  expect((await as('Theo').read()).people.filter((one) => one.answer === 'in')).toHaveLength(2)
  await expect(part(page, 'In').getByRole('listitem')).toHaveCount(1)
  const again = page.waitForRequest(/\/events/)
  await show('visible')
  await expect(status(page)).toHaveText('Theo is in')
  await again
})

test('NIGHT-79: ugly names, on a telephone and on large screens; nothing moves while it loads', async ({
  page,
  product,
  signInAs,
}) => {
  const { mira, path, as } = await startNight(product, {
    people: oddNames(32),
    gameNames: [...oddNames(100), 'Portal'],
    title: 'W'.repeat(80),
    groupName: 'لعبة العروش',
    isIn: oddNames(32).slice(0, 4),
  })
  await as(oddNames(32)[4]!).answer('maybe', 'W'.repeat(140))
  const shifts = await observeShifts(page)
  await signInAs(mira)
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
    { width: 2560, height: 1440 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(path)
    await expect(games(page)).toHaveCount(7)
    await expectNoSidewaysScroll(page)
    await page.waitForLoadState('load')
    expect(sumOf(await shifts()), JSON.stringify(await shifts(), null, 1)).toBeLessThanOrEqual(0.01)
    if (viewport.width === 390) await expectLargeTargets(page)
    await expectAccessible(page)
  }
})

test('NIGHT-79: an id that no night can have, or a night of others, is not there', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/404/)
  const { id } = await startNight(product)
  const stranger = await product.player({ name: 'Stranger' })
  await signInAs(stranger)
  for (const path of [`/nights/${id}`, '/nights/0', '/nights/x', `/nights/${id}/draw`]) {
    await page.goto(path)
    await expect(page.getByText(GONE)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeVisible()
  }
  await expect(stranger.attempt(nightsContract.read, { id })).resolves.toHaveProperty('status', 404)
  await expect(shortlist(page)).toHaveCount(0)
})

test('NIGHT-89: a lost stream says so, and is opened again', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/)
  const { mira, path, as } = await startNight(product)
  await signInAs(mira)
  let isDown = true
  await page.route('**/events?*', (route) => (isDown ? route.abort() : route.continue()))
  await page.goto(path)
  await expect(status(page)).toHaveText('Reconnecting…')
  isDown = false
  await expect(status(page)).toHaveText('')
  await as('Ada').answer('maybe')
  await expect(status(page)).toHaveText('Ada may come')
})

test('NIGHT-87: a draw is revealed in a moment, and stands at once under reduced motion', async ({
  page,
  product,
  signInAs,
}) => {
  const { others, path, as } = await startNight(product, { people: ['Theo'], isIn: ['Theo'] })
  await as('Mira').close('draw')
  await signInAs(others[0]!)
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.goto(path)
    const isFirst = reducedMotion === 'no-preference'
    const headings = await recordHeadings(page)
    await (isFirst ? as('Mira').draw() : as('Mira').redraw('once more'))
    const { name } = (await as('Mira').read()).pick!
    await expect(pickName(page)).toHaveText(`You are playing ${name}`)
    await expect(status(page)).toHaveText(`The pick is ${name}`)
    const during = (await headings()).filter(({ pick }) => pick.startsWith('Drawing…'))
    expect(during.length > 0).toBe(isFirst)
    expect(during.filter(({ head }) => head.includes(name) || head.includes('Decided'))).toEqual([])
  }
})

/** The texts that the heading of the pick has had since now, each with the head of the page at that moment. */
async function recordHeadings(page: Page): Promise<() => Promise<{ pick: string; head: string }[]>> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game night')
  await page.evaluate(() => {
    const seen: { pick: string; head: string }[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const pick = document.querySelector('#the-pick')?.textContent
      if (pick) seen.push({ pick, head: document.querySelector('main header')!.textContent })
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: { pick: string; head: string }[] }).seen)
}
