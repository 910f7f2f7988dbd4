/** GLIST-3 and PAGE-4: what the Create Group form refuses, and creation that fails. */
import { EMPTY, changesOf, create, form, nameField, pictureField, pngFile, preview } from './groups-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test("GLIST-3: 'Group name required.' beside the field", async ({ page, product, signInAs }) => {
  await signInAs(await product.player(), '/groups')
  await expect(nameField(page)).not.toHaveAttribute('required')
  await pictureField(page).setInputFiles(await pngFile())
  const changes = changesOf(page)
  for (const typed of ['', '   ']) {
    await nameField(page).fill(typed)
    await create(page).click()
    await expect(form(page).getByRole('alert')).toHaveText('Group name required.')
    await expect(nameField(page)).toHaveAccessibleDescription('Group name required.')
    await expect(nameField(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameField(page)).toBeFocused()
    await expect(nameField(page)).toHaveValue(typed)
    await expect(preview(page)).toBeVisible()
    await page.keyboard.type('F')
    await expect(form(page).getByText('Group name required.')).toHaveCount(0)
  }
  await nameField(page).fill('')
  await create(page).click()
  await expectAccessible(page)
  expect(changes).toEqual([])
})

const NOT_AN_IMAGE = 'Please choose an image file.'
const refused = {
  'a text file': [{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }, NOT_AN_IMAGE],
  'a file that only calls itself an image': [
    { name: 'list.png', mimeType: 'image/png', buffer: Buffer.from('hello') },
    NOT_AN_IMAGE,
  ],
  'a drawing that may carry scripts': [
    { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    'This image format isn’t supported. Please choose a PNG, JPEG, WebP or GIF.',
  ],
  'more than 5 MB': [
    { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) },
    'The picture is larger than 5 MB. Please choose a smaller one.',
  ],
} as const

test('GLIST-3: what is no image is refused beside the field', async ({ page, product, signInAs }) => {
  await signInAs(await product.player(), '/groups')
  await nameField(page).fill('Friday')
  const changes = changesOf(page)
  for (const [what, [file, text]] of Object.entries(refused))
    await test.step(what, async () => {
      await pictureField(page).setInputFiles({ ...file })
      await expect(form(page).getByRole('alert').filter({ hasText: text })).toBeVisible()
      await expect(pictureField(page)).toHaveAccessibleDescription(text)
      await expect(preview(page)).toHaveCount(0)
      await create(page).click()
      await expect(nameField(page)).toHaveValue('Friday')
      await expect(form(page).getByRole('alert').filter({ hasText: text })).toBeVisible()
      expect(changes).toEqual([])

      await form(page).getByRole('button', { name: 'Remove picture' }).click()
      await expect(form(page).getByText(text)).toHaveCount(0)
      await expect(pictureField(page)).toBeFocused()
    })
  await pictureField(page).setInputFiles({ ...refused['a text file'][0] })
  await expectAccessible(page)
  await form(page).getByRole('button', { name: 'Remove picture' }).click()
  await create(page).click()
  await expect(page).toHaveURL(/\/groups\/\d+$/)
})

test("GLIST-3, PAGE-4: 'Network error.', 'Failed to create group.', or the server's text", async ({
  page,
  context,
  product,
  signInAs,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_/, /status of (400|502)/)
  await signInAs(await product.player(), '/groups')
  await expect(page.getByText(EMPTY)).toBeVisible()
  const problem = form(page).getByRole('alert')
  await nameField(page).fill('Friday\u0007')
  await create(page).click()
  await expect(problem).toContainText('must not have control characters')
  await nameField(page).fill('Friday')
  await pictureField(page).setInputFiles(await pngFile())
  await context.setOffline(true)
  await create(page).click()
  await expect(problem).toHaveText('Network error.')
  await context.setOffline(false)
  await page.route('**/api/groups', (route) => route.fulfill({ status: 502, body: '<html>Bad gateway' }))
  await create(page).click()
  await expect(problem).toHaveText('Failed to create group.')
  await expect(create(page)).toBeEnabled()
  await expect(nameField(page)).toHaveValue('Friday')
  await expect(preview(page)).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await create(page).click()
  await expect(page).toHaveURL(/\/groups\/\d+$/)
})
