/** FRI-7, PLAY-6: filters, sorts and what one has in common with friends. */
import { friend, friendNames, heading } from './friends-page.ts'
import { expect, expectAccessible, test } from './support.ts'

test('FRI-7: filters with counts, sorts, the game being played, and all of it in the address', async ({
  page,
  product,
  signInAs,
}) => {
  const portal = product.appidOf('Portal')
  const ada = await product.player({ name: 'Ada', games: { Portal: 60, Dota: 0 }, personastate: 0 })
  const bob = await product.player({ name: 'Bob', gamesPrivate: true, personastate: 1 })
  const cat = await product.player({ name: 'Cat', games: { Rust: 60 }, playing: portal })
  const dan = await product.player({ name: 'Dan', games: { Portal: 60 }, personastate: 3 })
  const me = await product.player({ games: { Portal: 90, Dota: 90 }, friends: [ada, bob, cat, dan] })
  await signInAs(me, '/friends')
  await expect.poll(() => friendNames(page)).toEqual(['Cat', 'Bob', 'Dan', 'Ada'])
  await expect(friend(page, 'Ada')).toContainText('2 games in common')
  await expect(friend(page, 'Dan')).toContainText('1 game in common')
  await expect(friend(page, 'Cat')).toContainText('0 games in common')
  await expect(friend(page, 'Bob')).toContainText('Game details private')
  const chip = (name: string) => page.getByRole('radio', { name })
  await expect(page.getByRole('group', { name: 'Which friends' })).toHaveText(
    /All 4\s*In game 1\s*Online 3\s*Private 1\s*On Shelfmates 4/,
  )
  await expectAccessible(page)

  await chip('Online').check()
  await expect.poll(() => friendNames(page)).toEqual(['Cat', 'Bob', 'Dan'])
  await page.getByLabel('Sort').selectOption('Games in common')
  await expect.poll(() => friendNames(page)).toEqual(['Dan', 'Cat', 'Bob'])
  await expect(page).toHaveURL('/friends?show=online&sort=common')
  await page.reload()
  await expect.poll(() => friendNames(page)).toEqual(['Dan', 'Cat', 'Bob'])
  await expect(chip('Online')).toBeChecked()
  await chip('Online').press('ArrowRight')
  await expect(chip('Private')).toBeChecked()
  await expect.poll(() => friendNames(page)).toEqual(['Bob'])
  await page.getByRole('searchbox').fill('cat')
  await expect(page.getByText('No friends match.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all friends' }).click()
  await expect.poll(() => friendNames(page)).toEqual(['Ada', 'Dan', 'Cat', 'Bob'])
  await page.getByRole('searchbox').fill('PORT')
  await expect.poll(() => friendNames(page)).toEqual(['Cat'])

  // The link to the game lies on the one to the friend.
  await friend(page, 'Cat').getByRole('link', { name: 'Portal' }).click()
  await expect(page).toHaveURL(`/games/${portal}`)
  await expect(page.getByRole('list', { name: 'In it now' })).toContainText('Cat')
  await page.goBack()
  await expect(page).toHaveURL('/friends?search=PORT&sort=common')
  await friend(page, 'Cat').click({ position: { x: 20, y: 90 } })
  await expect(heading(page, "Cat's Games")).toBeVisible()
})
