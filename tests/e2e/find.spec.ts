/** NAV-9, NAV-10: Find. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, oddNames, test } from './support.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find' })
const search = (page: Page) => dialog(page).getByRole('combobox', { name: 'Find' })
const options = (page: Page) => dialog(page).getByRole('option')
const section = (page: Page, name: string) => dialog(page).getByRole('group', { name, exact: true })
const button = (page: Page) => page.getByRole('button', { name: 'Find', exact: true })

test.describe('NAV-9: what opens and closes Find', () => {
  test('NAV-9: what opens it and closes it, and gives back the focus', async ({
    page,
    product,
    signInAs,
  }) => {
    await signInAs(await product.player({ games: { Portal: 60 } }), '/my_games')
    await expect(page.getByRole('article')).toBeVisible()
    const ways = [
      [() => page.keyboard.press('Control+k'), () => page.keyboard.press('Escape')],
      [
        () => page.keyboard.press('Control+k'),
        () => dialog(page).getByRole('button', { name: 'Cancel' }).click(),
      ],
      [() => page.keyboard.press('Enter'), () => page.mouse.click(5, 500)],
      [() => page.keyboard.press('Control+k'), () => page.keyboard.press('Control+k')],
    ] as const
    for (const [open, close] of ways) {
      await button(page).focus()
      await open()
      await expect(search(page)).toBeFocused()
      await expect(search(page)).toHaveValue('')
      await close()
      await expect(dialog(page)).toBeHidden()
      await expect(button(page)).toBeFocused()
    }
  })

  test('NAV-9: beside a field, and behind a question', async ({ page, product, signInAs }) => {
    await signInAs(await product.player({ games: { Portal: 60 } }), '/my_games')
    const field = page.getByRole('searchbox', { name: 'Search my games' })
    await field.focus()
    await page.keyboard.press('Control+k')
    await expect(search(page)).toBeFocused()
    await search(page).fill('portal')
    const box = (await search(page).boundingBox())!
    await page.mouse.move(box.x + 80, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(5, 500)
    await page.mouse.up()
    // What is typed was selected, which is no click beside it.
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(field).toBeFocused()

    await page.goto('/account')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const question = page.getByRole('dialog', { name: /Delete your account/ })
    await expect(question).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(question).toBeVisible()
    await expect(dialog(page)).toBeHidden()
  })

  test('NAV-9: on a phone the top bar opens it', async ({ page, product, signInAs }) => {
    const odd = oddNames(100)
    const me = await product.player({ games: Object.fromEntries(odd.map((name, nth) => [name, nth])) })
    await signInAs(me)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/my_games')
    await button(page).click()
    await expect(search(page)).toBeFocused()
    await expect(section(page, 'My games').getByRole('option').first()).toBeVisible()
    await expectNoSidewaysScroll(page)
    // The last row does not touch what stands below the list.
    const list = page.getByRole('listbox', { name: 'Results' })
    await list.evaluate((one) => one.scrollTo({ top: one.scrollHeight }))
    const below = (await list.boundingBox())!
    const last = (await options(page).last().boundingBox())!
    expect(below.y + below.height - last.y - last.height).toBeGreaterThanOrEqual(8)
    const box = await dialog(page).boundingBox()
    expect(box!.x).toBeGreaterThanOrEqual(0)
    expect(box!.x + box!.width).toBeLessThanOrEqual(360)
    for (const option of await options(page).all())
      expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await expectAccessible(page)
    await search(page).fill('groups')
    await options(page).first().click()
    await expect(page).toHaveURL('/groups')
    await expect(dialog(page)).toBeHidden()
  })
})

test.describe('NAV-10: what Find finds', () => {
  test('NAV-10, NIGHT-140: Enter opens the best match of any kind', async ({ page, product, signInAs }) => {
    test.slow()
    const friend = await product.player({ name: 'Portia', games: { Dota: 5 } })
    const me = await product.player({
      games: { 'Portal 2': 60, 'Steam Port': 5, Airport: 1 },
      friends: [friend],
    })
    const { group_id } = await product.group({ owner: me, members: [friend], name: 'Port night' })
    await signInAs(me)
    for (const [typed, path] of [
      ['portia', `/friends/${friend.steam_id}/games`],
      ['portal', `/games/${product.appidOf('Portal 2')}`],
      ['PORT N', `/groups/${group_id}`],
      ['my g', '/my_games'],
      ['shelf', '/my_games/shelf'],
      ['compar', '/games/1/comparison'],
      ['game n', '/nights'],
      ['account', '/account'],
      ['privacy', '/privacy'],
    ] as const) {
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('Control+k')
      await search(page).fill(typed)
      await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
      if (typed === 'PORT N') await expect(section(page, 'Groups')).toBeVisible()
      await expect(dialog(page).getByRole('status')).toContainText('Enter opens')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(path)
      await expect(dialog(page)).toBeHidden()
    }

    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Control+k')
    await search(page).fill('port')
    await expect(section(page, 'My games').getByRole('option')).toHaveText([/Portal 2/, /Steam Port/])
    await expect(section(page, 'Friends').getByRole('option')).toHaveText([/Portia/])
    await expect(section(page, 'More of my games').getByRole('option')).toHaveText([/Airport/])
    await expect(options(page).last()).toContainText('Airport')
    await expectAccessible(page)
    await search(page).fill('nothing of the kind')
    await expect(dialog(page).getByRole('status')).toHaveText('Nothing found.')
    await expectAccessible(page)
  })

  test('NAV-10: arrows, Home and End choose what Enter opens', async ({ page, product, signInAs }) => {
    const me = await product.player({ games: { Alpha: 30, Beta: 20, Gamma: 10 } })
    await signInAs(me, '/my_games')
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.keyboard.press('Control+k')
    const highlighted = options(page).and(page.locator('[aria-selected=true]'))
    await expect(highlighted).toContainText('Alpha')
    await expect(search(page)).toHaveAttribute(
      'aria-activedescendant',
      (await highlighted.getAttribute('id'))!,
    )
    await page.keyboard.press('ArrowDown')
    await expect(highlighted).toContainText('Beta')
    await page.keyboard.press('End')
    await expect(highlighted).toHaveText(await options(page).last().innerText())
    await page.keyboard.press('ArrowDown')
    await expect(highlighted).toContainText('Alpha')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/games/${product.appidOf('Beta')}`)
  })

  test('NAV-10: a list that failed to load is named', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 500/)
    await signInAs(await product.player({ games: { Portal: 60 } }))
    await page.route('**/friends_cached', (route) =>
      route.fulfill({ status: 500, json: { error: 'No.', code: 'internal' } }),
    )
    await page.goto('/my_games')
    await expect(page.getByRole('article')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(dialog(page).getByText('Your friends couldn’t be loaded.')).toBeVisible()
    await search(page).fill('portal')
    await expect(options(page)).toHaveCount(1)
  })
})
