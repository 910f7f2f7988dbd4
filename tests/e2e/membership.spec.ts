/** MEM-1 to MEM-10, PERM-13 and PERM-14: being asked, joining, declining and leaving. */
import type { Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import type { Product, TestPlayer } from '../support/product.ts'
import {
  dialog,
  friday,
  friendsOf,
  invitation,
  leaveButton,
  openSettled,
  manage,
  member,
  membersOf,
  openMissing,
} from './group-page.ts'
import { expect, expectAccessible, hold, test } from './support.ts'

const join = (page: Page) => invitation(page).getByRole('button', { name: 'Join', exact: true })
const decline = (page: Page) => invitation(page).getByRole('button', { name: 'Decline' })
const groupCard = (page: Page, name: string) =>
  page.getByRole('region', { name: 'My groups' }).getByRole('listitem').filter({ hasText: name })

const joinedOf = async (viewer: TestPlayer, id: number, of: TestPlayer) =>
  (await viewer.call(groupsContract.members, { id })).find((one) => one.steam_id === of.steam_id)?.joined

/** Theo, added by his friend Mira to 'Friday', which he has not joined. */
const asked = (product: Product) => friday(product, { joined: false })

test.describe('MEM-10: being asked', () => {
  test('MEM-10, API-31: who added me to what, and Join', async ({ page, product, signInAs }) => {
    const { mira, theo, id } = await asked(product)
    await signInAs(theo, '/groups')
    await expect(invitation(page).getByText('Mira added you to Friday')).toBeVisible()
    await expect(join(page)).toHaveAccessibleDescription('Mira added you to Friday')
    await expect(groupCard(page, 'Friday')).toContainText('not joined yet')
    await expect(groupCard(page, 'Friday').getByRole('link', { name: 'View Group' })).toBeVisible()
    await expectAccessible(page)

    const release = await hold(page, '**/join')
    await join(page).dblclick()
    await expect(invitation(page).getByRole('button', { name: 'Joining...' })).toBeDisabled()
    await expect(decline(page)).toBeDisabled()
    release()
    await expect(
      invitation(page).getByRole('status').filter({ hasText: 'You have joined Friday' }),
    ).toBeVisible()
    await expect(invitation(page)).toBeFocused()
    await expect(join(page)).toHaveCount(0)
    await expect(groupCard(page, 'Friday')).not.toContainText('not joined yet')
    expect(await joinedOf(mira, id, theo)).toBe(true)
    await expectAccessible(page)
  })

  test('MEM-7, MEM-10: Decline, and back after all', async ({ page, product, signInAs, expectedErrors }) => {
    // Reads of the group that were on their way when it was declined.
    expectedErrors.push(/status of 404/)
    const { mira, theo, id } = await asked(product)
    await signInAs(theo, '/groups')
    await decline(page).focus()
    await page.keyboard.press('Enter')
    await expect(invitation(page).getByText('You declined Friday')).toBeVisible()
    await expect(invitation(page)).toBeFocused()
    await expect(groupCard(page, 'Friday')).toHaveCount(0)
    expect(await membersOf(mira, id)).toEqual([mira.steam_id])
    await expectAccessible(page)

    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Join after all' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(invitation(page).getByText('You have joined Friday')).toBeVisible()
    await expect(groupCard(page, 'Friday')).toBeVisible()
    expect(await joinedOf(mira, id, theo)).toBe(true)
  })
})

test.describe('MEM-10: the page of a group', () => {
  test('MEM-3, MEM-6, MEM-10: asked at the top of the group', async ({ page, product, signInAs }) => {
    const { mira, theo, id, path } = await asked(product)
    const [nora] = await friendsOf(product, mira, ['Nora'])
    await mira.call(groupsContract.addMembers, { id }, { steam_ids: [nora!.steam_id] })
    await nora!.call(groupsContract.join, { id })
    await signInAs(theo, path)
    await expect(invitation(page)).toContainText('Mira added you to this group.')
    await expect(invitation(page)).toContainText('When you join, members can see your library')
    const missing = await openMissing(page)
    await expect(missing.getByRole('listitem')).toHaveText(["Nora's library is hidden until you join"])
    await expect(member(page, 'Nora')).toContainText('library hidden until you join')
    await expect(member(page, 'Theo')).toContainText('you haven’t joined yet')
    await expectAccessible(page)

    await join(page).focus()
    await page.keyboard.press('Enter')
    await expect(
      invitation(page).getByRole('status').filter({ hasText: 'You have joined Friday' }),
    ).toBeVisible()
    await expect(invitation(page)).toBeFocused()
    await expect(member(page, 'Theo')).not.toContainText('not joined')
    await expect(missing).toHaveCount(0)
    expect(await joinedOf(mira, id, theo)).toBe(true)
    await expectAccessible(page)
  })

  test('PERM-14: an owner who leaves reads who becomes the owner', async ({ page, product, signInAs }) => {
    const { mira, theo, id, path } = await friday(product)
    await signInAs(mira)
    await openSettled(page, path)
    await leaveButton(page).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText('Friday will be removed from your groups')
    await expect(dialog(page)).toContainText('Theo will become the owner.')
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(page.getByText('You have left this group.')).toBeVisible()
    expect((await theo.call(groupsContract.read, { id })).owner_steam_id).toBe(theo.steam_id)
    await page.getByRole('button', { name: 'Come back' }).click()
    await expect(member(page, 'Theo')).toContainText('(Owner)')
    await expect(manage(page)).toHaveCount(0)
  })
})
