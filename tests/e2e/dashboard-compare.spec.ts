/** DASH-12: comparing with a friend on the dashboard. */
import { compare, namesIn, openDashboard, rows, test } from './dashboard-page.ts'
import { expect, hold } from './support.ts'

test('DASH-12: disabled until a friend is chosen, and busy', async ({ page, enterCrew }) => {
  await enterCrew()
  await openDashboard(page)
  const { region, search, option, button } = compare(page)
  await expect(button).toBeDisabled()
  await search.fill('ada')
  await expect(button).toBeDisabled()
  await option('Ada').click()
  await expect(button).toBeEnabled()

  const release = await hold(page, '**/api/compare/**')
  await button.click()
  await expect(region.getByRole('button', { name: 'Comparing...' })).toBeDisabled()
  release()
  await expect(button).toBeEnabled()
  await expect(rows(region)).toHaveText([/Portal.*You: 20h \| Friend: 10h$/, /Dota.*You: 2h \| Friend: 1h$/])
  await expect(page).toBeAccessible()
})

test('DASH-14: 8 rows, View All if there are more, or none in common', async ({ page, product, enter }) => {
  const games = Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`Game ${nth}`, 6000 - 60 * nth]))
  const nine = await product.player({ name: 'Nine', games })
  const { 'Game 8': _, ...fewer } = games
  const eight = await product.player({ name: 'Eight', games: fewer })
  const none = await product.player({ name: 'Other Shelf', games: { Rust: 60 } })
  await enter({ games, friends: [nine, eight, none] })
  await openDashboard(page)
  const { region, search, option, button } = compare(page)
  const viewAll = region.getByRole('link', { name: 'View All' })
  await search.fill('eight')
  await option('Eight').click()
  await button.click()
  await expect(rows(region)).toHaveCount(8)
  await expect(viewAll).toHaveCount(0)

  await search.fill('other')
  await option('Other Shelf').click()
  await button.click()
  await expect(region.getByText('No games in common.', { exact: true })).toBeVisible()
  await expect(page).toBeAccessible()

  await search.fill('nine')
  await option('Nine').click()
  await button.click()
  await expect(viewAll).toBeVisible()
  await expect.poll(() => namesIn(region)).toEqual(Array.from({ length: 8 }, (_, nth) => `Game ${nth}`))
  await viewAll.click()
  await expect(page).toHaveURL(`/friends/${nine.steam_id}/games`)
})

test('DASH-12: a late answer about another friend is not shown', async ({ page, enterCrew }) => {
  const { me, ada } = await enterCrew()
  await openDashboard(page)
  const { region, search, option, button } = compare(page)
  const release = await hold(page, `**/api/compare/${me.steam_id}/${ada.steam_id}`)
  await search.fill('ada')
  await option('Ada').click()
  await button.click()
  await expect(region.getByRole('button', { name: 'Comparing...' })).toBeVisible()

  const given = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/compare/'))
  await search.fill('bob')
  await option('Bob').click()
  await expect(button).toBeEnabled()
  // What nobody waits for any more is given up, so that it cannot come late either.
  expect((await given).url()).toContain(ada.steam_id)
  release()
  await expect(rows(region)).toHaveCount(0)
  await button.click()
  await expect(rows(region).first()).toContainText('You: 20h | Friend: 5h')

  // And going back to the first one shows nothing before it is asked for.
  await search.fill('ada')
  await option('Ada').click()
  await expect(rows(region)).toHaveCount(0)
  await button.click()
  await expect(rows(region).first()).toContainText('You: 20h | Friend: 10h')
})
