/** NAV-1, LOST-1, and how one gets around (LOOK-16 to LOOK-19). */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const LINKS = [
  ['Dashboard', '/dashboard'],
  ['My Games', '/my_games'],
  ['Friends', '/friends'],
  ['Groups', '/groups'],
  ["Friend's Games", '/friends/games'],
  ['Game Comparison', '/games/1/comparison'],
  ['Game nights', '/nights'],
] as const

const TELEPHONE = { width: 390, height: 844 }

const sidebar = (page: Page) => page.getByRole('navigation')
const hamburger = (page: Page) => page.getByRole('button', { name: 'Open navigation' })
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Shelfmates' })

test.describe('NAV-1: Sidebar', () => {
  test('NAV-1: the links of the sidebar', async ({ page, product, signInAs }) => {
    test.slow()
    await signInAs(await product.player(), '/my_games')
    await expect(sidebar(page).getByRole('link')).toHaveText(LINKS.map(([text]) => text))
    for (const [text, path] of LINKS) {
      const link = sidebar(page).getByRole('link', { name: text, exact: true })
      await expect(link).toHaveAttribute('href', path)
      await link.click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1, name: text, exact: true })).toBeVisible()
    }
    await expectAccessible(page)
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

  test('NAV-1, PAGE-11, LOOK-8: who I am', async ({ page, product, signInAs, expectedErrors }) => {
    expectedErrors.push(/status of 404/)
    const me = await product.player()
    await signInAs(me, '/my_games')
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

  test('NAV-4, DEMO-3: a hamburger menu, and the mark of the demo', async ({ page, product, signInAs }) => {
    const me = await product.player()
    await signInAs(me, undefined, 'Mira')
    await page.setViewportSize(TELEPHONE)
    // The page as the server of the demo sends it.
    await page.route('**/my_games', async (route) => {
      const response = await route.fetch()
      const meta = '<meta name="shelfmates-mode" content="demo" />'
      await route.fulfill({ response, body: (await response.text()).replace('</head>', `${meta}</head>`) })
    })
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

  test('LOOK-16, NAV-6: the overlay holds the focus; Log Out in it', async ({ page, product, signInAs }) => {
    await signInAs(await product.player())
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
})

test.describe('the animated background', () => {
  const blobs = (page: Page) => page.locator('.blob')
  const moving = (page: Page) =>
    page.evaluate(
      () => document.getAnimations().filter((animation) => animation.playState === 'running').length,
    )

  test('LOOK-2: pages have a decorative animated background with 4 blobs', async ({
    page,
    product,
    signInAs,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/login')
    await expect(blobs(page)).toHaveCount(4)
    expect(await moving(page)).toBeGreaterThanOrEqual(4)
    await expect(page.locator('[aria-hidden=true]').filter({ has: blobs(page) })).toHaveCount(1)
    await signInAs(await product.player(), '/my_games')
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

  test('LOOK-21: with prefers-reduced-motion nothing moves', async ({ page, product, signInAs }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/login')
    await expect(blobs(page)).toHaveCount(4)
    expect(await moving(page)).toBe(0)
    await signInAs(await product.player({ games: { Portal: 60 } }), '/my_games')
    await expect(page.getByRole('article')).toBeVisible()
    await expect.poll(() => moving(page)).toBe(0)
  })
})

test("LOST-1, LANG-5, ROUTE-1: any other path shows '404', 'Page Not Found', a hint, and a 'Go to Dashboard' link to /dashboard", async ({
  page,
  product,
  signInAs,
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

  await signInAs(await product.player(), '/nothing')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('LOOK-16, LOOK-19: the first Tab skips the sidebar', async ({ page, product, signInAs }) => {
  await signInAs(await product.player({ games: { Portal: 60 } }), '/my_games')
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

test('PAGE-15: every page links back to Steam', async ({ page, product, signInAs }) => {
  const link = page.getByRole('link', { name: 'Powered by Steam' })
  await page.goto('/login')
  await expect(link).toHaveAttribute('href', 'https://store.steampowered.com')
  await signInAs(await product.player(), '/my_games')
  await expect(link).toHaveAttribute('href', 'https://store.steampowered.com')
})
