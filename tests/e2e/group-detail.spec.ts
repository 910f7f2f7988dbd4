/** GPAGE-1: a group's page. Its members, picture and games have files of their own. */
import { groupsContract } from '#shared/contract/groups.ts'
import {
  compare,
  dialog,
  friday,
  friendsOf,
  game,
  gamesHeading,
  GONE,
  heading,
  leaveButton,
  member,
  members,
  membersOf,
  naturalWidth,
  png,
  removeButton,
  search,
  suggested,
  suggestion,
  syncButton,
} from './group-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test.describe('GPAGE-1: Group detail', () => {
  test('GPAGE-1: picture and name, and the number of members', async ({ page, product, signInAs }) => {
    const { mira, path } = await friday(product)
    const upload = new FormData()
    upload.append('picture', new Blob([new Uint8Array(await png())], { type: 'image/png' }), 'crew.png')
    expect((await mira.request(`/api${path}/picture`, { method: 'POST', body: upload })).status).toBe(200)
    await signInAs(mira, path)
    await expect(heading(page)).toHaveAccessibleName('Friday')
    await expect(page).toHaveTitle('Friday · Shelfmates')
    await expect(page.getByRole('heading', { name: '2 members' })).toBeVisible()
    await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(32)
    await expectAccessible(page)
  })

  test("GPAGE-8: '(Owner)', and Remove for all others", async ({ page, product, signInAs }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [ada!.steam_id] })
    // The button stands there for everybody, not only for the owner (GPAGE-8).
    await signInAs(theo, path)
    await expect(members(page).getByRole('listitem')).toHaveCount(3)
    await expect(members(page).getByText('(Owner)')).toHaveCount(1)
    await expect(member(page, 'Mira')).toContainText('(Owner)')
    await expect(member(page, 'Mira').getByRole('button')).toHaveCount(0)
    await expect(removeButton(page, 'Ada')).toHaveAccessibleName('Remove Ada')
    await expect(removeButton(page, 'Ada')).toHaveText('Remove')
    // To oneself it is a way out, and reads so.
    await expect(leaveButton(page)).toHaveText('Leave')
    await expect(leaveButton(page)).toHaveAccessibleName('Remove Theo: Leave')
    await expectAccessible(page)
  })
})

test.describe('GPAGE-21: a group that is not there', () => {
  test('GPAGE-21: what is gone, or of others', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 404/)
    const { path: ofOthers } = await friday(product)
    await signInAs(await product.player())
    for (const path of ['/groups/4000000000', '/groups/none', '/groups/0', '/groups/99999999999', ofOthers]) {
      await page.goto(path)
      await expect(page.getByText(GONE)).toBeVisible()
      await expect(page.getByText('Friday')).toHaveCount(0)
    }
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to Groups' }).click()
    await expect(page).toHaveURL('/groups')
  })

  test('GPAGE-21: who was taken out is told', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 404/)
    const { mira, theo, id, path } = await friday(product)
    await signInAs(theo, path)
    await expect(compare(page)).toBeVisible()
    await mira.call(groupsContract.removeMember, { id, steamId: theo.steam_id })
    await expect(page.getByText(GONE)).toBeVisible()
    await expect(page.getByText('Friday')).toHaveCount(0)
  })
})

test(
  'LOOK-16: everything can be done with the keyboard',
  { tag: '@chromium' },
  async ({ page, product, signInAs }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada', 'Adam', 'Bea'])
    await signInAs(mira, path)
    await expect(search(page)).toBeVisible()
    await syncButton(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Group sync complete!')).toBeVisible()
    await expect(syncButton(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(compare(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(gamesHeading(page)).toBeFocused()
    await expect(game(page, 'Portal')).toBeInViewport()

    // Tab goes on without adding whoever is highlighted.
    await search(page).focus()
    await page.keyboard.type('ada')
    await expect(suggested(page).getByRole('option')).toHaveText(['Ada', 'Adam'])
    await page.keyboard.press('ArrowDown')
    await expect(suggestion(page, 'Ada').first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Tab')
    await expect(search(page)).not.toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(search(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(search(page)).toHaveValue('')
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    await expect(member(page, 'Ada')).toBeVisible()
    await expect(search(page)).toBeFocused()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id, theo.steam_id, ada!.steam_id])

    await removeButton(page, 'Theo').focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    for (let nth = 0; nth < 5; nth++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.matches('body, dialog, dialog *'))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(removeButton(page, 'Theo')).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Member removed!')).toBeVisible()
    // The row is gone with its button; the next Tab goes on in the list of members.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(leaveButton(page)).toBeFocused()
    // The links of the names stand before the buttons.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(removeButton(page, 'Ada')).toBeFocused()
  },
)
