/** LOOK-16, LOOK-24 and PAGE-22: choosing a friend by keyboard, and a friend's games of any number. */
import { box, game, heading } from './friends-page.ts'
import { friendsOf } from './group-page.ts'
import { expect, hold, test } from './support.ts'

test('LOOK-16: choosing a friend moves the focus to the heading', async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
  const me = await product.player({ friends: [ada] })
  await signInAs(me, '/friends/games')
  await page.getByRole('link', { name: 'Ada' }).focus()
  await page.keyboard.press('Enter')
  await expect(game(page, 'Portal')).toBeVisible()
  await expect(heading(page, "Ada's Games")).toBeFocused()
})

for (const path of ['/friends/games', '/games/1/comparison'])
  test(`PAGE-22: keys that are faster than the friends, on ${path}`, async ({ page, product, signInAs }) => {
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
