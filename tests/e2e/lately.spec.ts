/** LATELY-3: what happened lately, on its page and on the dashboard. */
import { addLibraryChanges } from '../../src/server/storage/players/libraries.ts'
import { storeSays } from '../support/store.ts'
import { breakCalls, expect, PHONE, test } from './support.ts'

const HOUR = 60 * 60_000

test('LATELY-3: the latest on the dashboard, all of it on the page', async ({ page, product, signInAs }) => {
  const games = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`Latest ${nth}`, 5]))
  const bea = await product.player({ name: 'Bea', games })
  const ada = await product.player({ name: 'Ada', games: { 'Latest 0': 9 }, friends: [bea] })
  const { group_id } = await product.group({ owner: ada, members: [bea], name: 'Two' })
  await storeSays(product, { 'Latest 0': { categories: [38] }, 'Latest 9': { categories: [38] } })

  await signInAs(ada, '/lately')
  await expect(page.getByRole('heading', { level: 1, name: 'Lately' })).toBeVisible()
  await expect(page.getByText('Nothing yet.')).toBeVisible()
  await expect(page).toBeAccessible()
  const got = (name: string, hoursAgo: number) =>
    product.database.transaction((tx) =>
      addLibraryChanges(tx, bea.steam_id, Date.now() - hoursAgo * HOUR, [
        { appid: product.appidOf(name), minutes: 0, kind: 'got' },
      ]),
    )
  for (let nth = 0; nth < 24; nth++) await got(`Latest ${nth}`, 24 + nth)
  // A sync of a friend's library is told.
  await product.deps.sync.syncGames(bea.steam_id, bea.steam_id)
  const rows = page.getByRole('list', { name: 'Lately' }).getByRole('listitem')
  await expect(rows).toHaveCount(20)
  await expect(rows.nth(0)).toContainText('Bea got Latest 0: now everybody in Two owns it')
  await expect(rows.nth(1)).toContainText('Bea got Latest 1')
  await expect(rows.nth(0).getByRole('link', { name: 'Two' })).toHaveAttribute('href', `/groups/${group_id}`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(24)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await expect(page).toBeAccessible()
  await page.setViewportSize(PHONE)
  await expect(page).toFitItsWidth()
  await expect(page).toHaveLargeTargets()

  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Lately' })
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await card.getByRole('link', { name: 'Show all' }).click()
  await expect(page).toHaveURL('/lately')
  await breakCalls(page, '**/api/users/*/lately', 'The paper is late.')
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Failed to fetch what happened lately', {
    timeout: 9000,
  })
})
