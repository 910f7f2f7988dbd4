/** NIGHT-79 to NIGHT-85: the page of a game night, for one person with others who act through calls. */
import { IN_FIREFOX } from '../sizes.ts'
import { inNight, readStore } from '../support/nights.ts'
import {
  answer,
  bar,
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
import { api, dialog, expect, PHONE, switchTo, test } from './support.ts'

test('NIGHT-79, NIGHT-81, NIGHT-86: from the answer to the pick', async ({ page, product, signInAs }) => {
  const { others, path, as } = await startNight(product, { title: 'Couch evening', isIn: ['Mira'] })
  await signInAs(others[0]!, path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Couch evening')
  await expect(page).toHaveTitle(/^\(1\) Couch evening, \w{3},? \d+ \w+ · Shelfmates$/)
  await expect(page.getByRole('link', { name: 'Friday' })).toBeVisible()
  await expect(page.getByText('Voting is open').filter({ visible: true })).toBeVisible()
  await expect(page.getByText('Hosted by Mira')).toBeVisible()
  await expect(part(page, 'In').getByRole('listitem')).toHaveText([/Mira/])
  await expect(part(page, 'Not answered').getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText('“In” also lets the people of this night see')).toBeVisible()
  await expect(page).toBeAccessible()

  await page.getByRole('button', { name: 'Add a word' }).click()
  await page.getByLabel('A word with it (optional)').fill('from nine')
  await answer(page, 'In').click()
  await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Theo' })).toContainText('from nine')
  await expect(games(page)).toHaveCount(3)
  await expect(game(page, 'Portal')).toContainText('all 3 own it')
  await expect(bar(page)).toContainText('0/3 marked')
  await expect(bar(page).getByRole('button', { name: 'Vote' })).toBeDisabled()
  await page.getByText('How is a draw decided?').click()
  await expect(page.getByText((await as('Mira').read()).seed_hash)).toBeVisible()

  await as('Ada').answer('in', 'no shooters')
  await expect(status(page)).toHaveText('Ada is in')
  await expect(game(page, 'Portal')).toContainText('all 3 own it')
  await as('Mira').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  await expect(status(page)).toHaveText('Mira has voted')
  await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Mira' })).toContainText('has voted')
  await expect(page.getByText('Want it')).toHaveCount(0)

  await mark(page, 'Portal', 'Want').click()
  await mark(page, 'Factorio', 'Not tonight').click()
  await expect(bar(page)).toContainText('2/3 marked')
  await bar(page).getByRole('button', { name: 'Rest is fine' }).click()
  await expect(mark(page, 'Overcooked', 'Fine')).toBeChecked()
  await expect(page).toBeAccessible()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page)).toContainText('You have voted.')
  await expect(game(page, 'Portal')).toContainText('Want it: Mira, You')
  await expect(bar(page)).toBeFocused()

  await as('Ada').vote([{ appid: product.appidOf('Portal'), mark: 'fine' }])
  await expect(pickName(page)).toHaveText('You are playing Portal')
  await expect(status(page)).toContainText('The pick is Portal')
  await expect(pick(page).getByRole('link', { name: /^Launch/ })).toHaveAttribute(
    'href',
    `steam://run/${product.appidOf('Portal')}`,
  )
  await expect(pick(page).getByRole('list', { name: 'Who is ready' }).getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'How everyone voted' })).toBeVisible()
  await expect(game(page, 'Portal')).toContainText('Score 5')
  await expect(page).toBeAccessible()
})

test('WISH-3: opens with what I want with the group', async ({ page, product, signInAs }) => {
  const { others, groupId, path } = await startNight(product, { isIn: ['Mira', 'Theo'] })
  await others[0]!.call(api.wishes.want, { id: groupId, gameId: product.appidOf('Factorio') })
  await signInAs(others[0]!, path)
  await expect(page.getByText('Your wishes are marked “Want”.')).toBeVisible()
  await expect(mark(page, 'Factorio', 'Want')).toBeChecked()
  await expect(bar(page)).toContainText('1/3 marked')
  await mark(page, 'Factorio', 'Not tonight').click()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(bar(page)).toContainText('You have voted.')
  await expect(mark(page, 'Factorio', 'Not tonight')).toBeChecked()
})

test('NIGHT-82, NIGHT-85: by keys alone, with 1, 2 and 3', async ({ page, product, signInAs }) => {
  const { others, path } = await startNight(product)
  await signInAs(others[0]!, path)
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
  await expect(bar(page)).toContainText('2/3 marked')
  await bar(page).getByRole('button', { name: 'Vote' }).focus()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('You have voted.')
})

