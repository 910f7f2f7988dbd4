/** PROD-11, NAV-1, LOST-1, and how one gets around (LOOK-16 to LOOK-19). */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const LINKS = [
  ['Dashboard', '/dashboard'],
  ['My Games', '/my_games'],
  ['Friends', '/friends'],
  ['Groups', '/groups'],
  ["Friend's Games", '/friends/games'],
  ['Game Comparison', '/games/1/comparison'],
] as const

const TELEPHONE = { width: 390, height: 844 }

const sidebar = (page: Page) => page.getByRole('navigation')
const hamburger = (page: Page) => page.getByRole('button', { name: 'Open navigation' })
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Shelfmates' })

test.describe('NAV-1: Sidebar', () => {
  test('NAV-1: it links to /dashboard, /my_games, /friends, /groups, /friends/games and /games/1/comparison', async ({
    page,
    product,
    signedIn,
  }) => {
    test.slow()
    await signedIn(await product.player())
    await page.goto('/my_games')
    await expect(sidebar(page).getByRole('link')).toHaveText(LINKS.map(([text]) => text))
    for (const [text, path] of LINKS) {
      const link = sidebar(page).getByRole('link', { name: text, exact: true })
      await expect(link).toHaveAttribute('href', path)
      await link.click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await expect(page.getByRole('heading', { level: 1, name: 'Game Comparison' })).toBeVisible()
    await expectAccessible(page)
  })

  test('UI: the link of the present place, and only that one, is the current page', async ({
    page,
    product,
    signedIn,
  }) => {
    test.slow()
    const friend = await product.player({ games: { Portal: 5 } })
    const me = await product.player({ games: { Portal: 5 }, friends: [friend] })
    const { group_id } = await product.group({ owner: me })
    await signedIn(me)
    await page.goto('/dashboard')
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

  test('NAV-2: it shows the avatar, the display name and the steam id', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player()
    await signedIn(me, 'Mira <3')
    await page.goto('/my_games')
    await page.evaluate(() => localStorage.setItem('avatar_url', '/icon-192.png'))
    await page.reload()
    const banner = page.getByRole('banner')
    await expect(banner.getByText('Mira <3', { exact: true })).toBeVisible()
    await expect(banner.getByText(me.steam_id)).toBeVisible()
    await expect(banner.locator('img[src="/icon-192.png"]')).toBeVisible()
  })

  test("NAV-3: the avatar defaults to the product's logo, also when it cannot be loaded; the name to 'Player'", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    await signedIn(await product.player())
    await page.goto('/my_games')
    const banner = page.getByRole('banner')
    await expect(banner.getByText('Player', { exact: true })).toBeVisible()
    await expect(banner.locator('img').last()).toHaveAttribute('src', '/logo.svg')
    await page.evaluate(() => localStorage.setItem('avatar_url', '/gone.png'))
    await page.reload()
    await expect(banner.locator('img').last()).toHaveAttribute('src', '/logo.svg')
  })

  test('NAV-4: on mobile it has a hamburger menu with an overlay', async ({ page, product, signedIn }) => {
    const me = await product.player()
    await signedIn(me, 'Mira')
    await page.setViewportSize(TELEPHONE)
    await page.goto('/my_games')
    await expect(sidebar(page)).toHaveCount(0)
    await expect(hamburger(page)).toHaveAttribute('aria-expanded', 'false')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await hamburger(page).click()
    await expect(overlay(page)).toBeVisible()
    await expect(overlay(page).getByRole('link', { name: 'Groups', exact: true })).toBeVisible()
    await expect(overlay(page).getByText('Mira')).toBeVisible()
    await expect(overlay(page).getByText(me.steam_id)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await overlay(page).getByRole('link', { name: 'Groups', exact: true }).click()
    await expect(page).toHaveURL('/groups')
    await expect(overlay(page)).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
  })

  test('UI: the overlay holds the focus, closes on Escape, its cross and a click beside it, and gives the focus back', async ({
    page,
    product,
    signedIn,
  }) => {
    await signedIn(await product.player())
    await page.setViewportSize(TELEPHONE)
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
      await away()
      await expect(overlay(page)).toBeHidden()
      await expect(hamburger(page)).toBeFocused()
    }
  })

  test('NAV-6: Log Out works from the overlay too', async ({ page, product, signedIn }) => {
    await signedIn(await product.player())
    await page.setViewportSize(TELEPHONE)
    await page.goto('/my_games')
    await hamburger(page).click()
    await overlay(page).getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL('/login')
  })
})

test.describe('PROD-11: the animated background', () => {
  const blobs = (page: Page) => page.locator('.blob')
  const moving = (page: Page) =>
    page.evaluate(
      () => document.getAnimations().filter((animation) => animation.playState === 'running').length,
    )

  test('PROD-11: pages have a decorative animated background with 4 blobs', async ({
    page,
    product,
    signedIn,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/login')
    await expect(blobs(page)).toHaveCount(4)
    expect(await moving(page)).toBeGreaterThanOrEqual(4)
    await expect(page.locator('[aria-hidden=true]').filter({ has: blobs(page) })).toHaveCount(1)
    await signedIn(await product.player())
    await page.goto('/my_games')
    await expect(blobs(page)).toHaveCount(4)
  })

  test('UI: with prefers-reduced-motion nothing moves', async ({ page, product, signedIn }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/login')
    await expect(blobs(page)).toHaveCount(4)
    expect(await moving(page)).toBe(0)
    await signedIn(await product.player({ games: { Portal: 60 } }))
    await page.goto('/my_games')
    await expect(page.getByRole('article')).toBeVisible()
    await expect.poll(() => moving(page)).toBe(0)
  })
})

test.describe('LOST-1: 404 page', () => {
  test("LOST-1: any other path shows '404', 'Page Not Found', a hint, and a 'Go to Dashboard' link to /dashboard", async ({
    page,
    product,
    signedIn,
  }) => {
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
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)

    await signedIn(await product.player())
    await page.goto('/nothing')
    await page.getByRole('link', { name: 'Go to Dashboard' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
})

test.describe('UI: keyboard and screen reader', () => {
  test('UI: the first Tab reaches a link that skips the sidebar', async ({ page, product, signedIn }) => {
    await signedIn(await product.player({ games: { Portal: 60 } }))
    await page.goto('/my_games')
    await expect(page.getByRole('article')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'My Shelf' })).toBeFocused()
  })

  test('UI: after going somewhere its heading has the focus, and the window is named after it', async ({
    page,
    product,
    signedIn,
  }) => {
    await signedIn(await product.player())
    await page.goto('/my_games')
    await expect(page).toHaveTitle('My Games · Shelfmates')
    await sidebar(page).getByRole('link', { name: 'Groups', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeFocused()
    await expect(page).toHaveTitle('Groups · Shelfmates')
  })
})

test('PLAT-10: every page links back to the platform', async ({ page, product, signedIn }) => {
  const link = page.getByRole('link', { name: 'Powered by Steam' })
  await page.goto('/login')
  await expect(link).toHaveAttribute('href', 'https://store.steampowered.com')
  await signedIn(await product.player())
  await page.goto('/my_games')
  await expect(link).toHaveAttribute('href', 'https://store.steampowered.com')
})

test('UI: pages name the code of their screen and the typeface, so that all of it comes at once', async ({
  page,
  product,
  signedIn,
}) => {
  await signedIn(await product.player())
  for (const [path, screen] of [
    ['/dashboard', 'dashboard'],
    ['/login', 'login'],
    ['/my_games', 'my-games'],
    ['/friends', 'friends'],
    ['/groups', 'groups'],
    ['/groups/12?from=there', 'group-detail'],
  ]) {
    const answer = await page.request.get(path!)
    expect(answer.headers()['content-encoding']).toBe('br')
    const html = await answer.text()
    const preloaded = [...html.matchAll(/<link rel="(?:module)?preload"[^>]* href="([^"]+)"/g)].map(
      (match) => match[1]!,
    )
    expect(preloaded).toContainEqual(expect.stringMatching(new RegExp(`^/assets/${screen}-screen-.*\\.js$`)))
    expect(preloaded).toContainEqual(expect.stringMatching(/^\/assets\/inter-latin-wght-.*\.woff2$/))
    for (const file of preloaded) expect((await page.request.get(file)).status()).toBe(200)
  }
  // A file that is fetched twice was named in a way that the page does not use.
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'My Top Games' })).toBeVisible()
  expect(fetched.filter((url, index) => url.includes('/assets/') && fetched.indexOf(url) !== index)).toEqual(
    [],
  )
})
