/** GLIST-3, GLIST-14 and PAGE-4: what the Create Group form refuses, and what the cards of groups show. */
import { answerCrew, heading } from './group-page.ts'
import { create, EMPTY, form, nameField, pictureField, pngFile, preview } from './groups-page.ts'
import { callsTo, DESK, expect, idleOf, PHONE, test } from './support.ts'

test("GLIST-3: 'Group name required.' beside the field", async ({ page, enter }) => {
  await enter({}, '/groups')
  await expect(nameField(page)).not.toHaveAttribute('required')
  await pictureField(page).setInputFiles(await pngFile())
  const changes = callsTo(page, '', /POST/)
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
  await expect(page).toBeAccessible()
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

test('GLIST-3: other files are refused beside the field', async ({ page, enter }) => {
  await enter({}, '/groups')
  await nameField(page).fill('Friday')
  const changes = callsTo(page, '', /POST/)
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
  await expect(page).toBeAccessible()
  await form(page).getByRole('button', { name: 'Remove picture' }).click()
  await create(page).click()
  await expect(page).toHaveURL(/\/groups\/\d+$/)
})

test('GLIST-3, PAGE-4: why a group was not created', async ({ page, context, expectedErrors, enter }) => {
  expectedErrors.push(/net::ERR_/, /status of 400/)
  await enter({}, '/groups')
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
  await expect(page).toBeAccessible()
  await page.unrouteAll()
  await create(page).click()
  await expect(page).toHaveURL(/\/groups\/\d+$/)
})

test('LIM-4: the field counts to 100 as the server does, and sends no more', async ({ page, enter }) => {
  await enter({}, '/groups')
  const [name, send] = [nameField(page), create(page)]
  const changes = callsTo(page, '', /POST/)

  await name.fill('x'.repeat(79))
  await expect(page.getByText('79 of 100')).toHaveCount(0)
  await name.fill('x'.repeat(80))
  await expect(name).toHaveAccessibleDescription('80 of 100 characters')
  const tooLong = ' ' + 'W'.repeat(103) + ' '
  await name.fill(tooLong)
  await expect(name).toHaveAccessibleDescription('At most 100 characters. 103 of 100 characters')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    await expect(page).toBeAccessible()
    await send.click()
    await expect(name).toBeFocused()
    // Nothing of what was pasted is cut off: the person says what goes.
    await expect(name).toHaveValue(tooLong)
  }
  expect(changes).toEqual([])

  // Characters, not the halves that browsers count some of them in.
  await name.fill('🎮'.repeat(100))
  await expect(name).toHaveAccessibleDescription('100 of 100 characters')
  await expect(name).not.toHaveAttribute('aria-invalid')
  const sent = page.waitForResponse((response) => response.request().method() !== 'GET')
  await send.click()
  expect((await sent).ok()).toBe(true)
  await expect(heading(page)).toContainText('🎮'.repeat(100))
})

for (const width of [360, 1280])
  test(`GLIST-14: games and members on a card, at ${width} px`, async ({ page, product, signInAs }) => {
    const { mira, id } = await answerCrew(product)
    await product.group({ owner: mira, name: 'Nobody else' })
    await signInAs(mira)
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/groups')
    const friday = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Friday' }) })
    await expect(friday.getByText('4 members', { exact: true })).toBeVisible()
    await expect(friday.getByText('3 in common')).toBeVisible()
    await expect(
      friday.getByRole('img', { name: /^Mira; Ada, Online; Bea, Offline; Theo, Online$/ }),
    ).toBeVisible()
    await expect(page).toBeAccessible()
    // Anywhere on the card, for example on the art.
    await friday.click({ position: { x: 20, y: 20 } })
    await expect(page).toHaveURL(new RegExp(`/groups/${id}$`))
  })

test('GLIST-14: members and games are loaded only for cards in view', async ({ page, product, enter }) => {
  const mira = await enter({ name: 'Mira of many groups' })
  for (let nth = 0; nth < 30; nth++) await product.group({ owner: mira, name: `Group ${nth}` })
  await page.setViewportSize(PHONE)
  const calls = callsTo(page, '/shared_games')
  const idle = idleOf(page)
  await page.goto('/groups')
  await expect(page.getByText('0 in common').first()).toBeVisible()
  await idle()
  expect(calls.length).toBeLessThan(10)
  const last = page.getByRole('heading', { name: 'Group 0', exact: true })
  await last.scrollIntoViewIfNeeded()
  await expect(page.getByRole('listitem').filter({ has: last }).getByText('0 in common')).toBeVisible()
})
