/** GPAGE-5, GPAGE-8: adding and removing members. */
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import {
  dialog,
  friday,
  friendsOf,
  openSuggestions,
  member,
  membersOf,
  region,
  removeButton,
  search,
  suggested,
  suggestion,
} from './group-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test.describe('GPAGE-8: removing a member', () => {
  test("GPAGE-8, LOOK-14: 'Member removed!', once asked", async ({ page, product, signInAs }) => {
    const { mira, theo, id, path } = await friday(product)
    await signInAs(mira, path)
    await removeButton(page, 'Theo').click()
    await expect(dialog(page)).toHaveAccessibleName('Remove from the group?')
    await expect(dialog(page)).toContainText('Theo will no longer see this group')
    await expectAccessible(page)
    await dialog(page).getByText('Cancel').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(removeButton(page, 'Theo')).toBeFocused()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id, theo.steam_id])

    await removeButton(page, 'Theo').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).dblclick()
    await expect(region(page, 'Members').getByText('Member removed!')).toBeVisible()
    await expect(member(page, 'Theo')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: '1 member' })).toBeVisible()
    expect(await membersOf(mira, id)).toEqual([mira.steam_id])
    // Theo can be added again.
    await openSuggestions(page)
    await expect(suggestion(page, 'Theo')).toBeVisible()
    await expectAccessible(page)
  })

  test("GPAGE-8: 'Failed to remove member.'", async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 403/)
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [ada!.steam_id] })
    await signInAs(theo, path)
    await removeButton(page, 'Ada').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    const failure = region(page, 'Members').getByRole('alert')
    await expect(failure).toContainText('Failed to remove member.')
    await expect(failure).toContainText('Only the owner of the group may remove other members.')
    await expect(removeButton(page, 'Ada')).toBeEnabled()
    await expect(removeButton(page, 'Ada')).toBeFocused()
    expect(await membersOf(mira, id)).toContain(ada!.steam_id)
    await expectAccessible(page)
  })
})

test.describe('GPAGE-5: adding a member', () => {
  const NAMES = Array.from({ length: 10 }, (_, nth) => `Friend ${nth}`)

  test('GPAGE-5: 4 suggestions, 8 when typing; no members', async ({ page, product, signInAs }) => {
    const { mira, path } = await friday(product)
    await friendsOf(product, mira, NAMES)
    await signInAs(mira, path)
    const options = suggested(page).getByRole('option')
    await openSuggestions(page)
    await expect(options).toHaveCount(4)
    await search(page).fill('fRiEnD')
    await expect(options).toHaveCount(8)
    await expectAccessible(page)
    await search(page).fill('end 7')
    await expect(options).toHaveText(['Friend 7'])
    await search(page).fill('Theo')
    await expect(options).toHaveCount(0)
    await expect(region(page, 'Add Member').getByText('No friends found')).toBeVisible()
    await expectAccessible(page)
    await search(page).fill('')
    await expect(options).toHaveCount(4)
  })

  test("GPAGE-5, MEM-1: 'Member added!'", async ({ page, product, signInAs }) => {
    const { mira, theo, id, path } = await friday(product)
    const [ada] = await friendsOf(product, mira, ['Ada', 'Bea'])
    await signInAs(mira, path)
    await search(page).fill('ad')
    await suggestion(page, 'Ada').click()
    await expect(region(page, 'Add Member').getByText('Member added!')).toBeVisible()
    await expect(member(page, 'Ada')).toBeVisible()
    await expect(page.getByRole('heading', { name: '3 members' })).toBeVisible()
    await expect(search(page)).toHaveValue('')
    await expect(suggested(page).getByRole('option')).toHaveText(['Bea'])
    expect(await membersOf(mira, id)).toEqual([mira.steam_id, theo.steam_id, ada!.steam_id])
    await expectAccessible(page)
  })

  test('LOOK-11: who has nobody to add reads why', async ({ page, product, signInAs }) => {
    const { mira, theo, path } = await friday(product)
    await signInAs(mira, path)
    await expect(page.getByText('All your friends are already in this group.')).toBeVisible()
    await expectAccessible(page)
    product.simulator.unfriend(mira.steam_id, theo.steam_id)
    await mira.call(friendsContract.syncFriends, { steamId: mira.steam_id })
    await page.reload()
    await expect(page.getByText('No Steam friends to add yet.')).toBeVisible()
    await region(page, 'Add Member').getByRole('link', { name: 'Go to Friends' }).click()
    await expect(page).toHaveURL('/friends')
  })
})
