/** VIS-6: hiding games from everybody else on My Games, and showing them again. */
import type { Page } from '@playwright/test'
import { api, expect, hold, test } from './support.ts'

const hide = (page: Page, game: string) =>
  page.getByRole('button', { name: `Hide ${game} from everybody else` })
const show = (page: Page, game: string) => page.getByRole('button', { name: `Show ${game} to others again` })
const notice = (page: Page) => page.getByRole('status').filter({ hasText: /is hidden|is shown/ })

test('VIS-6: a press hides it at once, and can be undone', async ({ page, product, signInAs }) => {
  const friend = await product.player({ games: { Portal: 5 } })
  const me = await product.player({ games: { Portal: 90, Dota: 30 }, friends: [friend] })
  const seen = async () => (await friend.call(api.library.games, me.user)).games.map(({ name }) => name)
  await signInAs(me, '/my_games')
  expect(await seen()).toEqual(['Portal', 'Dota'])

  const release = await hold(page, '**/hidden_games/*')
  await hide(page, 'Portal').click()
  // Before the server has answered.
  await expect(show(page, 'Portal')).toBeFocused()
  await expect(notice(page)).toContainText(
    'Portal is hidden. Nobody but you sees that you own it; in groups it counts for you only.',
  )
  // Also when the games are read again meanwhile.
  await product.owns(me, { Portal: 95, Dota: 30 })
  await expect(page.getByText('1h 35m played')).toBeVisible()
  await expect(show(page, 'Portal')).toBeFocused()
  release()
  await expect.poll(seen).toEqual(['Dota'])
  await expect(page).toBeAccessible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(hide(page, 'Portal')).toBeVisible()
  await expect(notice(page)).toContainText('Portal is shown to others again.')
  await expect.poll(seen).toEqual(['Portal', 'Dota'])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice(page)).toHaveCount(0)

  // By keys: the next tab stop, and what comes after it is what comes after the button.
  const focused = page.locator(':focus')
  await hide(page, 'Portal').press('Enter')
  await expect(notice(page)).toBeVisible()
  await expect(show(page, 'Portal')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Undo')
  await page.keyboard.press('Shift+Tab')
  await expect(show(page, 'Portal')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Dismiss')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Dota')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(hide(page, 'Portal')).toBeFocused()
  await expect(notice(page)).toContainText('Portal is shown to others again.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(notice(page)).toHaveCount(0)
  await expect(hide(page, 'Portal')).toBeFocused()

  // The last of several quick presses wins.
  const { games } = await me.call(api.library.games, me.user)
  const dota = games.find(({ name }) => name === 'Dota')!
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith(`/hidden_games/${dota.appid}`)) sent++
  })
  await hide(page, 'Dota').click()
  await show(page, 'Dota').click()
  await hide(page, 'Dota').click()
  await expect.poll(() => sent).toBe(3)
  await expect.poll(seen).toEqual(['Portal'])
  await page.reload()
  await expect(show(page, 'Dota')).toBeVisible()
  await expect(hide(page, 'Portal')).toBeVisible()

  // On the page of the game too.
  await page.goto(`/games/${product.appidOf('Dota')}`)
  await show(page, 'Dota').click()
  await expect(notice(page)).toContainText('Dota is shown to others again.')
  await expect.poll(seen).toEqual(['Portal', 'Dota'])
  await expect(page).toBeAccessible()
})

test('VIS-6: a failure is taken back', async ({ page, enter }) => {
  await enter({ games: { Portal: 90 } })
  await page.route('**/hidden_games/*', (route) =>
    route.fulfill({ status: 409, json: { error: 'That is enough.', code: 'too_many_hidden_games' } }),
  )
  await page.goto('/my_games')
  await hide(page, 'Portal').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Portal' })).toHaveText(
    'Portal could not be hidden. That is enough.',
  )
  await expect(hide(page, 'Portal')).toBeVisible()
  await expect(page).toBeAccessible()
})

test('VIS-6: Account lists what is hidden', async ({ page, product, enter }) => {
  const me = await enter({ games: { Portal: 90, Dota: 30 } }, '/account')
  const card = page.getByRole('region', { name: 'Games I hide' })
  await expect(card).toContainText('You hide no games.')
  await expect(page).toBeAccessible()

  // One that is not in the library may be hidden too.
  for (const gameId of [product.appidOf('Portal'), product.appidOf('Dota'), 4_000_000])
    await me.call(api.privacy.hideGame, { ...me.user, gameId })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.reload()
  await expect(card).toContainText('You hide 3 games.')
  await card.getByRole('button', { name: 'Hidden games' }).click()
  const rows = card.getByRole('listitem')
  await expect(rows).toHaveText([/App 4000000/, /Dota/, /Portal/])
  await expect(page).toBeAccessible()
  await show(page, 'Dota').focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText([/App 4000000/, /Portal/])
  await expect(notice(page)).toContainText('Dota is shown to others again.')
  await expect
    .poll(async () => (await me.call(api.library.games, me.user)).hidden)
    .not.toContain(product.appidOf('Dota'))
})
