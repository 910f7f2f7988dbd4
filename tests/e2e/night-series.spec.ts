/** SERIES-10, SERIES-11: a game night that repeats, from the dialog that starts it until it is stopped. */
import type { Page } from '@playwright/test'
import { localTimeIn } from '#shared/nights/repeats.ts'
import { friendsWithGames } from '../support/nights.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { writeRows } from '../support/rows.ts'
import { openedNight, startButton, unfold } from './night-page.ts'
import { api, confirm, DESK, dialog, expect, PHONE, test } from './support.ts'

const DAY = 86_400_000
const menu = (page: Page) => page.getByRole('button', { name: 'Host menu' })
const head = (page: Page) => page.getByRole('main').locator('header').first()
/** In full; on phones the page of a night says how often beside its time. */
const repeats = (page: Page) =>
  page.getByText(/^Every \w+ at 20:30, [^.]+$|^Every week$/).filter({ visible: true })

/** Lets days pass for what is stored of a series, and what is due happen. */
async function daysPass(product: Product, host: TestPlayer, seriesId: number, days: number) {
  const earlier = (local: string) => localTimeIn('UTC', Date.parse(`${local}Z`) - days * DAY)
  await writeRows(product.database, async (tx) => {
    const series = await tx
      .selectFrom('night_series')
      .selectAll()
      .where('series_id', '=', seriesId)
      .executeTakeFirstOrThrow()
    const nights = await tx
      .selectFrom('night_series_nights')
      .selectAll()
      .where('series_id', '=', seriesId)
      .orderBy('date')
      .execute()
    for (const { night_id, date } of nights) {
      await tx
        .updateTable('nights')
        .set((eb) => ({ starts_at: eb('starts_at', '-', days * DAY), version: eb('version', '+', 1) }))
        .where('night_id', '=', night_id)
        .execute()
      await tx
        .updateTable('night_series_nights')
        .set({ date: earlier(`${date}T00:00`).slice(0, 10) })
        .where('night_id', '=', night_id)
        .execute()
    }
    await tx
      .updateTable('night_series')
      .set({ next_time: earlier(series.next_time), due_at: 0 })
      .where('series_id', '=', seriesId)
      .execute()
  })
  await product.deps.messages.runOnce()
  const { nights } = await host.call(api.nights.list, host.user)
  return nights.find(({ status }) => status === 'open')!
}

for (const [where, size] of [
  ['a desk', DESK],
  ['a phone', PHONE],
] as const)
  test(`SERIES-10, SERIES-11: a weekly night, on ${where}`, async ({ page, product, signInAs }) => {
    const { host, groupId } = await friendsWithGames(product, 3)
    await signInAs(host)
    await page.setViewportSize(size)
    await page.goto(`/groups/${groupId}`)
    await startButton(page).click()
    await expect(dialog(page).getByLabel('Repeats')).toHaveCount(0)
    await dialog(page).getByRole('radio', { name: 'At a time' }).check()
    const choice = dialog(page).getByLabel('Repeats')
    await expect(choice).toHaveValue('once')
    await choice.selectOption('Every two weeks')
    await expect(dialog(page)).toContainText(/Every other \w+ at 20:30, .*\. Until you stop it\./)
    // With the keyboard alone.
    await choice.focus()
    await page.keyboard.press('ArrowUp')
    await expect(choice).toHaveValue('week')
    await expect(dialog(page)).toContainText(/Every \w+ at 20:30, .*\. Until you stop it\./)
    await expect(page).toFitPhoneAndDesk()
    await page.setViewportSize(size)
    await dialog(page).getByRole('button', { name: 'Plan this night' }).click()
    const id = await openedNight(page)
    await expect(repeats(page)).toBeVisible()
    const { series, starts_at } = await host.call(api.nights.read, id)
    expect(Date.parse(series!.next_starts_at) - Date.parse(starts_at)).toBeGreaterThanOrEqual(
      7 * DAY - 3_600_000,
    )

    // One night is moved.
    const words = await repeats(page).textContent()
    await menu(page).click()
    await unfold(page, 'Settings')
    await expect(dialog(page)).toContainText('This changes only this night, not the next ones.')
    const time = dialog(page).getByLabel('Date and time')
    await time.fill((await time.inputValue()).replace('20:30', '21:45'))
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await expect(head(page)).toContainText('21:45')
    await expect.poll(async () => (await host.call(api.nights.read, id)).starts_at).toContain('T21:45')
    await expect(repeats(page)).toHaveText(words!)

    // The next one is there, and is skipped.
    const second = await daysPass(product, host, series!.series_id, 3)
    expect(second.night_id).not.toBe(id.id)
    await page.goto(`/nights/${second.night_id}`)
    await expect(head(page)).toContainText('20:30')
    await menu(page).click()
    await expect(page).toBeAccessible()
    await dialog(page).getByRole('button', { name: 'Cancel this night' }).click()
    await expect(dialog(page).filter({ hasText: 'Everyone sees' }).last()).toContainText(
      /Only this night is cancelled\. The next one is .*20:30\./,
    )
    await confirm(page, 'Cancel this game night?', 'Cancel this night').click()
    await expect(page.getByText('This game night was cancelled.')).toBeVisible()
    // MEMORY-8: the next one is planned already.
    await expect(page.getByRole('button', { name: 'Again next week' })).toHaveCount(0)

    // The one after it is not touched, and it ends there.
    const third = await daysPass(product, host, series!.series_id, 7)
    await page.goto('/nights')
    await expect(page.getByRole('listitem').filter({ has: repeats(page) })).not.toHaveCount(0)
    await page.goto(`/nights/${third.night_id}`)
    await menu(page).click()
    await dialog(page).getByRole('button', { name: 'Stop repeating' }).click()
    const question = page.getByRole('dialog', { name: 'Stop repeating this game night?' })
    await expect(question).toContainText('No more nights are created.')
    await expect(page).toBeAccessible()
    await question.getByRole('button', { name: 'Stop repeating' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(head(page)).toContainText('20:30')
    await expect(repeats(page)).toHaveCount(0)
    await expect(page).toHaveLargeTargets()
    await page.goto('/nights')
    await expect(page.getByRole('link').filter({ hasText: '20:30' })).not.toHaveCount(0)
    await expect(repeats(page)).toHaveCount(0)
  })
