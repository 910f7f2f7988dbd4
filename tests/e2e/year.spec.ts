/** LATELY-5, LATELY-6: a year in six pictures, of a user and of a group. */
import { writePlaytimeMonth } from '../../src/server/storage/players/libraries.ts'
import { libraryFrom } from '../../src/server/library/library.ts'
import { packLibrary } from '../../src/server/library/packed.ts'
import { makePick } from '../support/stored-nights.ts'
import { observeShifts, sumOf } from './layout-shifts.ts'
import { confirm, DESK, expect, idleOf, OWN_CLOCK, PHONE, region, test } from './support.ts'

const DAY = 24 * 60 * 60_000

test(
  'LATELY-5, LATELY-6: hours, nights and people of a year, and what is not known of it',
  { tag: OWN_CLOCK },
  async ({ page, product, signInAs }) => {
    const year = new Date().getUTCFullYear() - 1
    const names = ['Deep Rock', 'Valheim', 'Portal', 'Factorio', 'Hades', 'Celeste']
    const games = Object.fromEntries(names.map((name, nth) => [name, 9000 - 900 * nth]))
    const bea = await product.player({ name: 'Bea', games })
    const cal = await product.player({ name: 'Cal', games })
    const ada = await product.player({ name: 'Ada', games, friends: [bea, cal] })
    const { group_id: groupId } = await product.group({
      owner: ada,
      members: [bea, cal],
      name: 'Friday crew',
    })
    await product.database.transaction(async (tx) => {
      await tx
        .updateTable('libraries')
        .set({ tracked_since: Date.UTC(year, 4, 3) })
        .where('steam_id', '=', ada.steam_id)
        .execute()
      for (let month = 5; month <= 12; month++) {
        const played = names.map((name, nth) => ({
          ...{ appid: product.appidOf(name), recentMinutes: 0, lastPlayed: 0 },
          minutes: nth === 2 ? 840 : 60 * ((month * (nth + 3)) % 13),
        }))
        const packed = packLibrary(libraryFrom(played))
        await writePlaytimeMonth(tx, { steam_id: ada.steam_id, month: year * 100 + month, packed })
      }
    })
    for (let nth = 0; nth < 20; nth++) {
      const appid = product.appidOf(names[nth % 3 === 0 ? 0 : nth % 4]!)
      await makePick(
        product,
        { startsAt: Date.UTC(year, 1, 6, 19) + nth * 16 * DAY, appids: [1, appid], groupId },
        [
          [ada, 'in'],
          [bea, 'in'],
          [cal, nth % 2 === 0 ? 'in' : 'out'],
        ],
      )
    }

    await signInAs(ada, '/my_games/shelf')
    await page.getByRole('link', { name: 'Year in pictures' }).click()
    await expect(page.getByText('Nothing is stored of this year.')).toBeVisible()
    await page.getByRole('link', { name: String(year) }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Your year ${year}` })).toBeVisible()
    await expect(page.getByText(`Hours are counted since 3 May ${year}`)).toBeVisible()
    const months = region(page, 'Hours by month').getByRole('listitem')
    await expect(months).toHaveCount(12)
    await expect(months.nth(3)).toContainText('April: not known')
    await expect(months.nth(4)).toContainText(/May: \d+h 0m/)
    await expect(region(page, 'Together').getByRole('listitem')).toHaveText([/Bea20 nights/, /Cal10 nights/])
    await expect(region(page, 'Game nights')).toContainText('20with 2.5 people on average')
    await expect(region(page, 'Pick of the year')).toContainText('Deep RockPicked 10 times')
    await expect(region(page, 'Most played').getByRole('listitem')).toHaveCount(5)
    await expect(page).toBeAccessible()
    await page.setViewportSize(PHONE)
    await expect(page).toFitItsWidth()
    await expect(page).toHaveLargeTargets()

    const dialog = page.getByRole('dialog')
    const expectShared = async (by: string, rows: number) => {
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      await expect(page).toBeAccessible()
      await dialog.getByRole('button', { name: 'Create a link' }).click()
      await expect(dialog.getByText(/^Everyone with the link/)).toBeFocused()
      const shared = await page.context().newPage()
      const link = dialog.getByLabel('Link', { exact: true })
      await expect(link).toHaveValue(/\/share\/[\w-]{32}$/)
      await shared.goto(await link.inputValue())
      await expect(shared.getByText(by, { exact: true })).toBeVisible()
      await expect(shared.getByRole('listitem')).toHaveCount(rows)
      await expect(shared).toBeAccessible()
      await expect(shared).toFitPhoneAndDesk()
      await shared.close()
    }
    await expectShared('Ada', 17)
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await confirm(page, 'Switch the link off?', 'Switch off').click()
    await expect(page.getByText('The link is switched off.')).toBeVisible()

    await page.goto(`/nights?group=${groupId}`)
    await page.getByRole('link', { name: 'Year in pictures' }).click()
    await page.getByRole('link', { name: String(year) }).click()
    await expect(page.getByRole('heading', { level: 1, name: `The year ${year}` })).toBeVisible()
    await expect(region(page, 'Nights by month').getByRole('listitem').first()).toContainText(
      'January: 0 nights',
    )
    await expect(region(page, 'Together').getByRole('listitem').first()).toContainText('20 nights')
    await expect(page).toBeAccessible()
    await expect(page).toFitItsWidth()
    await expectShared('Friday crew', 16)
  },
)

test(
  'LATELY-5, LOOK-4: in December a line on the dashboard leads to the year, and moves nothing',
  { tag: OWN_CLOCK },
  async ({ page, product, enter }) => {
    let now = Date.UTC(2026, 11, 1)
    const shifts = await observeShifts(page)
    const idle = idleOf(page)
    // Otherwise the page would correct its clock.
    await page.route(/\/api\/(?!.*events$)/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), date: new Date(now).toUTCString() } })
    })
    const link = page.getByRole('link', { name: 'Your year 2026 in six pictures' })
    const openAt = async (time: number) => {
      await page.clock.setFixedTime((now = time))
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
    }
    const games = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`Year ${nth}`, 60 * nth]))
    const bea = await product.player({ name: 'Bea', games })
    const me = await enter({ games, friends: [bea] })
    await product.group({ owner: me, members: [bea] })
    for (const viewport of [{ width: 320, height: 640 }, PHONE, DESK]) {
      await page.setViewportSize(viewport)
      await openAt(Date.UTC(2027, 0, 8) - 1)
      await idle()
      const seen = await shifts()
      expect(sumOf(seen), JSON.stringify(seen)).toBeLessThanOrEqual(0.01)
      await expect(link).toHaveAttribute('href', '/my_games/year?year=2026')
      await expect(page).toFitItsWidth()
    }
    await expect(page).toBeAccessible()
    for (const [time, isShown] of [
      [Date.UTC(2026, 11, 1) - 1, false],
      [Date.UTC(2027, 0, 8), false],
      [Date.UTC(2026, 11, 1), true],
    ] as const) {
      await openAt(time)
      await expect(link).toBeVisible({ visible: isShown })
    }
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(link).toBeHidden()
    await openAt(Date.UTC(2026, 11, 24))
    await expect(link).toBeHidden()
    await openAt(Date.UTC(2027, 11, 24))
    await expect(page.getByRole('link', { name: 'Your year 2027 in six pictures' })).toBeVisible()
    // The page still loads.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
)
