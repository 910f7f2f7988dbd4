/** NAV-1, NAV-9, LOST-1, and how one gets around (LOOK-16 to LOOK-19). */
import type { Page } from '@playwright/test'
import { expect, oddNames, PHONE, test } from './support.ts'

const LINKS = [
  ['Dashboard', '/dashboard'],
  ['My Games', '/my_games'],
  ['Friends', '/friends'],
  ['Groups', '/groups'],
  ["Friend's Games", '/friends/games'],
  ['Game Comparison', '/games/1/comparison'],
  ['Game nights', '/nights'],
] as const

const sidebar = (page: Page) => page.getByRole('navigation')
const hamburger = (page: Page) => page.getByRole('button', { name: 'Open navigation' })
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Shelfmates' })

test('NAV-1: the links of the sidebar', async ({ page, enter }) => {
  test.slow()
  await enter({}, '/my_games')
  await expect(sidebar(page).getByRole('link')).toHaveText(LINKS.map(([text]) => text))
  for (const [text, path] of LINKS) {
    const link = sidebar(page).getByRole('link', { name: text, exact: true })
    await expect(link).toHaveAttribute('href', path)
    await link.click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name: text, exact: true })).toBeVisible()
  }
  await expect(page).toBeAccessible()
})

test('LOOK-19: only the present place is current', async ({ page, product, signInAs }) => {
  test.slow()
  const friend = await product.player({ games: { Portal: 5 } })
  const me = await product.player({ games: { Portal: 5 }, friends: [friend] })
  const { group_id } = await product.group({ owner: me })
  await signInAs(me, '/dashboard')
  const current = sidebar(page).locator('[aria-current=page]')
  for (const [path, text] of [
    ['/', 'Dashboard'],
    ['/my_games', 'My Games'],
    [`/games/${product.appidOf('Portal')}/friends`, 'My Games'],
    [`/groups/${group_id}`, 'Groups'],
    [`/friends/${friend.steam_id}/games`, "Friend's Games"],
    ['/games/620/comparison', 'Game Comparison'],
  ] as const) {
    await page.goto(path)
    await expect(current).toHaveText([text])
  }
})

test('NAV-1, PAGE-11, LOOK-8: who I am', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/status of 404/)
  const me = await enter({}, '/my_games')
  const banner = page.getByRole('banner')
  const avatar = banner.locator('img').last()
  await expect(banner.getByText('Player', { exact: true })).toBeVisible()
  await expect(avatar).toHaveAttribute('src', '/logo.svg')
  await page.evaluate(() => localStorage.setItem('avatar_url', '/gone.png'))
  await page.reload()
  await expect(avatar).toHaveAttribute('src', '/logo.svg')
  await page.evaluate(() => {
    localStorage.setItem('avatar_url', '/icon-192.png')
    localStorage.setItem('account_display_name', 'Mira <3')
  })
  await page.reload()
  await expect(banner.getByText('Mira <3', { exact: true })).toBeVisible()
  await expect(banner.getByText(me.steam_id)).toBeVisible()
  await expect(banner.locator('img[src="/icon-192.png"]')).toBeVisible()
})

