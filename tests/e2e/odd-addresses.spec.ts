/** Ids in addresses that nobody and no game can have (PAGE-32). */
import { expect, test } from './support.ts'

test('PAGE-32: an id that cannot be one is not asked for', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 5 } })
  const me = await product.player({ games: { Portal: 90 }, friends: [ada] })
  await signInAs(me)
  for (const id of ['abc', '76561190000000000']) {
    await page.goto(`/friends/${id}/games`)
    await expect(page.getByText('Nobody can have the Steam id in this address.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Friends with synced libraries' })).toContainText('Ada')
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  for (const id of ['abc', '76561190000000000', me.steam_id]) {
    await page.goto(`/games/1/comparison?friend=${id}`)
    await expect(page.getByText('Select a friend to compare your games!')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  for (const id of ['abc', '0', '4294967296']) {
    await page.goto(`/games/${id}/friends`)
    await expect(page.getByRole('heading', { level: 1, name: 'Friends Who Play This Game' })).toBeVisible()
    await expect(page.getByText('None of your friends play this game.')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
})
