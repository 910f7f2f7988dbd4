/** NIGHT-86, NIGHT-87, NIGHT-91: draws of a game night. */
import type { Page } from '@playwright/test'
import type { Night } from '#shared/nights/entities.ts'
import { bar, mark, part, pick, pickName, startNight, status, unfold } from './night-page.ts'
import { DESK, dialog, expect, PHONE, test } from './support.ts'

test('NIGHT-86, NIGHT-87, NIGHT-91: a tie is drawn and checked', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product, { people: ['Theo'], isIn: ['Theo'] })
  await as('Theo').vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  await signInAs(mira, path)
  await mark(page, 'Factorio', 'Want').click()
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  const tie = page.getByRole('region', { name: 'It’s a tie' })
  await expect(tie.getByRole('listitem')).toHaveText([/1 in 2 \(50 %\)/, /1 in 2 \(50 %\)/])
  await expect(status(page)).toHaveText('Voting has ended, a draw decides')
  await expect(page).toBeAccessible()
  await tie.getByRole('button', { name: 'Draw now' }).click()
  await expect(pickName(page)).toHaveText(/^You are playing (Portal|Factorio)$/)
  await expect(pickName(page)).toBeFocused()
  const first = (await as('Mira').read()).pick!.name
  const second = first === 'Portal' ? 'Factorio' : 'Portal'

  await unfold(page, 'More')
  await pick(page).getByRole('button', { name: 'Draw again' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Draw again' })).toBeDisabled()
  await expect(dialog(page)).not.toContainText('were drawn')
  await dialog(page).getByLabel('Reason').fill('Theo’s disk is full')
  await dialog(page).getByRole('button', { name: 'Draw again' }).click()
  await expect(pickName(page)).toHaveText(`You are playing ${second}`)
  await expect(pick(page).getByText('Drawn again by Mira: “Theo’s disk is full”')).toBeVisible()
  await pick(page).getByRole('button', { name: 'Draw again' }).click()
  await expect(dialog(page)).toContainText(
    'All games with the best score were drawn. This one is among the others.',
  )
  await page.keyboard.press('Escape')
  await pick(page).getByText('How it was decided').click()
  await expect(pick(page).getByRole('list', { name: 'How it was decided' })).toContainText(
    'Reason: Theo’s disk is full',
  )
  await expect(page).toBeAccessible()

  await pick(page).getByRole('link', { name: 'Check the draw' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check the draw')
  await expect(page.getByText('The seed belongs to the hash.')).toHaveCount(2)
  await expect(page.getByText('This is the game that was drawn.')).toHaveCount(2)
  await expect(page.getByText('NOT')).toHaveCount(0)
  await expect(page).toBeAccessible()
})

test('NIGHT-91: a draw that does not belong to its seed', async ({ page, product, signInAs }) => {
  const { mira, path, as } = await startNight(product, { people: ['Theo'], isIn: ['Theo'] })
  await as('Mira').close('draw')
  await as('Mira').draw()
  // Another game than the one drawn, as a server would show that cheats.
  await page.route(`**/api${path}`, async (route) => {
    const response = await route.fetch()
    const night = (await response.json()) as Night
    const [draw] = night.draws
    const other = night.shortlist.find(({ appid }) => appid !== draw!.appid)
    await route.fulfill({
      response,
      json: { ...night, draws: [{ ...draw, ...other, seed_hash: 'ab'.repeat(32) }] },
    })
  })
  await signInAs(mira, `${path}/draw`)
  await expect(page.getByText('The seed does NOT belong to the hash.')).toBeVisible()
  await expect(page.getByText('This is NOT the game that was drawn.')).toBeVisible()
})

test('NIGHT-87: a draw is revealed, at once with reduced motion', async ({ page, product, signInAs }) => {
  const { others, path, as } = await startNight(product, { people: ['Theo'], isIn: ['Theo'] })
  await as('Mira').close('draw')
  await signInAs(others[0]!)
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.goto(path)
    const isFirst = reducedMotion === 'no-preference'
    // What is there on arrival is not announced.
    await expect(part(page, 'In')).toBeVisible()
    const headings = await recordHeadings(page)
    await (isFirst ? as('Mira').draw() : as('Mira').redraw('once more'))
    const { name } = (await as('Mira').read()).pick!
    await expect(pickName(page)).toHaveText(`You are playing ${name}`)
    await expect(status(page)).toHaveText(`The pick is ${name}`)
    const during = (await headings()).filter(({ pick }) => pick.startsWith('Drawing…'))
    expect(during.length > 0).toBe(isFirst)
    expect(during.filter(({ head }) => head.includes(name) || head.includes('Decided'))).toEqual([])
  }
})

/** The texts that the heading of the pick has had since now, each with the head of the page at that moment. */
async function recordHeadings(page: Page): Promise<() => Promise<{ pick: string; head: string }[]>> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game night')
  await page.evaluate(() => {
    const seen: { pick: string; head: string }[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const pick = document.querySelector('#the-pick')?.textContent
      if (pick) seen.push({ pick, head: document.querySelector('main header')!.textContent })
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: { pick: string; head: string }[] }).seen)
}

test('NIGHT-154: a surprise is one press away', async ({ page, product, signInAs, expectedErrors }) => {
  expectedErrors.push(/409/)
  const { mira, others, groupId } = await startNight(product)
  await product.owns(mira, {})
  await page.setViewportSize(PHONE)
  await signInAs(others[0]!, `/groups/${groupId}`)
  const surprise = page.getByRole('button', { name: 'Surprise us' })
  await surprise.click()
  await expect(page.getByText('Failed to draw a game.')).toBeVisible()
  await expect(page.getByText('Somebody who has not said no lacks every game.')).toBeVisible()
  await expect(page).toFitItsWidth()

  await product.owns(mira, { Portal: 60, Factorio: 60, Overcooked: 60 })
  await page.setViewportSize(DESK)
  await surprise.click()
  await expect(page).toHaveURL(/\/nights\/\d+$/)
  await expect(pickName(page)).toHaveText(/^You are playing (Portal|Factorio|Overcooked)$/)
  // Nobody has voted.
  await expect(page.getByRole('heading', { name: 'Shortlist' })).toBeVisible()
  await expect(page).toBeAccessible()
})
