/** GPAGE-38: a game that is not on Steam is added on a group's page, and stands in its lists and nights with its link. */
import { nightsContract } from '#shared/contract/nights.ts'
import { games } from './group-page.ts'
import { game, pick, startNight } from './night-page.ts'
import { expect, PHONE, test } from './support.ts'

test('GPAGE-38: a game is added, used and removed', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/status of 400/)
  const { mira, others, id, groupId } = await startNight(product, { gameNames: ['Portal'], isIn: ['Theo'] })
  await page.setViewportSize(PHONE)
  await signInAs(others[0]!, `/groups/${groupId}`)
  const card = page
    .getByRole('group')
    .filter({ has: page.getByRole('heading', { name: 'Games that are not on Steam' }) })
  const open = () => card.getByRole('heading').click()
  const [name, link] = ['Name of the game', 'Link'].map((label) => card.getByLabel(label))
  const add = card.getByRole('button', { name: 'Add game' })
  await open()
  await add.click()
  await expect(card).toContainText('Enter the name of the game.')
  await expect(name!).toBeFocused()
  await name!.fill('skribbl.io')
  await link!.fill('ftp://skribbl.io')
  await add.click()
  await expect(card).toContainText('Failed to add the game.')
  await link!.fill('https://skribbl.io/?room=1')
  await page.keyboard.press('Enter')
  await expect(card).toContainText('Game added.')
  const toIt = { href: 'https://skribbl.io/?room=1', rel: 'noopener noreferrer nofollow', target: '_blank' }
  for (const [attribute, value] of Object.entries(toIt))
    await expect(card.getByRole('link', { name: 'skribbl.io' })).toHaveAttribute(attribute, value)
  await expect(games(page).getByRole('article')).toHaveCount(2)
  await expect(games(page).getByRole('article').filter({ hasText: 'skribbl' })).toContainText('Not on Steam')
  await expect(page).toHaveLargeTargets()
  await expect(page).toFitItsWidth()
  await expect(page).toBeAccessible()

  await games(page).getByRole('heading', { name: 'skribbl.io' }).click()
  await expect(page.getByRole('link', { name: 'Play at skribbl.io' })).toHaveAttribute('href', toIt.href)
  await expect(page.getByText('Not on Steam: everybody in the group can play it.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Store page' })).toHaveCount(0)
  await expect(page).toFitItsWidth()
  await expect(page).toBeAccessible()

  await page.goto(`/nights/${id}`)
  await expect(game(page, 'skribbl.io').getByRole('link')).toHaveAttribute('href', toIt.href)
  await expect(page).toHaveLargeTargets()
  await expect(page).toFitItsWidth()
  await expect(page).toBeAccessible()
  const { shortlist } = await mira.call(nightsContract.read, { id })
  const { appid } = shortlist.find((one) => one.name === 'skribbl.io')!
  await others[0]!.call(nightsContract.vote, { id }, { marks: [{ appid, mark: 'want' }] })
  await mira.call(nightsContract.close, { id }, { by: 'votes' })
  await expect(pick(page).getByRole('link', { name: 'Play at skribbl.io' })).toHaveAttribute(
    'href',
    toIt.href,
  )
  await expect(pick(page).getByRole('link', { name: 'Launch' })).toHaveCount(0)
  await expect(page).toFitItsWidth()
  await expect(page).toBeAccessible()

  await page.goto(`/groups/${groupId}`)
  await open()
  await card.getByRole('button', { name: 'Remove skribbl.io' }).click()
  await expect(card.getByText('Game removed.')).toBeVisible()
  await expect(card.getByRole('link')).toHaveCount(0)
  await expect(games(page).getByRole('article')).toHaveCount(1)
})
