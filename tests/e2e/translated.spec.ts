/** PAGE-38: pages that the browser translates, which puts `<font>` elements in the place of their texts. */
import type { Page } from '@playwright/test'
import { card, create, form, nameField } from './groups-page.ts'
import { answer, bar, game, mark, part, pickName, startNight, status } from './night-page.ts'
import { expect, test } from './support.ts'

/** Translates the pages, and what changes in them, as Chrome does; into the same words, so that what is out of date shows. */
async function translatePages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const translate = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const [nth, text] of texts.entries()) {
        if (
          !/\p{L}/u.test(text.data) ||
          text.parentElement!.closest('font, script, style, textarea, svg, select')
        )
          continue
        const font = document.createElement('font')
        font.append(document.createElement('font'))
        font.firstElementChild!.textContent = text.data
        // In one call, or in two.
        if (nth % 2 === 0) text.replaceWith(font)
        else {
          text.before(font)
          text.remove()
        }
      }
    }
    let due: ReturnType<typeof setTimeout> | undefined
    new MutationObserver(() => {
      clearTimeout(due)
      if (document.body) due = setTimeout(translate, 30)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** Waits until the page is translated as it is now. */
const translated = (page: Page) => expect(page.locator('main font > font').first()).toBeAttached()

test('PAGE-38: everything works on a translated page', async ({ page, product, signInAs }) => {
  const { others, path, as } = await startNight(product, { title: 'Couch evening', isIn: ['Mira'] })
  await signInAs(others[0]!)
  await translatePages(page)
  await page.goto(path)
  await translated(page)
  await answer(page, 'In').click()
  await expect(part(page, 'In').getByRole('listitem').filter({ hasText: 'Theo' })).toBeVisible()
  await as('Ada').answer('in')
  await expect(status(page)).toHaveText('Ada is in')
  await expect(part(page, 'In').getByRole('listitem')).toHaveCount(3)
  await translated(page)
  await mark(page, 'Portal', 'Want').click()
  await expect(bar(page)).toContainText('1/3 marked')
  await bar(page).getByRole('button', { name: 'Rest is fine' }).click()
  await expect(bar(page)).toContainText('3/3 marked')
  await bar(page).getByRole('button', { name: 'Vote' }).click()
  await expect(game(page, 'Portal')).toContainText('Want it: You')
  for (const name of ['Mira', 'Ada'])
    await as(name).vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  await expect(pickName(page)).toHaveText('You are playing Portal')

  await page.getByRole('link', { name: 'My Games' }).click()
  await translated(page)
  const search = page.getByRole('searchbox', { name: 'Search my games' })
  const games = page.getByRole('list', { name: 'My Games' }).getByRole('article')
  for (const [typed, count] of [
    ['fac', 1],
    ['', 3],
    ['nothing', 0],
    ['', 3],
  ] as const) {
    await search.fill(typed)
    await expect(games).toHaveCount(count)
    await translated(page)
  }
  await page.getByRole('button', { name: 'Sync Games' }).click()
  await expect(page.getByText('synced just now')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sync Games' })).toBeEnabled()

  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await translated(page)
  await create(page).click()
  await expect(form(page).getByRole('alert')).toHaveText('Group name required.')
  await nameField(page).fill('Saturday')
  await create(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Saturday' })).toBeVisible()
  await translated(page)
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(card(page, 'Saturday')).toBeVisible()

  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await translated(page)
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})
