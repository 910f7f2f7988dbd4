/**
 * A real library in the browser: the owner of the largest one signs in, syncs, and sees what the file says.
 * Skipped, and said so, where the data of ../shared/data is not there.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { temporaryFolder } from '../support/folders.ts'
import { startProduct, type Product } from '../support/product.ts'
import { readRealWorld, SHARED_DATA } from '../support/real-world.ts'
import { expect, PAGES, test as base } from './support.ts'

const world = readRealWorld()

const test = base.extend<object, { product: Product }>({
  product: [
    async ({}, use) => {
      const dataDir = temporaryFolder('e2e')
      const product = await startProduct({
        world,
        place: { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) },
        pagesFolder: PAGES,
      })
      await use(product)
      await product.close()
    },
    { scope: 'worker' },
  ],
})

/** Who has most games, and these: read from the file by itself, without anything of the product or the simulator. */
function largestLibrary(): { steamId: string; games: { appid: number; minutes: number }[] } {
  const rows = (file: string) =>
    gunzipSync(readFileSync(join(SHARED_DATA, 'playtime', file)))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
  const games = new Map<string, { appid: number; minutes: number }[]>()
  for (const [user, appid, minutes] of rows('au_libraries.csv.gz')) {
    if (!games.has(user!)) games.set(user!, [])
    games.get(user!)!.push({ appid: Number(appid), minutes: Number(minutes) })
  }
  const [user, largest] = [...games].sort(([, one], [, other]) => other.length - one.length)[0]!
  const steamId = rows('au_users.csv.gz').find(([number]) => number === user)![1]!
  return { steamId, games: largest.sort((one, other) => other.minutes - one.minutes) }
}

test.skip(!world, '../shared/data is not there')

test('PAGE-12, DASH-3: the owner of the largest real library signs in, syncs, and sees each game with the right playtime', async ({
  page,
}) => {
  test.slow()
  const { steamId, games } = largestLibrary()
  const name = (appid: number) => world!.apps.find((app) => app.appid === appid)?.name ?? `App ${appid}`

  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with Steam' }).click()
  await page.getByLabel('Search players').fill(steamId)
  await page.keyboard.press('Enter')
  await page.locator(`button[value="${steamId}"]`).click()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('navigation').getByRole('link', { name: 'My Games', exact: true }).click()
  await expect(page.getByText('not synced yet')).toBeVisible()
  await page.getByRole('button', { name: 'Sync Games' }).click()

  const list = page.getByRole('list', { name: 'My Games' })
  const count = `${games.length.toLocaleString('en-US')} games`
  await expect(page.getByText(`${count} · synced just now`)).toBeVisible()
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(games.length))
  await expect(list.getByRole('heading')).toContainText(games.slice(0, 3).map(({ appid }) => name(appid)))
  await expect(list.getByText(/^\d+h \d+m played$/)).toContainText(
    games.slice(0, 3).map(({ minutes }) => `${Math.floor(minutes / 60)}h ${minutes % 60}m played`),
  )
  console.log(
    `${count}; most played: ${games
      .slice(0, 3)
      .map(({ appid, minutes }) => `${name(appid)} ${minutes} min`)
      .join(', ')}`,
  )

  // And the dashboard says the same in rounded hours.
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true }).click()
  const top = page.getByRole('region', { name: 'My Top Games' })
  for (const { appid, minutes } of games.slice(0, 3)) {
    await expect(top).toContainText(name(appid))
    await expect(top).toContainText(`${Math.round(minutes / 60).toLocaleString('en')}h played`)
  }
})
