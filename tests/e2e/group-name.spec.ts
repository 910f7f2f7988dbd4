/** LIM-4 in a browser: the name of a group has at most 100 characters, and the input says so before the server does. */
import { heading } from './group-page.ts'
import { create, nameField } from './groups-page.ts'
import { DESK, expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './support.ts'

test('LIM-4: the field counts to 100 as the server does, and sends no more', async ({
  page,
  product,
  signInAs,
}) => {
  await signInAs(await product.player(), '/groups')
  const [name, send] = [nameField(page), create(page)]
  const changes: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()))

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
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
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
