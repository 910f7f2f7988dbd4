/** LOOK-16, LOOK-24 and PAGE-22: choosing a friend by keyboard, and a friend's games of any number. */
import { box, choices, friend, game, gameNames, games, gamesOf, heading, options } from './friends-page.ts'
import { friendsOf } from './group-page.ts'
import { expect, expectAccessible, hold, test } from './support.ts'

test('LOOK-16: a friend is chosen with the keyboard alone; Escape closes and brings the name back', async ({
  page,
  product,
  signInAs,
}) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
  const adam = await product.player({ name: 'Adam', games: { Dota: 30 } })
  const bob = await product.player({ name: 'Bob' })
  const me = await product.player({ friends: [ada, adam, bob] })
  await signInAs(me)
  await page.goto('/friends/games')
  await expect(page.getByRole('list', { name: 'Friends with synced libraries' })).toBeVisible()
  const combobox = page.getByRole('combobox', { name: 'Friend' })
  await combobox.focus()
  await expect(combobox).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowDown')
  await expect(combobox).toHaveAttribute('aria-expanded', 'true')
  const active = () =>
    combobox.evaluate(
      (input) => document.getElementById(input.getAttribute('aria-activedescendant')!)?.textContent,
    )
  await expect.poll(active).toBe('Ada')
  await page.keyboard.press('ArrowUp')
  await expect.poll(active).toBe('Bob')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(combobox).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL('/friends/games')

  await page.keyboard.type('ada')
  await expect.poll(() => options(page)).toEqual(['Ada', 'Adam'])
  await expect(page.getByRole('status').filter({ hasText: '2 friends' })).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(gamesOf(adam))
  await expect(combobox).toBeFocused()
  await expect(combobox).toHaveValue('Adam')
  await expect.poll(() => gameNames(page)).toEqual(['Dota'])

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('zz')
  await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(combobox).toHaveValue('Adam')
  // What is typed and left goes with the list; the focus moves on to what comes next.
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('bo')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Compare with mine' })).toBeFocused()
  await expect(combobox).toHaveValue('Adam')
  await expect(page).toHaveURL(gamesOf(adam))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox', { name: 'Search their games' })).toBeFocused()
  await page.keyboard.press('Tab')
  const sort = page.getByRole('combobox', { name: 'Sort' })
  await expect(sort).toBeFocused()
  await page.keyboard.press('A')
  await expect(sort).toHaveValue('alphabetical')
})

test('LOOK-16: the cross clears what was typed and leaves the list open', async ({
  page,
  product,
  signInAs,
}) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
  const bob = await product.player({ name: 'Bob' })
  const me = await product.player({ friends: [ada, bob] })
  await signInAs(me)
  await page.goto(gamesOf(ada))
  await expect(box(page)).toHaveValue('Ada')
  await box(page).fill('bo')
  await expect.poll(() => options(page)).toEqual(['Bob'])
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(box(page)).toHaveValue('')
  await expect(box(page)).toBeFocused()
  await expect.poll(() => options(page)).toEqual(['Ada', 'Bob'])
  await expectAccessible(page)
  await heading(page, "Ada's Games").click()
  await expect(choices(page)).toHaveCount(0)
  await expect(box(page)).toHaveValue('Ada')
})

test('LOOK-16: a friend picked below the search is gone with the others; the focus goes to the heading', async ({
  page,
  product,
  signInAs,
}) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
  const me = await product.player({ friends: [ada] })
  await signInAs(me)
  await page.goto('/friends/games')
  await page.getByRole('link', { name: 'Ada' }).focus()
  await page.keyboard.press('Enter')
  await expect(game(page, 'Portal')).toBeVisible()
  await expect(heading(page, "Ada's Games")).toBeFocused()
})

test('LOOK-11: who has no friends here yet is sent to where they come from', async ({
  page,
  product,
  signInAs,
}) => {
  const me = await product.player({ synced: false })
  await signInAs(me)
  await page.goto('/friends/games')
  await page.getByRole('link', { name: 'Go to Friends' }).click()
  await expect(heading(page, 'Friends')).toBeFocused()
})

test("LOOK-24: thousands of a friend's games are drawn only where one looks, and the place is kept on return", async ({
  page,
  product,
  signInAs,
}) => {
  test.slow()
  const library = Object.fromEntries(
    Array.from({ length: 3000 }, (_, nth) => [`${700_000 + nth}`, 30_000 - nth]),
  )
  const ada = await product.player({ name: 'Ada', games: library })
  const me = await product.player({ friends: [ada] })
  await signInAs(me)
  await page.goto(gamesOf(ada))
  await expect(page.getByText('3,000 games · synced just now')).toBeVisible()
  const items = games(page).getByRole('listitem')
  await expect(items.first()).toHaveAttribute('aria-setsize', '3000')
  expect(await items.count()).toBeLessThan(60)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
  const before = await page.evaluate(() => Math.round(window.scrollY))
  await page.getByRole('navigation').getByRole('link', { name: 'Friends', exact: true }).click()
  await expect(friend(page, 'Ada')).toBeVisible()
  await page.goBack()
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(before)
  await expect(items.first()).not.toHaveAttribute('aria-posinset', '1')
  expect(await items.count()).toBeLessThan(60)
})

for (const path of ['/friends/games', '/games/1/comparison'])
  test(`PAGE-22: a name, the arrow and Enter at once, with the friends arriving before, between and after them, on ${path}`, async ({
    page,
    product,
    signInAs,
  }) => {
    const me = await product.player({ name: 'Mira' })
    await friendsOf(product, me, ['Ada Quux', 'Bea Quux', 'Cleo'])
    await signInAs(me)
    const keys = [...'quux', 'ArrowDown', 'Enter']
    const open = async () => {
      await page.goto(path)
      await box(page).focus()
    }
    for (const arrival of [...keys.keys(), keys.length])
      await test.step(`the friends arrive after ${arrival} of ${keys.length} keys`, async () => {
        const release = await hold(page, '**/friends_cached')
        const arrived = page.waitForResponse('**/friends_cached')
        await open()
        for (const key of keys.slice(0, arrival)) await page.keyboard.press(key)
        release()
        await (await arrived).finished()
        for (const key of keys.slice(arrival)) await page.keyboard.press(key)
        await expect(box(page)).toHaveValue('Ada Quux')
        await page.unroute('**/friends_cached')
      })
    await test.step('the friends arrive when they arrive', async () => {
      await open()
      for (const key of keys) await page.keyboard.press(key)
      await expect(box(page)).toHaveValue('Ada Quux')
    })
  })
