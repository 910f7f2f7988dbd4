/** GPAGE-1 and API-26: setting the picture of a group. */
import { groupsContract } from '#shared/contract/groups.ts'
import { address, friday, heading, naturalWidth, pictureForm, setPicture, syncButton } from './group-page.ts'
import { uploadedPicture } from './dashboard-page.ts'
import { pngFile } from './groups-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test('GPAGE-1, PIC-6: a refused picture, an address, and one without a picture', async ({
  page,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 400/)
  const { mira, id, path } = await friday(product)
  const uploaded = await uploadedPicture(product, mira)
  await signInAs(mira, path)
  await expect(heading(page).locator('img')).toHaveCount(0)
  await address(page).fill('javascript:alert(1)')
  await setPicture(page).click()
  const failure = pictureForm(page).getByRole('alert')
  await expect(failure).toContainText('Failed to update picture.')
  await expect(failure).toContainText('The picture URL must be an http or https URL.')
  await expect(address(page)).toHaveValue('javascript:alert(1)')
  expect((await mira.call(groupsContract.read, { id })).picture_url).toBeNull()
  await expectAccessible(page)

  await address(page).fill(`  ${uploaded} `)
  await setPicture(page).click()
  await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
  await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(40)
  await expect(address(page)).toHaveValue('')

  await address(page).fill('http://127.0.0.1/none.png')
  await setPicture(page).click()
  await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
  await expect(pictureForm(page).getByText('No picture could be loaded from this address.')).toBeVisible()
  await expect(heading(page).locator('img')).toHaveCount(0)
  await expectAccessible(page)
})

test('GPAGE-1: without a picture the button does nothing', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await signInAs(mira, path)
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  await address(page).fill('   ')
  await setPicture(page).click()
  await address(page).fill('javascript:alert(1)')
  await address(page).fill('')
  await setPicture(page).click()
  await expect(pictureForm(page).getByRole('alert')).toHaveCount(0)
  // What is asked for afterwards is asked for alone.
  await syncButton(page).click()
  await expect(page.getByText('Group sync complete!')).toBeVisible()
  expect(posts.map((url) => new URL(url).pathname)).toEqual(['/api/sync_group_games'])
})

test('API-26: a picture is uploaded; no image is refused', async ({ page, product, signInAs }) => {
  const { mira, path } = await friday(product)
  await signInAs(mira, path)
  const file = pictureForm(page).getByLabel('Or upload a picture')
  const upload = pictureForm(page).getByRole('button', { name: 'Upload Picture' })
  await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await expect(file).toHaveAccessibleDescription('Please choose an image file.')
  await expect(upload).toHaveCount(0)
  await file.setInputFiles(await pngFile())
  await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible()
  await expectAccessible(page)
  await upload.click()
  await expect(pictureForm(page).getByText('Group picture updated!')).toBeVisible()
  await expect.poll(() => naturalWidth(heading(page).locator('img'))).toBe(32)
  await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toHaveCount(0)
})
