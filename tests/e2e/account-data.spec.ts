/** VIS-5 and DEL-1: taking everything along, and deleting it. */
import { readFileSync } from 'node:fs'
import { libraryContract } from '#shared/contract/library.ts'
import { confirmDeletion, deletionWord, dialog, openDeletion, secondSession, stored } from './account-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test('VIS-5: the export is a JSON file without a token', async ({ page, product, signInAs }) => {
  const me = await product.player({ name: 'Mira' })
  await signInAs(me, '/account')
  const downloads = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = await downloads
  expect(download.suggestedFilename()).toBe(`shelfmates-${me.steam_id}.json`)
  await expect(page.getByText('Your data was downloaded.')).toBeVisible()
  await expectAccessible(page)

  const text = readFileSync(await download.path(), 'utf8')
  expect(text).not.toContain(me.token)
  expect(JSON.parse(text)).toMatchObject({ person: { steam_id: me.steam_id, display_name: 'Mira' } })
})

test('VIS-5: nothing is deleted without the word', async ({ page, product, signInAs }) => {
  const me = await product.player({ games: { Portal: 90 } })
  await signInAs(me, '/account')
  await openDeletion(page).click()
  await expect(dialog(page)).toHaveAccessibleName('Delete your account permanently?')
  await expect(confirmDeletion(page)).toBeDisabled()
  await expectAccessible(page)
  const deletions: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && deletions.push(request.url()))
  await deletionWord(page).fill('delet')
  await deletionWord(page).press('Enter')
  await expect(confirmDeletion(page)).toBeDisabled()
  await dialog(page).getByText('Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(openDeletion(page)).toBeFocused()
  await openDeletion(page).click()
  await expect(deletionWord(page)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(openDeletion(page)).toBeFocused()
  expect(deletions).toEqual([])
  expect((await me.call(libraryContract.games, { steamId: me.steam_id })).games).toHaveLength(1)
})

test('DEL-1: by keys alone; it ends every session', async ({ page, product, signInAs }) => {
  const me = await product.player({ name: 'Mira', games: { Portal: 90 } })
  const other = await secondSession(product, me)
  await signInAs(me, '/account', 'Mira')
  await openDeletion(page).focus()
  await page.keyboard.press('Enter')
  await deletionWord(page).focus()
  await page.keyboard.type('delete')
  await expect(confirmDeletion(page)).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
  expect(await stored(page)).toEqual({})
  const asked = { steamId: me.steam_id }
  for (const session of [me, other])
    expect(await session.refused(libraryContract.games, asked)).toMatchObject({ status: 401 })
})
