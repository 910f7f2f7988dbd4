/** What the dashboard and the Groups screen show of a group's games (DASH-37, GLIST-14), and presence as text (PAGE-20). */
import type { Product } from '../support/product.ts'
import { storeSays } from '../support/store.ts'
import { common, openDashboard } from './dashboard-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, idleOf, test } from './support.ts'

/** Mira and her friends; of their common games one is for one player only. */
async function trio(product: Product) {
  const games = { Lonely: 600, Party: 60, Duel: 6 }
  await storeSays(product, {
    Lonely: { categories: [2] },
    Party: { categories: [38] },
    Duel: { categories: [36] },
  })
  const ada = await product.player({ name: 'Ada', games, personastate: 1 })
  const bob = await product.player({ name: 'Bob', games, personastate: 3 })
  const mira = await product.player({ name: 'Mira', games, friends: [ada, bob] })
  const { group_id: id } = await product.group({ owner: mira, members: [ada, bob], name: 'Friday' })
  return { mira, id }
}

test('DASH-37: games to play together, or all of them', async ({ page, product, signInAs }) => {
  const { mira, id } = await trio(product)
  await signInAs(mira)
  await openDashboard(page)
  const { region, games } = common(page)
  await expect(games).toHaveText([/^Party/, /^Duel/])
  await expect(region).toContainText('Play together (2) · 3 members')
  await page.goto(`/groups/${id}`)
  await page.getByRole('radio', { name: 'All own (3)' }).check()
  await openDashboard(page)
  await expect(games).toHaveText([/^Lonely/, /^Party/, /^Duel/])
  await expect(region).toContainText('All own (3) · 3 members')
})

for (const width of [360, 1280])
  test(`GLIST-14: games and members on a card, at ${width} px`, async ({ page, product, signInAs }) => {
    const { mira, id } = await trio(product)
    await product.group({ owner: mira, name: 'Nobody else' })
    await signInAs(mira)
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/groups')
    const friday = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Friday' }) })
    await expect(friday.getByText('3 members', { exact: true })).toBeVisible()
    await expect(friday.getByText('3 in common')).toBeVisible()
    await expect(friday.getByRole('img', { name: /^Mira; Ada, Online; Bob, Away$/ })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    // Anywhere on the card, for example on the art.
    await friday.click({ position: { x: 20, y: 20 } })
    await expect(page).toHaveURL(new RegExp(`/groups/${id}$`))
  })

test('GLIST-14: members and games are loaded only for cards in view', async ({ page, product, signInAs }) => {
  const mira = await product.player({ name: 'Mira of many groups' })
  for (let nth = 0; nth < 30; nth++) await product.group({ owner: mira, name: `Group ${nth}` })
  await signInAs(mira)
  await page.setViewportSize({ width: 390, height: 844 })
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/shared_games')) calls.push(request.url())
  })
  const idle = idleOf(page)
  await page.goto('/groups')
  await expect(page.getByText('0 in common').first()).toBeVisible()
  await idle()
  expect(calls.length).toBeLessThan(10)
  const last = page.getByRole('heading', { name: 'Group 0', exact: true })
  await last.scrollIntoViewIfNeeded()
  await expect(page.getByRole('listitem').filter({ has: last }).getByText('0 in common')).toBeVisible()
})
