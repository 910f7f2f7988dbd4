/** NIGHT-111, NIGHT-11: asking more people to a night, and what the owner of a group can do in its nights. */
import type { Page } from '@playwright/test'
import { nightsContract } from '#shared/contract/nights.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import { answer, dialog, part } from './night-page.ts'
import { expect, expectAccessible, expectLargeTargets, expectNoSidewaysScroll, test } from './support.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

const askMore = (page: Page) => page.getByRole('button', { name: 'Ask more people' })
const search = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search friends to ask' })
const options = (page: Page) =>
  dialog(page).getByRole('listbox', { name: 'Friends who can be asked' }).getByRole('option')
const ask = (page: Page) => dialog(page).getByRole('button', { name: /^Ask( \d|$)/ })
const chips = (page: Page) => dialog(page).getByRole('list', { name: 'Chosen friends' }).getByRole('button')

/** A night of the host and Player 1, whose host has three friends more. */
async function nightOfTwo(product: Product) {
  const { host, others } = await friendsWithGames(product, 5)
  const night = await host.call(nightsContract.start, {}, { steam_ids: [others[0]!.steam_id] })
  return { host, others: others as [TestPlayer, TestPlayer], night, path: `/nights/${night.night_id}` }
}

/** On phones people are folded. */
async function unfold(page: Page): Promise<void> {
  await expect(answer(page, 'In')).toBeVisible()
  const everyone = page.getByRole('button', { name: 'Everyone' })
  if (await everyone.isVisible()) await everyone.click()
}

for (const size of [PHONE, DESK])
  test(`NIGHT-111: at ${size.width} px more are asked, by keys`, async ({ page, product, signInAs }) => {
    const { host, night, path } = await nightOfTwo(product)
    await signInAs(host)
    await page.setViewportSize(size)
    await page.goto(path)
    await unfold(page)
    await askMore(page).focus()
    await page.keyboard.press('Enter')
    await expect(search(page)).toBeFocused()
    // Who is in the night is not among those who can be asked.
    await expect(options(page)).toHaveCount(3)
    await expect(options(page).filter({ hasText: 'Player 1' })).toHaveCount(0)
    await expect(ask(page)).toBeDisabled()
    await expect(dialog(page)).toContainText('Choose at least one friend.')
    await expectAccessible(page)
    await expectLargeTargets(page)
    await expectNoSidewaysScroll(page)

    await page.keyboard.type('Player 3')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Player 4')
    await page.keyboard.press('Enter')
    await expect(chips(page)).toHaveCount(2)
    await page.keyboard.press('Backspace')
    await expect(chips(page)).toHaveCount(1)
    await page.keyboard.press('Tab')
    await expect(ask(page)).toBeFocused()
    await expect(ask(page)).toHaveText('Ask 1 person')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(askMore(page)).toBeFocused()
    await expect(part(page, 'Not answered').getByRole('listitem')).toHaveText([/Player 1/, /Player 3/])
    expect((await inNight(night, host).read()).people).toHaveLength(3)
  })
