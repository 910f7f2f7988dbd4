/** LIM-4 in a browser: the name of a group has at most 100 characters, and the input says so before the server does. */
import type { Locator, Page } from '@playwright/test'
import { openDashboard, wizard } from './dashboard-page.ts'
import { friday, heading, region } from './group-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

type Form = { name: Locator; send: Locator }

const forms: Record<string, (page: Page, path: string) => Promise<Form>> = {
  'creating a group': async (page) => {
    await page.goto('/groups')
    const form = region(page, 'Create Group')
    return {
      name: form.getByRole('textbox', { name: 'Group name' }),
      send: form.getByRole('button', { name: 'Create Group' }),
    }
  },
  'the wizard of the dashboard': async (page) => {
    await openDashboard(page)
    const { open, name, create } = wizard(page)
    await open.click()
    return { name, send: create }
  },
  'renaming a group': async (page, path) => {
    await page.goto(path)
    const form = region(page, 'Manage group')
    return {
      name: form.getByRole('textbox', { name: 'Group name' }),
      send: form.getByRole('button', { name: 'Rename' }),
    }
  },
}

const DESK = { width: 1440, height: 900 }
const TELEPHONE = { width: 390, height: 844 }

for (const [where, open] of Object.entries(forms))
  test(`LIM-4: ${where} counts to 100 as the server does, and sends no more, at a desk and on a telephone`, async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, path } = await friday(product)
    await signInAs(mira)
    await page.setViewportSize(DESK)
    const { name, send } = await open(page, path)
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
    for (const viewport of [DESK, TELEPHONE]) {
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
    if (where !== 'the wizard of the dashboard') await expect(heading(page)).toContainText('🎮'.repeat(100))
  })
