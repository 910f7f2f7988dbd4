/** LOOK-16: where the focus is in a dialog, and afterwards. */
import { groupsContract } from '#shared/contract/groups.ts'
import { sessionContract } from '#shared/contract/session.ts'
import { dialog, friday, members, removeButton } from './group-page.ts'
import { expect, expectAccessible, test } from './support.ts'

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

test('LOOK-16: a question begins at Cancel', async ({ page, product, signInAs }) => {
  const { mira, id, path } = await friday(product)
  await signInAs(mira, path)
  const opener = removeButton(page, 'Theo')
  const cancel = dialog(page).getByText('Cancel', { exact: true })
  for (const screen of SCREENS) {
    await page.setViewportSize(screen)
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(cancel).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(cancel).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  expect(await mira.call(groupsContract.members, { id })).toHaveLength(2)
  // The one that removes is the next one.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(members(page)).not.toContainText('Theo')
})

test('PAGE-6: the second click of a double click does nothing', async ({ page, product, signInAs }) => {
  const me = await product.player()
  await signInAs(me)
  for (let further = 0; further < 2; further++) await product.signIn(me.steam_id)
  const sessions = async () =>
    (await me.call(sessionContract.listSessions, { steamId: me.steam_id })).sessions.length
  await page.goto('/account')
  const rows = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  const buttons = rows.getByRole('button', { name: 'Sign out' })
  // The mouse reaches only what is in view.
  await buttons.first().scrollIntoViewIfNeeded()
  const at = (await buttons.first().boundingBox())!
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down({ clickCount: 1 })
  await page.mouse.up({ clickCount: 1 })
  await expect(rows).toHaveCount(2)
  // Another session's button is beneath the pointer now, once the notice above has come.
  const next = (await buttons.first().boundingBox())!
  await page.mouse.move(next.x + next.width / 2, next.y + next.height / 2)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(page.getByText('Session signed out.')).toBeVisible()
  await buttons.first().focus()
  await expect(buttons.first()).toBeEnabled()
  expect(await sessions()).toBe(2)
})