test('NAV-4, DEMO-3: a hamburger menu, and the mark of the demo', async ({ page, enter }) => {
  const me = await enter({}, undefined, 'Mira')
  await page.setViewportSize(PHONE)
  // The page as the server of the demo sends it.
  await page.route('**/my_games', async (route) => {
    const response = await route.fetch()
    const meta = '<meta name="shelfmates-mode" content="demo" />'
    await route.fulfill({ response, body: (await response.text()).replace('</head>', `${meta}</head>`) })
  })
  await page.goto('/my_games')
  await expect(sidebar(page)).toHaveCount(0)
  await expect(hamburger(page)).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toBeAccessible()

  await hamburger(page).click()
  await expect(overlay(page)).toBeVisible()
  await expect(overlay(page).getByRole('link', { name: 'Groups', exact: true })).toBeVisible()
  await expect(overlay(page).getByText('Mira')).toBeVisible()
  await expect(overlay(page).getByText(me.steam_id)).toBeVisible()
  await expect(page).toBeAccessible()

  await overlay(page).getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page).toHaveURL('/groups')
  await expect(overlay(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()

  await page.setViewportSize({ width: 320, height: 640 })
  const header = page.getByRole('banner')
  const inOrder = [
    header.getByText('Shelfmates'),
    header.getByText('Demo', { exact: true }),
    header.getByRole('button', { name: 'Find' }),
    hamburger(page),
  ]
  // Of what is inside, because words may stand out of their box.
  const extents = await Promise.all(
    inOrder.map((part) =>
      part.evaluate((element) => {
        const inside = document.createRange()
        inside.selectNodeContents(element)
        const { left, right } = inside.getBoundingClientRect()
        return { left, right }
      }),
    ),
  )
  for (const [nth, { right }] of extents.entries())
    expect(right).toBeLessThanOrEqual(extents[nth + 1]?.left ?? 320)
})

test('LOOK-16, NAV-6: the overlay holds the focus; Log Out in it', async ({ page, enter }) => {
  await enter()
  await page.setViewportSize(PHONE)
  await page.goto('/my_games')
  const close = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close navigation' }).click(),
    () => page.mouse.click(380, 400),
  ]
  for (const away of close) {
    await hamburger(page).focus()
    await page.keyboard.press('Enter')
    await expect(overlay(page)).toBeVisible()
    for (let presses = 0; presses < 15; presses++) {
      await page.keyboard.press('Tab')
      // The browser's own bar is the only place outside that Tab may reach; the page then has no focus.
      const outside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
      )
      expect(outside).toBe(false)
    }
    // The event comes after the overlay is hidden, and closes what was opened in between.
    await overlay(page).evaluate((dialog) => {
      const closed = new Promise((done) => dialog.addEventListener('close', done, { once: true }))
      Object.assign(window, { overlayClosed: closed.then(() => true) })
    })
    await away()
    await expect(overlay(page)).toBeHidden()
    await expect(hamburger(page)).toBeFocused()
    expect(await page.evaluate('overlayClosed')).toBe(true)
  }
  await hamburger(page).click()
  await overlay(page).getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
})

const blobs = (page: Page) => page.locator('.blob')
const moving = (page: Page) =>
  page.evaluate(
    () => document.getAnimations().filter((animation) => animation.playState === 'running').length,
  )

test('LOOK-2: pages have a decorative animated background with 4 blobs', async ({ page, enter }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/login')
  await expect(blobs(page)).toHaveCount(4)
  expect(await moving(page)).toBeGreaterThanOrEqual(4)
  await expect(page.locator('[aria-hidden=true]').filter({ has: blobs(page) })).toHaveCount(1)
  await enter({}, '/my_games')
  await expect(blobs(page)).toHaveCount(4)
})

test('LOOK-21: the four move every two seconds, all at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/login')
  await expect(blobs(page)).toHaveCount(4)
  const moves = await page.evaluate(() =>
    [...document.querySelectorAll('.blob')]
      .flatMap((blob) => blob.getAnimations())
      .map((animation) => {
        const effect = animation.effect as KeyframeEffect
        const steps = Number(/^steps\((\d+)\)$/.exec(effect.getKeyframes()[0]!.easing)![1])
        return { startTime: animation.startTime, everyMs: Number(effect.getTiming().duration) / steps }
      }),
  )
  expect(moves).toEqual(Array(4).fill({ startTime: moves[0]!.startTime, everyMs: 2000 }))
})

test('LOOK-21: with prefers-reduced-motion nothing moves', async ({ page, enter }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/login')
  await expect(blobs(page)).toHaveCount(4)
  expect(await moving(page)).toBe(0)
  await enter({ games: { Portal: 60 } }, '/my_games')
  await expect(page.getByRole('article')).toBeVisible()
  await expect.poll(() => moving(page)).toBe(0)
})

