/** WIZ-1: three steps to a group. */
import { common, openDashboard, rows, test, uploadedPicture, wizard } from './dashboard-page.ts'
import { callsTo, expect } from './support.ts'

test('WIZ-1, WIZ-5, WIZ-11, DASH-7: three steps', async ({ page, product, enterCrew, expectedErrors }) => {
  expectedErrors.push(/status of 400/)
  const { me } = await enterCrew()
  const picture = await uploadedPicture(product, me)
  await openDashboard(page)
  const { region, open, step, any, name, create, friend, addMembers, url, setPicture } = wizard(page)
  await open.click()
  await expect(step(1)).toBeVisible()
  await expect(name).toBeFocused()
  await expect(page).toBeAccessible()
  await name.fill('  Weekend "raid"  ')
  await create.click()

  await expect(region.getByText('Group "Weekend "raid"" created!', { exact: true })).toBeVisible()
  await expect(step(2)).toBeVisible()
  await expect(addMembers).toBeDisabled()
  await friend('Ada').click()
  await expect(addMembers).toBeEnabled()
  await friend('Ada').click()
  await expect(addMembers).toBeDisabled()
  await friend('Ada').click()
  await friend('Bob').click()
  await expect(page).toBeAccessible()
  await addMembers.click()

  await expect(step(3)).toBeVisible()
  await expect(page).toBeAccessible()
  await expect(rows(region).filter({ hasText: 'Weekend' })).toContainText('3 members')

  await url.fill('no address')
  await setPicture.click()
  const failure = region.getByRole('alert').filter({ hasText: 'Failed to update picture.' })
  await expect(failure).toContainText('The picture URL must not contain blanks')
  await expect(page).toBeAccessible()
  await url.fill(picture)
  await setPicture.click()
  await expect(region.getByText('Picture updated!', { exact: true })).toBeVisible()
  await expect(any).toHaveCount(0)
  await expect(open).toBeFocused()
  // The list was loaded again: the group is in it with its picture.
  await expect(rows(region).filter({ hasText: 'Weekend' }).locator('img')).toHaveAttribute(
    'src',
    /^\/media\//,
  )
  await expect(page).toBeAccessible()
})

test('WIZ-13: skip and cross close and reset everything', async ({ page, enterCrew }) => {
  await enterCrew()
  await openDashboard(page)
  const parts = wizard(page)
  const changes = callsTo(page, '/picture')
  for (const [leave, at] of [
    ['skip', 'members'],
    ['cross', 'picture'],
  ] as const) {
    await parts.open.click()
    await parts.name.fill('Left early')
    await parts.create.click()
    await parts.friend('Ada').click()
    if (at === 'picture') {
      await parts.addMembers.click()
      await parts.url.fill('https://example.org/never-sent.png')
    }
    await parts[leave].click()
    await expect(parts.any).toHaveCount(0)
    await expect(parts.region.getByText(/created!|updated!/)).toHaveCount(0)
    await expect(parts.open).toBeFocused()

    await parts.open.click()
    await expect(parts.step(1)).toBeVisible()
    await expect(parts.name).toHaveValue('')
    await parts.name.fill('Second')
    await parts.create.click()
    // Nobody is chosen, and nothing of the picture is left.
    await expect(parts.addMembers).toBeDisabled()
    await expect(parts.friend('Ada')).toHaveAttribute('aria-selected', 'false')
    await parts.friend('Bob').click()
    await parts.addMembers.click()
    await expect(parts.url).toHaveValue('')
    await parts.cross.click()
  }
  expect(changes).toEqual([])
})

test('WIZ-1, WIZ-5: names that are refused', async ({ page, enterCrew, expectedErrors }) => {
  expectedErrors.push(/status of 400/)
  await enterCrew()
  await openDashboard(page)
  const { region, open, step, name, create } = wizard(page)
  const problem = region.getByRole('alert').filter({ hasText: /./ })
  const calls = callsTo(page, '/api/groups')
  await open.click()
  await create.click()
  await expect(name).toHaveAttribute('required', '')
  expect(await name.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
  await expect(name).toBeFocused()
  await expect(step(1)).toBeVisible()
  expect(calls).toEqual([])
  await name.fill('   ')
  await create.click()
  await expect(problem).toHaveText('Group name required.')
  await expect(page).toBeAccessible()
  await name.fill('Fits')
  // Without a text of the server, and without an answer.
  await page.route('**/api/groups', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
  await create.click()
  await expect(problem).toHaveText('Failed to create group.')
  await page.route('**/api/groups', (route) => route.abort(), { times: 1 })
  await create.click()
  await expect(problem).toHaveText('Network error.')
  await create.click()
  await expect(step(2)).toBeVisible()
  await expect(problem).toHaveCount(0)
})

test('DASH-26, WIZ-13, NIGHT-131: without friends, members are skipped', async ({ page, enter }) => {
  await enter()
  await openDashboard(page)
  const { region, open, step, name, create, addMembers, skip } = wizard(page)
  for (const arrow of ['previous', 'next'] as const) await expect(common(page)[arrow]).toBeDisabled()
  await open.click()
  await name.fill('Alone')
  await create.click()
  await expect(step(2)).toContainText('No friends to add yet')
  await expect(addMembers).toBeDisabled()
  await expect(skip).toBeFocused()
  await expect(page).toBeAccessible()
  // NIGHT-131: the link is there at once, and Escape closes it alone.
  await region.getByRole('button', { name: 'Invite by link' }).click()
  const link = page.getByRole('dialog', { name: 'Invite to this group' })
  await expect(link.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link).toBeHidden()
  await skip.click()
  await expect(rows(region)).toContainText(['Alone'])
})
