/** NIGHT-81, NIGHT-87: what the host of a game night does, and leaving it. */
import { bar, dialog, mark, openMenu, part, pick, startNight, unfold } from './night-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test.describe('NIGHT-87: the host', () => {
  test('NIGHT-87: changes title, time and rule, ends the vote early after a question, and cancels', async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path, as } = await startNight(product)
    await signInAs(mira, path)
    await openMenu(page)
    await unfold(page, 'Settings')
    await expectAccessible(page)
    await dialog(page).getByLabel('Title (optional)').fill('Later, with cake')
    await dialog(page).getByLabel('Date and time').fill('2001-01-01T20:30')
    await expect(dialog(page)).toContainText('Choose a time from now to a year ahead.')
    const tomorrow = new Date(Date.now() + 86_400_000)
    const date = [tomorrow.getFullYear(), tomorrow.getMonth() + 1, tomorrow.getDate()]
    await dialog(page)
      .getByLabel('Date and time')
      .fill(`${date.map((part) => String(part).padStart(2, '0')).join('-')}T20:30`)
    await dialog(page).getByText('One “Not tonight” rules a game out').click()
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Later, with cake')
    await expect(page.getByText('Tomorrow at 20:30')).toBeVisible()
    await expect(page.getByText('One “Not tonight” rules a game out.')).toBeVisible()

    await mark(page, 'Portal', 'Want').click()
    await bar(page).getByRole('button', { name: 'Vote' }).click()
    await expect(bar(page).getByRole('button', { name: 'Close the vote' })).toHaveClass(/bg-raised/)
    await as('Theo').answer('in')
    await expect(bar(page)).toContainText('1 of 2 voted')
    await bar(page).getByRole('button', { name: 'Close the vote' }).click()
    await expect(dialog(page)).toContainText('The odds of a game are its score')
    await expect(dialog(page)).toContainText('1 person who is in has not voted yet.')
    await expect(dialog(page)).toContainText('1 person has not answered:')
    await expect(dialog(page)).toContainText('Ada · has all 3')
    await expect(dialog(page)).toContainText('Leading: Portal')
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Close the vote' }).click()
    await expect(pick(page)).toContainText('It has the best score.')

    await page.getByRole('button', { name: 'Host menu' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel this night' }).click()
    await dialog(page)
      .filter({ hasText: 'Everyone sees' })
      .last()
      .getByRole('button', { name: 'Cancel this night' })
      .click()
    await expect(page.getByText('This game night was cancelled.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Host menu' })).toHaveCount(0)
    await expectAccessible(page)
  })
})

test('NIGHT-81: removing and leaving, after a question', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product)
  await signInAs(mira, path)
  await openMenu(page)
  await unfold(page, 'Remove somebody')
  await page.getByRole('button', { name: 'Remove Theo' }).click()
  await expect(dialog(page).last()).toContainText('Theo will no longer see this game night.')
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove Theo' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(part(page, 'Not answered').getByRole('listitem')).toHaveText([/Ada/])
  await as('Ada').answer('in')
  await expect(part(page, 'In')).toContainText('Ada')
  await openMenu(page)
  await page.getByRole('button', { name: 'Leave this night' }).click()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByText('You have left this game night.')).toBeVisible()
  const left = await as('Ada').read()
  expect(left.people.map(({ display_name }) => display_name)).toEqual(['Ada'])
  expect(left.host_steam_id).toBe(left.people[0]!.steam_id)
})
