/** GPAGE-5, GPAGE-8, PAGE-18, LOOK-16: adding and removing members, and what is said of it. */
import type { Locator, Page } from '@playwright/test'
import {
  friday,
  friendsOf,
  member,
  openSuggestions,
  removeButton,
  search,
  suggested,
  suggestion,
  syncButton,
} from './group-page.ts'
import { api, DESK, dialog, expect, PHONE, region, test } from './support.ts'

test("GPAGE-8, LOOK-14, LOOK-16: 'Member removed!', once asked", async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await signInAs(mira, path)
  const opener = removeButton(page, 'Theo')
  const cancel = dialog(page).getByText('Cancel', { exact: true })
  for (const screen of [DESK, PHONE]) {
    await page.setViewportSize(screen)
    await opener.focus()
    for (const key of ['Enter', 'Escape']) {
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toHaveAccessibleName('Remove from the group?')
      await expect(dialog(page)).toContainText('Theo will no longer see this group')
      await expect(cancel).toBeFocused()
      await expect(page).toBeAccessible()
      await page.keyboard.press(key)
      await expect(dialog(page)).toHaveCount(0)
      await expect(opener).toBeFocused()
    }
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const remove = dialog(page).getByRole('button', { name: 'Remove' })
  await expect(remove).toBeFocused()
  await remove.dblclick()
  await expect(region(page, 'Members').getByText('Member removed!')).toBeVisible()
  await expect(member(page, 'Theo')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '1 member' })).toBeVisible()
  // Theo can be added again.
  await openSuggestions(page)
  await expect(suggestion(page, 'Theo')).toBeVisible()
  await expect(page).toBeAccessible()
})

test("GPAGE-8: 'Failed to remove member.'", async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 403/)
  const { mira, theo, id, path } = await friday(product)
  const [ada] = await friendsOf(product, mira, ['Ada'])
  await mira.call(api.groups.addMembers, { id }, { steam_ids: [ada!.steam_id] })
  await signInAs(theo, path)
  await removeButton(page, 'Ada').click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  const failure = region(page, 'Members').getByRole('alert')
  await expect(failure).toContainText('Failed to remove member.')
  await expect(failure).toContainText('Only the owner of the group may remove other members.')
  await expect(removeButton(page, 'Ada')).toBeEnabled()
  await expect(removeButton(page, 'Ada')).toBeFocused()
  await expect(page).toBeAccessible()
})

test('GPAGE-5: 4 suggestions, 8 when typing; no members', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await friendsOf(
    product,
    mira,
    Array.from({ length: 10 }, (_, nth) => `Friend ${nth}`),
  )
  await signInAs(mira, path)
  const options = suggested(page).getByRole('option')
  await openSuggestions(page)
  await expect(options).toHaveCount(4)
  await search(page).fill('fRiEnD')
  await expect(options).toHaveCount(8)
  await expect(page).toBeAccessible()
  await search(page).fill('end 7')
  await expect(options).toHaveText(['Friend 7'])
  await search(page).fill('Theo')
  await expect(options).toHaveCount(0)
  await expect(region(page, 'Add Member').getByText('No friends found')).toBeVisible()
  await expect(page).toBeAccessible()
  await search(page).fill('')
  await expect(options).toHaveCount(4)
})

test('LOOK-11: why there is nobody to add', async ({ page, product, signInAs }) => {
  const { mira, theo, path } = await friday(product)
  await signInAs(mira, path)
  await expect(page.getByText('All your friends are already in this group.')).toBeVisible()
  await expect(page).toBeAccessible()
  product.simulator.unfriend(mira.steam_id, theo.steam_id)
  await mira.call(api.friends.syncFriends, mira.user)
  await page.reload()
  await expect(page.getByText('No Steam friends to add yet.')).toBeVisible()
  await region(page, 'Add Member').getByRole('link', { name: 'Go to Friends' }).click()
  await expect(page).toHaveURL('/friends')
})

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
  await expect(page).toBeAccessible()
})

test('GPAGE-5: a refusal, by keys', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 409/)
  await page.setViewportSize(TELEPHONE)
  const { mira, theo, id, path } = await friday(product)
  await theo.call(api.groups.leave, { id })
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

test('GPAGE-5, PAGE-18: the next action replaces the last notice', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await friendsOf(product, mira, ['Ada', 'Bob'])
  await signInAs(mira, path)
  await search(page).fill('Ada')
  await suggestion(page, 'Ada').click()
  await expect(page.getByText('Member added!')).toBeVisible()
  await expect(page.getByRole('heading', { name: '3 members' })).toBeVisible()
  await expect(search(page)).toHaveValue('')
  await expect(suggested(page).getByRole('option')).toHaveText(['Bob'])
  await expect(page).toBeAccessible()

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

test('GPAGE-5: former members are offered last', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 409/)
  const { mira, id, path } = await friday(product)
  const [ada] = await friendsOf(product, mira, ['Ada', 'Bea', 'Cleo', 'Dora', 'Eve'])
  await mira.call(api.groups.addMembers, { id }, { steam_ids: [ada!.steam_id] })
  await ada!.call(api.groups.leave, { id })
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
