/** NIGHT-116: cancelled nights are deleted in lists. */
import type { Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import {
  confirm,
  expect,
  expectAccessible,
  expectFits,
  expectLargeTargets,
  expectNoSidewaysScroll,
  oddNames,
  PHONE,
  test,
} from './support.ts'

const groupNights = (page: Page) => page.getByRole('region', { name: 'Game nights', exact: true })

test('NIGHT-116: who leads deletes cancelled nights, in the group’s card and in the list of all', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/409/)
  const { host: owner, others, groupId } = await friendsWithGames(product, 3)
  for (const title of ['First', oddNames(80)[0]!, 'Third', 'Fourth']) {
    const night = await others[0]!.call(nightsContract.start, {}, { group_id: groupId, title })
    await inNight(night, others[0]!).cancel()
  }
  const open = await others[0]!.call(nightsContract.start, {}, { group_id: groupId, title: 'Open' })
  await signInAs(owner)
  await page.setViewportSize(PHONE)
  await page.goto(`/groups/${groupId}`)
  const rows = groupNights(page).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expectLargeTargets(page)
  await expectNoSidewaysScroll(page)

  await test.step('in the card, after a question', async () => {
    await groupNights(page).getByRole('button', { name: 'Delete Fourth' }).click()
    await expectAccessible(page)
    await confirm(page, 'Delete this cancelled game night?', 'Delete').click()
    await expect(groupNights(page).getByText('Fourth')).toHaveCount(0)
    await expect(rows).toHaveCount(3)
  })

  await test.step('in the list of all, by keys alone', async () => {
    await groupNights(page).getByRole('link', { name: 'All nights' }).press('Enter')
    const main = page.getByRole('main')
    await expect(main.getByRole('button', { name: /^Delete / })).toHaveCount(3)
    await expectAccessible(page)
    await expectFits(page)
    await main.getByRole('button', { name: 'Delete Third' }).press('Enter')
    await confirm(page, 'Delete this cancelled game night?', 'Delete').press('Enter')
    await expect(main.getByText('Third')).toHaveCount(0)
    await expect(main.getByRole('listitem').getByRole('link')).toHaveCount(3)
    await page.goBack()
  })

  await test.step('who does not lead has no button', async () => {
    const { nights } = await others[1]!.call(nightsContract.listOfGroup, { id: groupId })
    expect(nights.map((night) => night.may_delete)).toEqual([false, false, false])
    expect(nights[0]).toMatchObject({ night_id: open.night_id })
    await owner.call(groupsContract.handOver, { id: groupId }, { steam_id: others[1]!.steam_id })
    await page.reload()
    await expect(rows).toHaveCount(3)
    await expect(groupNights(page).getByRole('button', { name: /^Delete / })).toHaveCount(0)
  })
})
