/** WIZ-1: three steps to a group. */
import { groupsContract } from '#shared/contract/groups.ts'
import { crew, openDashboard, openPictureStep, rows, uploadedPicture, wizard } from './dashboard-page.ts'
import { groupsOf } from './group-page.ts'
import { callsTo, expect, expectAccessible, test } from './support.ts'

test.describe('WIZ-1: Dashboard group creation wizard', () => {
  test('WIZ-1, WIZ-5, WIZ-11, DASH-7: name, members and picture', async ({ page, product, signInAs }) => {
    const { me, ada, bob } = await crew(product)
    const picture = await uploadedPicture(product, me)
    await signInAs(me)
    await openDashboard(page)
    const { region, open, step, any, name, create, friend, addMembers, url, setPicture } = wizard(page)
    await open.click()
    await expect(step(1)).toBeVisible()
    await expect(name).toBeFocused()
    await expectAccessible(page)
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
    await expectAccessible(page)
    await addMembers.click()

    await expect(step(3)).toBeVisible()
    await expectAccessible(page)
    await expect(rows(region).filter({ hasText: 'Weekend' })).toContainText('3 members')
    const [created] = (await groupsOf(me)).filter((group) => group.name === 'Weekend "raid"')
    const members = await me.call(groupsContract.members, { id: created!.group_id })
    expect(members.map((member) => member.steam_id).sort()).toEqual(
      [me, ada, bob].map((person) => person.steam_id).sort(),
    )

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
    await expectAccessible(page)
  })

  test('WIZ-13: skip and cross close and reset everything', async ({ page, product, signInAs }) => {
    const { me } = await crew(product)
    await signInAs(me)
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

  test('WIZ-1, WIZ-5: names that are refused', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 400/, /net::ERR_FAILED/, /status of 500/)
    const { me } = await crew(product)
    await signInAs(me)
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
    await expectAccessible(page)
    await name.fill('x'.repeat(101))
    await create.click()
    await expect(problem).toHaveText('At most 100 characters.')
    await name.fill('x'.repeat(100))
    // Without a text of the server, and without an answer.
    await page.route('**/api/groups', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await create.click()
    await expect(problem).toHaveText('Failed to create group.')
    await page.route('**/api/groups', (route) => route.abort(), { times: 1 })
    await create.click()
    await expect(problem).toHaveText('Network error.')
    await name.fill('Fits')
    await create.click()
    await expect(step(2)).toBeVisible()
    await expect(problem).toHaveCount(0)
  })

  test('WIZ-11: no picture URL, and a refused one', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 40[04]/)
    const { me } = await crew(product)
    const picture = await uploadedPicture(product, me)
    await signInAs(me)
    await openDashboard(page)
    const { region, open, step, url, setPicture } = wizard(page)
    await openPictureStep(page, 'Pictured')
    const calls = callsTo(page, '/picture')
    await expect(step(3)).toBeVisible()
    await setPicture.click()
    await url.fill('   ')
    await setPicture.click()
    await expect(step(3)).toBeVisible()
    expect(calls).toEqual([])
    await url.fill('no address')
    await setPicture.click()
    const failure = region.getByRole('alert').filter({ hasText: 'Failed to update picture.' })
    await expect(failure).toContainText('The picture URL must not contain blanks')
    await expectAccessible(page)
    await url.fill(picture)
    await setPicture.click()
    await expect(region.getByText('Picture updated!', { exact: true })).toBeVisible()
    await expect(open).toBeFocused()
    await expectAccessible(page)
  })

  test('WIZ-13, NIGHT-131: without friends, members are skipped', async ({ page, product, signInAs }) => {
    const me = await product.player()
    await signInAs(me)
    await openDashboard(page)
    const { region, open, step, name, create, addMembers, skip } = wizard(page)
    await open.click()
    await name.fill('Alone')
    await create.click()
    await expect(step(2)).toContainText('No friends to add yet')
    await expect(addMembers).toBeDisabled()
    await expect(skip).toBeFocused()
    await expectAccessible(page)
    // NIGHT-131: the link is there at once, and Escape closes it alone.
    await region.getByRole('button', { name: 'Invite by link' }).click()
    const link = page.getByRole('dialog', { name: 'Invite to this group' })
    await expect(link.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
    await skip.click()
    await expect(rows(region)).toContainText(['Alone'])
  })
})