test('NIGHT-93, DATE-14: times are typed with keys alone', async ({ page, enter }) => {
  await enter({ name: 'Mira' }, '/nights')
  await page.getByRole('button', { name: 'Start a game night' }).first().press('Enter')
  const [year, month, day] = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10).split('-')
  // In Chromium the year may have six digits, so that another key does not begin the hour.
  const type = async (label: string) => {
    await dialog(page).getByLabel(label).focus()
    await page.keyboard.type(`${month}${day}${year}`)
    if (!IN_FIREFOX) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0930P')
    await expect(dialog(page).getByLabel(label)).toHaveValue(`${year}-${month}-${day}T21:30`)
  }
  await dialog(page).getByRole('radio', { name: 'Now' }).press('ArrowRight')
  await type('Date and time')
  await expect(dialog(page).getByText(/ at 21:30 in your time zone/)).toBeVisible()
  await dialog(page).getByRole('radio', { name: 'At a time' }).press('ArrowRight')
  await type('Another day or time')
  await dialog(page).getByRole('button', { name: /^Add/ }).press('Enter')
  await expect(dialog(page).getByText(/^1 of 12 times/)).toBeVisible()
})

test('NIGHT-82: withdrawing a vote by another answer asks first', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product, { isIn: ['Theo'] })
  await as('Mira').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  await signInAs(mira, path)
  await answer(page, 'Maybe').click()
  await expect(dialog(page)).toContainText(
    'Your votes do not count while you are not in, and count again when you come back.',
  )
  await dialog(page).getByRole('button', { name: 'Cancel' }).last().click()
  await expect(answer(page, 'In')).toBeChecked()
  await answer(page, 'Maybe').click()
  await dialog(page).getByRole('button', { name: 'Change my answer' }).click()
  await expect(part(page, 'Maybe').getByRole('listitem')).toHaveText([/Mira/])
  await expect(page.getByText('You have voted. Your vote counts while you are in.')).toBeVisible()
})

test('NIGHT-83, NIGHT-133, NIGHT-136: no known library', async ({ page, product, signInAs }) => {
  const { mira, others, path, as } = await startNight(product, { isIn: ['Theo'] })
  await product.makesPrivate(others[1]!)
  await as('Ada').answer('in')
  await signInAs(mira, path)
  const notCounted = page.locator('details').filter({ hasText: 'Not counted: Ada' })
  await notCounted.locator('summary').click()
  await expect(notCounted).toContainText("Ada's game details are private")
  await expect(notCounted).toContainText('set "Game details" to Public')
  await expect(notCounted.getByRole('button', { name: 'Copy a message for Ada' })).toBeVisible()
  await expect(games(page)).toHaveCount(3)

  // NIGHT-136: Ada says herself what she owns.
  const title = 'Overcooked'
  const theGame = page.getByRole('article', { name: title, exact: true })
  await page.goto('/privacy')
  await switchTo(page, others[1]!)
  await page.setViewportSize(PHONE)
  await page.goto(path)
  await theGame.hover()
  await theGame.getByRole('button', { name: `More about ${title}` }).click()
  await expect(dialog(page).getByRole('heading', { name: title })).toBeVisible()
  await dialog(page).getByLabel('I have it elsewhere').selectOption('GOG')
  await expect.poll(async () => (await as('Mira').read()).shortlist[0]?.name).toBe(title)
  await expect(page).toHaveLargeTargets()
  await expect(page).toBeAccessible()
  await page.keyboard.press('Escape')
  await expect(theGame.getByRole('button', { name: `More about ${title}` })).toBeFocused()
  await expect(theGame).toContainText(/Elsewhere: .*You.* \(GOG\)/i)
  await page.goto('/privacy')
  await switchTo(page, mira)
  await page.goto(path)
  await expect(theGame).toContainText(/Elsewhere: .*Ada.* \(GOG\)/)
  await expect(games(page).first()).toContainText(title)
})

test('NIGHT-83: a stranger is not in yet, not hidden', async ({ page, product, signInAs }) => {
  const games = { Portal: 60 }
  const [theo, ada] = [
    await product.player({ name: 'Theo', games }),
    await product.player({ name: 'Ada', games }),
  ]
  const mira = await product.player({ name: 'Mira', games, friends: [theo, ada] })
  await readStore(product)
  const night = await mira.call(api.nights.start, {}, { steam_ids: [theo.steam_id, ada.steam_id] })
  await inNight(night, theo).answer('in')
  await signInAs(theo, `/nights/${night.night_id}`)
  const notCounted = page.locator('details').filter({ hasText: 'Not counted: Ada' })
  await notCounted.locator('summary').click()
  await expect(notCounted).toContainText('Ada is not in yet')
  await expect(notCounted).not.toContainText('Account page')
  await inNight(night, ada).answer('in')
  await expect(notCounted).toHaveCount(0)
})

test('NIGHT-79, NIGHT-138: ids of no night', async ({ page, product, expectedErrors, enter }) => {
  expectedErrors.push(/404/)
  const { id } = await startNight(product)
  const stranger = await enter({ name: 'Stranger' })
  for (const path of [`/nights/${id}`, '/nights/999999999', '/nights/0', '/nights/x', `/nights/${id}/draw`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask for an invitation')
    await expect(page.getByText(GONE)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeVisible()
  }
  await expect(stranger.attempt(api.nights.read, { id })).resolves.toHaveProperty('status', 404)
  await expect(shortlist(page)).toHaveCount(0)
})
