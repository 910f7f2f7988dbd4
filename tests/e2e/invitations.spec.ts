/** DASH-1, NAV-8: where one is asked to join. */
import { groupsContract } from '#shared/contract/groups.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import type { Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { openDashboard } from './dashboard-page.ts'
import { invitation, region } from './group-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const rows = (page: Page) => invitation(page).getByRole('listitem')
const groupsLink = (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name: 'Groups', exact: true })

/** Theo, whom his friend Mira added to groups of these names, which he has not joined. */
async function added(product: Product, names: string[]) {
  const theo = await product.player({ name: 'Theo', games: { Portal: 5 } })
  const mira = await product.player({ name: 'Mira', games: { Portal: 5 }, friends: [theo] })
  for (const name of names) await product.group({ owner: mira, members: [theo], joined: false, name })
  const openOf = async () =>
    (await theo.call(groupsContract.list, { steamId: theo.steam_id })).groups.filter((group) => !group.joined)
  return { mira, theo, openOf }
}

const FIVE = ['One', 'Two', 'Three', 'Four', 'Five']

const DESK = { width: 1440, height: 900 }
const TELEPHONE = { width: 390, height: 844 }

for (const viewport of [DESK, TELEPHONE])
  test(`DASH-1: at ${viewport.width} px it asks below the greeting`, async ({ page, product, signInAs }) => {
    const { theo } = await added(product, FIVE)
    await signInAs(theo)
    await page.setViewportSize(viewport)
    await openDashboard(page)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('Mira added you to')
    // Nothing was answered yet, so no notice is drawn.
    await expect(invitation(page).getByRole('status').locator('svg')).toHaveCount(0)
    await expect(rows(page).getByRole('button', { name: 'Join', exact: true })).toBeInViewport({ ratio: 1 })
    await expect(invitation(page).getByText('and 4 more')).toBeVisible()
    await expect(region(page, 'Groups').getByRole('link').filter({ hasText: 'not joined yet' })).toHaveCount(
      3,
    )
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    const [first] = await rows(page).first().locator('bdi').nth(1).allTextContents()
    await rows(page).first().getByRole('button', { name: 'Decline' }).click()
    await expect(invitation(page).getByText(`You declined ${first}`)).toBeVisible()
    await expect(rows(page).filter({ hasText: first })).toHaveCount(0)
    await expect(invitation(page).getByText('and 3 more')).toBeVisible()
    await rows(page).first().getByRole('button', { name: 'Join', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(invitation(page).getByText(/^You have joined/)).toBeVisible()
    await expect(invitation(page)).toBeFocused()
    await expectAccessible(page)
  })

test('NAV-8: Game nights counts those that need my answer', async ({ page, product, signInAs }) => {
  const theo = await product.player({ name: 'Theo', games: { Portal: 5 } })
  const mira = await product.player({ name: 'Mira', games: { Portal: 5 }, friends: [theo] })
  const { group_id } = await product.group({ owner: mira, members: [theo] })
  const night = await mira.call(nightsContract.start, {}, { group_id })
  await signInAs(theo, '/my_games')
  const link = page.getByRole('navigation').getByRole('link', { name: 'Game nights', exact: true })
  await expect(link).toHaveAccessibleDescription('1 night needs your answer')
  await expect(link).toHaveText('Game nights1')
  await expectAccessible(page)
  await theo.call(nightsContract.answer, { id: night.night_id }, { answer: 'in' })
  await expect(link).toHaveAccessibleDescription('')
  await link.click()
  await expect(page).toHaveURL('/nights')
  await expect(link).toHaveAttribute('aria-current', 'page')
})

test('NAV-8: Groups counts open invitations', async ({ page, product, signInAs }) => {
  const { theo } = await added(product, ['One', 'Two'])
  await signInAs(theo, '/my_games')
  await expect(groupsLink(page)).toHaveText('Groups2')
  await expect(groupsLink(page)).toHaveAccessibleDescription('2 open invitations')
  await expectAccessible(page)

  await page.setViewportSize(TELEPHONE)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(groupsLink(page)).toHaveAccessibleDescription('2 open invitations')
  await expectAccessible(page)
  await groupsLink(page).click()
  await page.setViewportSize(DESK)
  await rows(page).first().getByRole('button', { name: 'Decline' }).click()
  await expect(groupsLink(page)).toHaveAccessibleDescription('1 open invitation')
  await rows(page).first().getByRole('button', { name: 'Join', exact: true }).click()
  await expect(groupsLink(page)).toHaveText('Groups')
})