test("LOST-1, LANG-5, ROUTE-1: any other path shows '404'", async ({ page, enter }) => {
  test.slow()
  for (const path of ['/nothing', '/groups/1/more', '/My_Games_', '/friends/games/x/y', '/old/page.html']) {
    await page.goto(path)
    await expect(page.getByText('404', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Page Not Found' })).toBeVisible()
    await expect(
      page.getByText('The link may be broken, or the address may have been mistyped.'),
    ).toBeVisible()
  }
  await expect(page).toHaveTitle('Page Not Found · Shelfmates')
  await expect(page).toBeAccessible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page).toFitItsWidth()

  await enter({}, '/nothing')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('LOOK-16, LOOK-19: the first Tab skips the sidebar', async ({ page, enter }) => {
  await enter({ games: { Portal: 60 } }, '/my_games')
  await expect(page.getByRole('article')).toBeVisible()
  await expect(page).toHaveTitle('My Games · Shelfmates')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'My Shelf' })).toBeFocused()
  await sidebar(page).getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeFocused()
  await expect(page).toHaveTitle('Groups · Shelfmates')
})

test('PAGE-15: every page links back to Steam', async ({ page, enter }) => {
  const link = page.getByRole('link', { name: 'Powered by Steam' })
  await page.goto('/login')
  await expect(link).toHaveAttribute('href', 'https://store.steampowered.com')
  await enter({}, '/my_games')
  await expect(link).toHaveAttribute('href', 'https://store.steampowered.com')
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find' })
const search = (page: Page) => dialog(page).getByRole('combobox', { name: 'Find' })
const options = (page: Page) => dialog(page).getByRole('option')
const section = (page: Page, name: string) => dialog(page).getByRole('group', { name, exact: true })
const button = (page: Page) => page.getByRole('button', { name: 'Find', exact: true })

test('NAV-9: what opens it and closes it, and gives back the focus', async ({ page, enter }) => {
  await enter({ games: { Portal: 60 } }, '/my_games')
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

test('NAV-9: beside a field, and behind a question', async ({ page, enter }) => {
  await enter({ games: { Portal: 60 } }, '/my_games')
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

test('NAV-9: on a phone the top bar opens it', async ({ page, enter }) => {
  const odd = oddNames(100)
  await enter({ games: Object.fromEntries(odd.map((name, nth) => [name, nth])) })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/my_games')
  await button(page).click()
  await expect(search(page)).toBeFocused()
  await expect(section(page, 'My games').getByRole('option').first()).toBeVisible()
  await expect(page).toFitItsWidth()
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
  await expect(page).toBeAccessible()
  await search(page).fill('groups')
  await options(page).first().click()
  await expect(page).toHaveURL('/groups')
  await expect(dialog(page)).toBeHidden()
})

test('NAV-10, NIGHT-140: Enter opens the best match of any kind', async ({ page, product, enter }) => {
  test.slow()
  const friend = await product.player({ name: 'Portia', games: { Dota: 5 } })
  const me = await enter({
    games: { 'Portal 2': 60, 'Steam Port': 5, Airport: 1 },
    friends: [friend],
  })
  const { group_id } = await product.group({ owner: me, members: [friend], name: 'Port night' })
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
  await expect(page).toBeAccessible()
  await search(page).fill('nothing of the kind')
  await expect(dialog(page).getByRole('status')).toHaveText('Nothing found.')
  await expect(page).toBeAccessible()
})

test('NAV-10: arrows, Home and End choose what Enter opens', async ({ page, product, enter }) => {
  await enter({ games: { Alpha: 30, Beta: 20, Gamma: 10 } }, '/my_games')
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  const highlighted = options(page).and(page.locator('[aria-selected=true]'))
  await expect(highlighted).toContainText('Alpha')
  await expect(search(page)).toHaveAttribute('aria-activedescendant', (await highlighted.getAttribute('id'))!)
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

test('NAV-10: a list that failed to load is named', async ({ page, enter }) => {
  await enter({ games: { Portal: 60 } })
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
