/** GPAGE-5 and PAGE-18: what came of adding a friend is seen, and who left is not offered first. */
import type { Locator, Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import {
  dialog,
  friday,
  friendsOf,
  region,
  removeButton,
  search,
  suggested,
  suggestion,
  syncButton,
  openSuggestions,
} from './group-page.ts'
import { expect, expectAccessible, test } from './support.ts'

/** What is left of the window above the keyboard of the telephone. */
const TELEPHONE = { width: 390, height: 400 }

const names = (page: Page) => suggested(page).getByRole('option').locator('bdi').allTextContents()

/** Seen as a whole: within the window, and not beneath the bar of small screens. */
async function expectSeen(page: Page, notice: Locator): Promise<void> {
  await expect(notice).toBeVisible()
  await expect(notice).toBeInViewport({ ratio: 1 })
  const bar = await page.getByRole('banner').boundingBox()
  await expect.poll(async () => (await notice.boundingBox())!.y).toBeGreaterThanOrEqual(bar!.y + bar!.height)
}

const ugly = ['🎮'.repeat(16), 'W'.repeat(64), 'لعبة العروش', '<b>bold</b>', 'e', 'f', 'g', 'h', 'i', 'j']

test.describe('GPAGE-5: the result is where one is looking', () => {
  test('GPAGE-5: on a phone the result is where one is looking', async ({ page, product, signInAs }) => {
    await page.setViewportSize(TELEPHONE)
    const { mira, path } = await friday(product)
    await friendsOf(
      product,
      mira,
      ugly.map((name) => `Pal ${name}`),
    )
    await signInAs(mira, path)
    for (const edge of ['end', 'start'] as const) {
      await search(page).fill('Pal')
      const options = suggested(page).getByRole('option')
      await expect(options).toHaveCount(8)
      const chosen = edge === 'end' ? options.last() : options.first()
      await chosen.evaluate((row, block) => {
        row.scrollIntoView({ block })
        // Below the bar of small screens.
        if (block === 'start') scrollBy(0, -72)
      }, edge)
      const added = (await chosen.locator('bdi').textContent())!
      await chosen.click()
      await expect(region(page, 'Members').getByText(added, { exact: true })).toBeVisible()
      await expectSeen(page, region(page, 'Add Member').getByText('Member added!'))
    }
    await expectAccessible(page)
  })

  test('GPAGE-5: a refusal, by keys', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 409/)
    await page.setViewportSize(TELEPHONE)
    const { mira, theo, id, path } = await friday(product)
    await theo.call(groupsContract.leave, { id })
    await signInAs(mira, path)
    await search(page).focus()
    await search(page).evaluate((input) => input.scrollIntoView({ block: 'end' }))
    await page.keyboard.type('Theo')
    await page.keyboard.press('Enter')
    const refusal = region(page, 'Add Member').getByRole('alert')
    await expectSeen(page, refusal)
    await expect(refusal).toContainText('Failed to add member.')
    await expect(refusal).toContainText('Theo has left this group.')
    await expect(search(page)).toBeFocused()
  })
})

test('PAGE-18: the next action replaces the last notice', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await friendsOf(product, mira, ['Ada', 'Bob'])
  await signInAs(mira, path)
  await search(page).fill('Ada')
  await suggestion(page, 'Ada').click()
  await expect(page.getByText('Member added!')).toBeVisible()

  await removeButton(page, 'Ada').click()
  // Asking changes nothing yet.
  await expect(page.getByText('Member added!')).toBeAttached()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Member removed!')).toBeVisible()
  await expect(page.getByText('Member added!')).toHaveCount(0)

  await region(page, 'Manage group').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByText('Group renamed!')).toBeVisible()
  await expect(page.getByText('Member removed!')).toHaveCount(0)

  await syncButton(page).click()
  await expect(page.getByText('Group sync complete!')).toBeVisible()
  await expect(page.getByText('Group renamed!')).toHaveCount(0)

  await search(page).fill('Bob')
  await suggestion(page, 'Bob').click()
  await expect(page.getByText('Member added!')).toBeVisible()
  await expect(page.getByText('Group sync complete!')).toHaveCount(0)
})

test('GPAGE-5: who left is offered last', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 409/)
  const { mira, id, path } = await friday(product)
  const [ada] = await friendsOf(product, mira, ['Ada', 'Bea', 'Cleo', 'Dora', 'Eve'])
  await mira.call(groupsContract.addMembers, { id }, { steam_ids: [ada!.steam_id] })
  await ada!.call(groupsContract.leave, { id })
  await signInAs(mira, path)
  // Nobody but the server knows of it yet.
  await openSuggestions(page)
  await expect.poll(() => names(page)).toEqual(['Ada', 'Bea', 'Cleo', 'Dora'])
  await suggestion(page, 'Ada').click()
  await expect(region(page, 'Add Member').getByRole('alert')).toContainText('Ada has left this group.')
  await expect.poll(() => names(page)).toEqual(['Bea', 'Cleo', 'Dora', 'Eve'])
  // Searched for she is found, and the reason is said again.
  await search(page).fill('a')
  await expect.poll(() => names(page)).toEqual(['Bea', 'Dora', 'Ada'])
  // So it stays while one looks at other pages.
  await page.getByRole('navigation').getByRole('link', { name: 'Groups', exact: true }).click()
  await page.getByRole('link', { name: 'View Group' }).click()
  await openSuggestions(page)
  await expect.poll(() => names(page)).toEqual(['Bea', 'Cleo', 'Dora', 'Eve'])
})
