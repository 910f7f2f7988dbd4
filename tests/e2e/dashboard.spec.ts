/** SPEC.md 2 'Dashboard', 4, 5, 8 and 9: the nine cards and the group creation wizard in the browser. */
import type { Locator, Page } from '@playwright/test'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import sharp from 'sharp'
import { type Product, type TestPlayer } from '../support/product.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support.ts'

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const rows = (region: Locator) => region.getByRole('listitem')
/** The Compare Games card's parts. */
const compare = (page: Page) => {
  const region = card(page, 'Compare Games')
  return {
    region,
    search: region.getByRole('combobox', { name: 'Friend' }),
    option: (name: string) => region.getByRole('option', { name }),
    options: region.getByRole('option'),
    button: region.getByRole('button', { name: 'Compare', exact: true }),
  }
}
/** The group creation wizard's parts. */
const wizard = (page: Page) => {
  const region = card(page, 'Groups')
  return {
    region,
    open: region.getByRole('button', { name: 'Create group', exact: true }),
    step: (number: number) => region.getByRole('group', { name: `Step ${number} of 3` }),
    any: region.getByRole('group', { name: /^Step/ }),
    name: region.getByRole('textbox', { name: 'Group name' }),
    create: region.getByRole('button', { name: 'Create', exact: true }),
    friend: (name: string) => region.getByRole('button', { name, exact: true }),
    addMembers: region.getByRole('button', { name: 'Add Members' }),
    url: region.getByRole('textbox', { name: 'Picture address' }),
    setPicture: region.getByRole('button', { name: 'Set Picture' }),
    skip: region.getByRole('button', { name: 'Skip' }),
    cross: region.getByRole('button', { name: 'Cancel' }),
  }
}
const common = (page: Page) => {
  const region = card(page, 'Top Common Games')
  return {
    region,
    group: region.getByRole('heading', { level: 3 }),
    games: region.getByRole('list', { name: 'Common Games' }).getByRole('button'),
    previous: region.getByRole('button', { name: 'Previous group' }),
    next: region.getByRole('button', { name: 'Next group' }),
  }
}

/** Opens the dashboard and waits until nothing of it is loading any more. */
async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await expectLoaded(page)
}

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByText('What can we all play tonight?')).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

/** The names of things in rows, in the order they are shown. */
const namesIn = (region: Locator) => rows(region).locator('bdi').allTextContents()

const groupsOf = async (player: TestPlayer) =>
  (await player.call(groupsContract.list, { steamId: player.steam_id })).groups

/** Holds every answer at an address back until told. */
async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** The calls made from now on whose path ends like this, as method and path. */
function callsTo(page: Page, ending: string): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith(ending)) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

/** The address of a picture that was uploaded here, so that nothing is fetched from the web. */
async function uploadedPicture(product: Product, owner: TestPlayer): Promise<string> {
  const { group_id } = await product.group({ owner, name: 'Owner of a picture' })
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('picture', new Blob([bytes], { type: 'image/png' }), 'teal.png')
  const answer = await owner.request(`/api/groups/${group_id}/picture`, { method: 'POST', body: form })
  return `${product.url}${((await answer.json()) as { picture_url: string }).picture_url}`
}

/** Somebody with games, two friends with libraries, and a group of all three. */
async function crew(product: Product) {
  const ada = await product.player({ name: 'Ada', games: { Portal: 600, Dota: 60, Rust: 90 } })
  const bob = await product.player({ name: 'Bob', games: { Portal: 300, Dota: 30 } })
  const me = await product.player({
    name: 'Mira',
    games: { Portal: 1200, Dota: 120, Chess: 6 },
    friends: [ada, bob],
  })
  const group = await product.group({ owner: me, members: [ada, bob], name: 'Friday night crew' })
  return { me, ada, bob, group }
}

test.describe('SPEC 2: Dashboard', () => {
  test("SPEC 2: '/' and /dashboard show the dashboard with all of its nine cards", async ({
    page,
    product,
    signedIn,
  }) => {
    test.slow()
    const { me } = await crew(product)
    await signedIn(me)
    for (const path of ['/', '/dashboard']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      await expectLoaded(page)
      expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        'Top Common Games',
        'My Top Games',
        'Groups',
        'Friends',
        'Recent Activity',
        'Top 5 Games by Playtime',
        'Total Playtime',
        'Compare Games',
        "Friends' Top Games",
      ])
    }
    await expect(page).toHaveTitle('Dashboard · Shelfmates')
    await expectAccessible(page)
  })

  test("SPEC 2: the loading text is 'Loading your dashboard...'", async ({ page, product, signedIn }) => {
    const { me } = await crew(product)
    await signedIn(me)
    const release = await hold(page, '**/api/**')
    await page.goto('/dashboard')
    await expect(page.getByText('Loading your dashboard...', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    release()
    await expectLoaded(page)
    await expect(page.getByText('Loading your dashboard...')).toHaveCount(0)
  })

  test('UI: the dashboard asks for everything it needs at once', async ({ page, product, signedIn }) => {
    const { me, group } = await crew(product)
    await signedIn(me)
    // Nothing is answered before all of a round are asked: asked one after the other they would wait for ever.
    const asksTogether = async (paths: string[]) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waited = new Set(paths)
      for (const path of paths)
        await page.route(`**${path}`, async (route) => {
          waited.delete(path)
          if (waited.size === 0) resolve()
          await promise
          await route.continue()
        })
    }
    const mine = (path: string) => `/api/users/${me.steam_id}/${path}`
    await asksTogether([
      mine('games'),
      mine('friends_cached'),
      mine('groups'),
      mine('friends_top_games'),
      mine('total_playtime'),
      mine('activity'),
      mine('sync_status'),
    ])
    await asksTogether([
      `/api/groups/${group.group_id}/shared_games`,
      `/api/groups/${group.group_id}/members`,
    ])
    await openDashboard(page)
    await expect(common(page).games).toHaveCount(2)
  })

  test('SPEC 2: My Top Games shows 3 games by playtime with image, name and hours, and leads to /my_games', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Never: 0, Portal: 90, 'Counter-Strike': 72_305, Dota: 89 } })
    await signedIn(me)
    await openDashboard(page)
    const top = card(page, 'My Top Games')
    expect(await namesIn(top)).toEqual(['Counter-Strike', 'Portal', 'Dota'])
    await expect(rows(top)).toContainText(['1205h played', '2h played', '1h played'])
    await expect(rows(top).locator('img')).toHaveCount(3)
    await top.getByRole('link', { name: 'View All Games' }).click()
    await expect(page).toHaveURL('/my_games')
  })

  test('SPEC 2: Friends shows the first 5, each with avatar and display name, and leads to /friends', async ({
    page,
    product,
    signedIn,
  }) => {
    const friends: TestPlayer[] = []
    for (const name of ['Ada', 'Bob', 'Cal', 'Dee', 'Eve', 'Fay'])
      friends.push(await product.player({ name, synced: false }))
    const me = await product.player({ friends })
    await signedIn(me)
    await openDashboard(page)
    const region = card(page, 'Friends')
    expect(await namesIn(region)).toEqual(['Ada', 'Bob', 'Cal', 'Dee', 'Eve'])
    const { friends: listed } = await me.call(friendsContract.friendsCached, { steamId: me.steam_id })
    const shown = await rows(region)
      .locator('img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src')))
    expect(shown).toEqual(listed.slice(0, 5).map((friend) => friend.avatar_url))
    await region.getByRole('link', { name: 'View All Friends' }).click()
    await expect(page).toHaveURL('/friends')
  })

  test("SPEC 2: a friend without a name is shown by the id, and without a picture by the product's logo", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/)
    const friend = await product.player({ name: 'Nameless' })
    const me = await product.player({ friends: [friend] })
    const stored = await me.call(friendsContract.friendsCached, { steamId: me.steam_id })
    await signedIn(me)
    await page.route('**/friends_cached', (route) =>
      route.fulfill({
        json: {
          ...stored,
          friends: [
            { ...stored.friends[0]!, display_name: null, avatar_url: null },
            {
              ...stored.friends[0]!,
              steam_id: '76561197960265999',
              display_name: 'Lost',
              avatar_url: '/lost.png',
            },
          ],
        },
      }),
    )
    await page.route('**/lost.png', (route) => route.fulfill({ status: 404 }))
    await openDashboard(page)
    expect(await namesIn(card(page, 'Friends'))).toEqual([friend.steam_id, 'Lost'])
    for (const row of await rows(card(page, 'Friends')).all())
      await expect(row.locator('img')).toHaveAttribute('src', '/logo.svg')
  })

  test('SPEC 2: Groups shows the top 3, each with its member count and a link to /groups/{group_id}; a button leads to /groups', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player()
    const me = await product.player({ friends: [ada] })
    for (const name of ['Small', 'Also small', 'Third']) await product.group({ owner: me, name })
    const big = await product.group({ owner: me, members: [ada], name: 'Big' })
    await signedIn(me)
    await openDashboard(page)
    const region = card(page, 'Groups')
    await expect(rows(region)).toHaveCount(3)
    await expect(rows(region).first()).toHaveText(/Big2 members$/)
    await rows(region).first().getByRole('link').click()
    await expect(page).toHaveURL(`/groups/${big.group_id}`)
    await page.goBack()
    await region.getByRole('link', { name: 'View All Groups' }).click()
    await expect(page).toHaveURL('/groups')
  })

  test('SPEC 2: a group without a member count shows none', async ({ page, product, signedIn }) => {
    const { me } = await crew(product)
    const list = await groupsOf(me)
    await signedIn(me)
    await page.route(`**/api/users/${me.steam_id}/groups`, (route) =>
      route.fulfill({ json: { groups: list.map((group) => ({ ...group, member_count: undefined })) } }),
    )
    await openDashboard(page)
    await expect(rows(card(page, 'Groups'))).toHaveText([/Friday night crew$/])
    await expect(page.getByRole('main')).not.toContainText(/members|undefined|NaN/)
  })

  test('SPEC 7: games, cached friends and groups may be answered as a list, or as an object that holds it', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    const forms = {
      games: (await me.call(libraryContract.games, { steamId: me.steam_id })).games,
      friends_cached: (await me.call(friendsContract.friendsCached, { steamId: me.steam_id })).friends,
      groups: await groupsOf(me),
    }
    await signedIn(me)
    for (const held of [false, true]) {
      for (const [call, list] of Object.entries(forms))
        await page.route(`**/api/users/${me.steam_id}/${call}`, (route) =>
          route.fulfill({ json: held ? { [call.split('_')[0]!]: list } : list }),
        )
      await openDashboard(page)
      expect(await namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
      expect(await namesIn(card(page, 'Friends'))).toEqual(['Ada', 'Bob'])
      expect(await namesIn(card(page, 'Groups'))).toEqual(['Friday night crew'])
      await expect(common(page).group).toHaveText('Friday night crew')
      await page.unrouteAll()
    }
  })

  test('SPEC 9: Top 5 Games by Playtime is a bar chart of hours per game, names cut at 12 characters plus an ellipsis', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({
      games: {
        'Counter-Strike': 6000,
        'Twelve chars': 3000,
        '👨‍👩‍👧‍👦 family game night': 1470,
        Portal: 90,
        Chess: 29,
        Sixth: 28,
      },
    })
    await signedIn(me)
    await openDashboard(page)
    const bars = rows(card(page, 'Top 5 Games by Playtime'))
    await expect(bars).toHaveText([
      'Counter-Stri…100h',
      'Twelve chars50h',
      '👨‍👩‍👧‍👦 family gam…25h',
      'Portal2h',
      'Chess0h',
    ])
    const widths = await bars
      .locator('.chart-bar')
      .evaluateAll((all) => all.map((bar) => (bar as HTMLElement).offsetWidth))
    expect(widths[0]! / widths[1]!).toBeCloseTo(2, 1)
    expect(widths[0]! / widths[2]!).toBeCloseTo(4, 1)
    expect(Math.min(...widths)).toBeGreaterThan(0)
  })

  for (const [minutes, hours, share] of [
    [30_000, 500, 0.5],
    [60_000, 1000, 1],
    [360_360, 6006, 1],
  ] as const)
    test(`SPEC 9: the gauge of Total Playtime ends at 1000 hours, with the real figure beside it: ${hours} hours`, async ({
      page,
      product,
      signedIn,
    }) => {
      const me = await product.player({ games: { Portal: minutes - 60, Dota: 60 } })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await signedIn(me)
      await openDashboard(page)
      const gauge = card(page, 'Total Playtime').getByRole('meter', { name: 'Total Playtime' })
      await expect(gauge.getByText(`${hours}h`, { exact: true })).toBeVisible()
      await expect(gauge).toHaveAttribute('aria-valuemax', '1000')
      await expect(gauge).toHaveAttribute('aria-valuenow', String(Math.min(hours, 1000)))
      await expect(gauge).toHaveAttribute('aria-valuetext', `${hours} hours played`)
      // The arc of a full gauge is turned back by what is missing of it.
      const degrees = await gauge.locator('.gauge-arc').evaluate((arc) => {
        const { a, b } = new DOMMatrix(getComputedStyle(arc).transform)
        return (Math.atan2(b, a) * 180) / Math.PI
      })
      expect(Math.abs(degrees)).toBeCloseTo((1 - share) * 180, 1)
    })

  test("SPEC 9: Friends' Top Games shows 2 of the games friends played most, and never appid 431960", async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ games: { '431960': 90_000, Portal: 600, Dota: 60, Rust: 30 } })
    const bob = await product.player({ games: { '431960': 90_000, Dota: 600 } })
    const me = await product.player({ games: { '431960': 100 }, friends: [ada, bob] })
    await signedIn(me)
    await openDashboard(page)
    const region = card(page, "Friends' Top Games")
    await expect(rows(region)).toHaveText([/Dota.*11h$/, /Portal.*10h$/])
    await expect(rows(region).locator('img')).toHaveCount(2)

    // The page leaves it out as well, whatever it is answered.
    const top = await me.call(friendsContract.topGames, { steamId: me.steam_id })
    await page.route('**/friends_top_games', (route) =>
      route.fulfill({ json: [{ ...top[0]!, appid: 431_960, name: 'Left out' }, ...top.slice(1)] }),
    )
    await openDashboard(page)
    await expect(rows(region)).toHaveText([/Portal/, /Rust/])
    await page.unrouteAll()
    await page.route('**/friends_top_games', (route) =>
      route.fulfill({ json: [{ ...top[0]!, appid: 431_960, name: 'Left out' }] }),
    )
    await openDashboard(page)
    await expect(rows(region)).toHaveCount(0)
    await expect(region).toContainText('Nothing yet')
  })

  test("SPEC 4: Recent Activity says of up to 2 groups that they synced recently and of 1 friend that they played a new game, else 'No recent activity.'", async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
    const me = await product.player({ games: { Portal: 60 }, friends: [ada] })
    await signedIn(me)
    await openDashboard(page)
    const region = card(page, 'Recent Activity')
    await expect(region.getByText('No recent activity.', { exact: true })).toBeVisible()

    for (const name of ['One', 'Two', 'Three']) await product.group({ owner: me, members: [ada], name })
    product.simulator.setGames(
      ada.steam_id,
      ['Portal', 'Brand New', 'Newer Still'].map((game) => ({
        appid: product.appidOf(game),
        minutes: 90,
        recentMinutes: 90,
        lastPlayed: 1_700_000_000,
      })),
    )
    await me.call(groupsContract.syncGames, {}, { steam_ids: [me.steam_id, ada.steam_id] })
    await openDashboard(page)
    await expect(rows(region)).toHaveCount(3)
    await expect(rows(region).filter({ hasText: /^(One|Two|Three) synced recently/ })).toHaveCount(2)
    await expect(
      rows(region).filter({ hasText: /^Ada played a new game: (Brand New|Newer Still)/ }),
    ).toHaveCount(1)
    await expectAccessible(page)
    await rows(region).last().getByRole('link', { name: 'Ada' }).click()
    await expect(page).toHaveURL(`/friends/${ada.steam_id}/games`)
  })
})

test.describe('SPEC 2: Compare Games', () => {
  test('SPEC 2: a search filters friends by display name, or id when there is no name, by any part in any case', async ({
    page,
    product,
    signedIn,
  }) => {
    const ada = await product.player({ name: 'Ada Lovelace' })
    const bob = await product.player({ name: 'lovely Bob' })
    const nameless = await product.player({ name: '' })
    const me = await product.player({ friends: [ada, bob, nameless] })
    await signedIn(me)
    await openDashboard(page)
    const { region, search, options, option } = compare(page)
    await search.click()
    await expect(options).toHaveCount(3)
    await search.fill('LOVE')
    await expect(options).toHaveText(['Ada Lovelace', 'lovely Bob'])
    await expectAccessible(page)
    await search.fill(nameless.steam_id.slice(4, 16))
    await expect(options).toHaveText([nameless.steam_id])
    await search.fill('nobody of this name')
    await expect(options).toHaveCount(0)
    await expect(region.getByText('No friends found', { exact: true })).toBeVisible()
    await search.fill('bob')
    await option('lovely Bob').click()
    await expect(search).toHaveValue('lovely Bob')
  })

  test("SPEC 2: the compare button is disabled until a friend is chosen and while comparing, when it reads 'Comparing...'", async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, search, option, button } = compare(page)
    await expect(button).toBeDisabled()
    await search.fill('ada')
    await expect(button).toBeDisabled()
    await option('Ada').click()
    await expect(button).toBeEnabled()

    const release = await hold(page, '**/api/compare/**')
    await button.click()
    await expect(region.getByRole('button', { name: 'Comparing...' })).toBeDisabled()
    release()
    await expect(button).toBeEnabled()
    await expect(rows(region)).toHaveText([
      /Portal.*You: 20h \| Friend: 10h$/,
      /Dota.*You: 2h \| Friend: 1h$/,
    ])
    await expectAccessible(page)
  })

  test('SPEC 2: the result list shows 8 rows; if there are more, a View All link goes to /friends/{friendId}/games', async ({
    page,
    product,
    signedIn,
  }) => {
    const games = Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`Game ${nth}`, 6000 - 60 * nth]))
    const nine = await product.player({ name: 'Nine', games })
    const { 'Game 8': _, ...fewer } = games
    const eight = await product.player({ name: 'Eight', games: fewer })
    const me = await product.player({ games, friends: [nine, eight] })
    await signedIn(me)
    await openDashboard(page)
    const { region, search, option, button } = compare(page)
    const viewAll = region.getByRole('link', { name: 'View All' })
    await search.fill('eight')
    await option('Eight').click()
    await button.click()
    await expect(rows(region)).toHaveCount(8)
    await expect(viewAll).toHaveCount(0)

    await search.fill('nine')
    await option('Nine').click()
    await button.click()
    await expect(viewAll).toBeVisible()
    expect(await namesIn(region)).toEqual(Array.from({ length: 8 }, (_, nth) => `Game ${nth}`))
    await viewAll.click()
    await expect(page).toHaveURL(`/friends/${nine.steam_id}/games`)
  })

  test("SPEC 2: without a game in common the text is 'No games in common.'", async ({
    page,
    product,
    signedIn,
  }) => {
    const stranger = await product.player({ name: 'Other Shelf', games: { Rust: 60 } })
    const me = await product.player({ games: { Portal: 60 }, friends: [stranger] })
    await signedIn(me)
    await openDashboard(page)
    const { region, search, option, button } = compare(page)
    await search.click()
    await option('Other Shelf').click()
    await button.click()
    await expect(region.getByText('No games in common.', { exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test('UI: rows are never those of somebody else: an answer that comes after another friend was chosen is not shown', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me, ada } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, search, option, button } = compare(page)
    const release = await hold(page, `**/api/compare/${me.steam_id}/${ada.steam_id}`)
    await search.fill('ada')
    await option('Ada').click()
    await button.click()
    await expect(region.getByRole('button', { name: 'Comparing...' })).toBeVisible()

    const given = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/compare/'))
    await search.fill('bob')
    await option('Bob').click()
    await expect(button).toBeEnabled()
    // What nobody waits for any more is given up, so that it cannot come late either.
    expect((await given).url()).toContain(ada.steam_id)
    release()
    await expect(rows(region)).toHaveCount(0)
    await button.click()
    await expect(rows(region).first()).toContainText('You: 20h | Friend: 5h')

    // And going back to the first one shows nothing before it is asked for.
    await search.fill('ada')
    await option('Ada').click()
    await expect(rows(region)).toHaveCount(0)
    await button.click()
    await expect(rows(region).first()).toContainText('You: 20h | Friend: 10h')
  })

  test('SPEC 8: a failed comparison is an empty list, and can be tried again', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, search, option, button } = compare(page)
    await page.route('**/api/compare/**', (route) => route.fulfill({ status: 500, json: {} }))
    await search.fill('ada')
    await option('Ada').click()
    await button.click()
    await expect(region.getByText('No games in common.', { exact: true })).toBeVisible()
    await expect(button).toBeEnabled()
    await expectAccessible(page)
    await page.unrouteAll()
    await button.click()
    await expect(rows(region).first()).toContainText('You: 20h | Friend: 10h')
  })

  test('UI: comparing works with the keyboard alone, and a double click compares once', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me, bob } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, search, options, button } = compare(page)
    await search.focus()
    await page.keyboard.type('b')
    await expect(options).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(search).toHaveValue('Bob')
    await expect(options).toHaveCount(0)
    await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(rows(region).first()).toContainText('You: 20h | Friend: 5h')
    await expect(button).toBeFocused()

    const calls = callsTo(page, `/api/compare/${me.steam_id}/${bob.steam_id}`)
    const release = await hold(page, '**/api/compare/**')
    await button.dblclick()
    await expect(region.getByRole('button', { name: 'Comparing...' })).toBeVisible()
    release()
    await expect(button).toBeEnabled()
    expect(calls).toHaveLength(1)

    await search.focus()
    await page.keyboard.press('ArrowDown')
    await expect(options).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(options).toHaveCount(0)
  })

  test('SPEC 7: the comparison shown is what the server answers', async ({ page, product, signedIn }) => {
    const { me, ada } = await crew(product)
    const entries = await me.call(comparisonContract.compare, {
      mySteamId: me.steam_id,
      friendSteamId: ada.steam_id,
    })
    await signedIn(me)
    await openDashboard(page)
    const { region, search, option, button } = compare(page)
    await search.fill('ada')
    await option('Ada').click()
    await button.click()
    await expect(rows(region)).toHaveCount(entries.length)
    expect(await namesIn(region)).toEqual(entries.map((entry) => entry.name))
  })
})

test.describe('SPEC 4: Dashboard group creation wizard', () => {
  test('SPEC 4: the wizard creates a group in three steps: name, members, picture', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me, ada, bob } = await crew(product)
    const picture = await uploadedPicture(product, me)
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, any, name, create, friend, addMembers, url, setPicture } = wizard(page)
    await open.click()
    await expect(step(1)).toBeVisible()
    await expect(name).toBeFocused()
    await expectAccessible(page)
    await name.fill('  Weekend "raid"  ')
    await create.click()

    await expect(region.getByText('Group "Weekend "raid"" created!', { exact: true })).toBeVisible()
    await expect(step(2)).toBeVisible()
    await expect(addMembers).toBeDisabled()
    await friend('Ada').click()
    await expect(addMembers).toBeEnabled()
    await friend('Ada').click()
    await expect(addMembers).toBeDisabled()
    await friend('Ada').click()
    await friend('Bob').click()
    await expectAccessible(page)
    await addMembers.click()

    await expect(step(3)).toBeVisible()
    await expectAccessible(page)
    await expect(rows(region).filter({ hasText: 'Weekend' })).toContainText('3 members')
    const [created] = (await groupsOf(me)).filter((group) => group.name === 'Weekend "raid"')
    const members = await me.call(groupsContract.members, { id: created!.group_id })
    expect(members.map((member) => member.steam_id).sort()).toEqual(
      [me, ada, bob].map((person) => person.steam_id).sort(),
    )

    await url.fill(picture)
    await setPicture.click()
    await expect(region.getByText('Picture updated!', { exact: true })).toBeVisible()
    await expect(any).toHaveCount(0)
    await expect(open).toBeFocused()
    // The list was loaded again: the group is in it with its picture.
    await expect(rows(region).filter({ hasText: 'Weekend' }).locator('img')).toHaveAttribute(
      'src',
      /^\/media\//,
    )
    await expectAccessible(page)
  })

  for (const [leave, at] of [
    ['skip', 'members'],
    ['cross', 'picture'],
  ] as const)
    test(`SPEC 4: the ${leave} at the ${at} step closes and resets everything, and + opens at the name step with nothing in it`, async ({
      page,
      product,
      signedIn,
    }) => {
      const { me } = await crew(product)
      await signedIn(me)
      await openDashboard(page)
      const parts = wizard(page)
      await parts.open.click()
      await parts.name.fill('Left early')
      await parts.create.click()
      await parts.friend('Ada').click()
      if (at === 'picture') {
        await parts.addMembers.click()
        await parts.url.fill('https://example.org/never-sent.png')
      }
      const changes = callsTo(page, '/picture')
      await parts[leave].click()
      await expect(parts.any).toHaveCount(0)
      await expect(parts.region.getByText(/created!|updated!/)).toHaveCount(0)
      await expect(parts.open).toBeFocused()

      await parts.open.click()
      await expect(parts.step(1)).toBeVisible()
      await expect(parts.name).toHaveValue('')
      await parts.name.fill('Second')
      await parts.create.click()
      // Nobody is chosen, and nothing of the picture is left.
      await expect(parts.addMembers).toBeDisabled()
      await expect(parts.friend('Ada')).toHaveAttribute('aria-pressed', 'false')
      await parts.friend('Bob').click()
      await parts.addMembers.click()
      await expect(parts.url).toHaveValue('')
      expect(changes).toEqual([])
    })

  test('SPEC 4: + clears any earlier state, also of a wizard that is open', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { open, step, name, create, cross, any, region } = wizard(page)
    await open.click()
    await name.fill('Half a na')
    await open.click()
    await expect(name).toHaveValue('')
    await expect(name).toBeFocused()
    await name.fill('Whole')
    await create.click()
    await expect(step(2)).toBeVisible()
    await open.click()
    await expect(step(1)).toBeVisible()
    await expect(region.getByText(/created!/)).toHaveCount(0)
    await cross.click()
    await expect(any).toHaveCount(0)
  })

  test('SPEC 5: the name is required at browser level: an empty form is not sent', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { open, step, name, create } = wizard(page)
    const calls = callsTo(page, '/api/groups')
    await open.click()
    await create.click()
    await expect(name).toHaveAttribute('required', '')
    expect(await name.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
    await expect(name).toBeFocused()
    await expect(step(1)).toBeVisible()
    expect(calls).toEqual([])
  })

  test("SPEC 8: a name that is not taken shows the server's error text, and the next one works", async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 400/, /net::ERR_FAILED/, /status of 500/)
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, name, create } = wizard(page)
    const problem = region.getByRole('alert').filter({ hasText: /./ })
    await open.click()
    await name.fill('   ')
    await create.click()
    await expect(problem).toHaveText('Group name required.')
    await expectAccessible(page)
    await name.fill('x'.repeat(101))
    await create.click()
    await expect(problem).toContainText('100')
    // Without a text of the server, and without an answer.
    await page.route('**/api/groups', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await create.click()
    await expect(problem).toHaveText('Failed to create group.')
    await page.route('**/api/groups', (route) => route.abort(), { times: 1 })
    await create.click()
    await expect(problem).toHaveText('Network error.')
    await name.fill('Fits')
    await create.click()
    await expect(step(2)).toBeVisible()
    await expect(problem).toHaveCount(0)
  })

  test('SPEC 8: errors of Add Members are ignored: the picture step comes whatever the result', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 403/)
    const { me, ada } = await crew(product)
    // One who is no friend any more, and in no group with me, may not be added.
    const gone = await product.player({ name: 'Gone' })
    product.simulator.befriend(me.steam_id, gone.steam_id)
    await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, name, create, friend, addMembers } = wizard(page)
    await open.click()
    await name.fill('Refused')
    await create.click()
    await friend('Gone').click()
    await friend('Ada').click()
    product.simulator.unfriend(me.steam_id, gone.steam_id)
    await me.call(friendsContract.syncFriends, { steamId: me.steam_id })
    const answered = page.waitForResponse((response) => response.url().endsWith('/members'))
    await addMembers.click()
    expect((await answered).status()).toBe(403)
    await expect(step(3)).toBeVisible()
    await expect(region.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
    const [created] = (await groupsOf(me)).filter((group) => group.name === 'Refused')
    const members = await me.call(groupsContract.members, { id: created!.group_id })
    expect(members.map((member) => member.steam_id)).not.toContain(ada.steam_id)
  })

  test('SPEC 5: the picture step does nothing without a picture URL; a refused one is said and can be mended', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 400/)
    const { me } = await crew(product)
    const picture = await uploadedPicture(product, me)
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, name, create, friend, addMembers, url, setPicture } = wizard(page)
    await open.click()
    await name.fill('Pictured')
    await create.click()
    await friend('Ada').click()
    await addMembers.click()
    const calls = callsTo(page, '/picture')
    await expect(step(3)).toBeVisible()
    await setPicture.click()
    await url.fill('   ')
    await setPicture.click()
    await expect(step(3)).toBeVisible()
    expect(calls).toEqual([])
    await url.fill('no address')
    await setPicture.click()
    await expect(region.getByRole('alert').filter({ hasText: 'Failed to update picture.' })).toBeVisible()
    await expectAccessible(page)
    await url.fill(picture)
    await setPicture.click()
    await expect(region.getByText('Picture updated!', { exact: true })).toBeVisible()
  })

  test('SPEC 4: double clicks create one group, add members once and set one picture', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    const picture = await uploadedPicture(product, me)
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, name, create, friend, addMembers, url, setPicture } = wizard(page)
    const created = callsTo(page, '/api/groups')
    const added = callsTo(page, '/members')
    const set = callsTo(page, '/picture')
    const held = await Promise.all(
      ['**/api/groups', '**/api/groups/*/members', '**/api/groups/*/picture'].map((path) => hold(page, path)),
    )
    await open.dblclick()
    await expect(step(1)).toBeVisible()
    await name.fill('Once')
    await create.dblclick()
    held[0]!()
    await expect(step(2)).toBeVisible()
    await friend('Ada').click()
    await addMembers.dblclick()
    held[1]!()
    await expect(step(3)).toBeVisible()
    await url.fill(picture)
    await setPicture.dblclick()
    held[2]!()
    await expect(region.getByText('Picture updated!', { exact: true })).toBeVisible()
    const posts = (calls: string[]) => calls.filter((call) => call.startsWith('POST')).length
    expect([posts(created), posts(added), posts(set)]).toEqual([1, 1, 1])
    expect((await groupsOf(me)).filter((group) => group.name === 'Once')).toHaveLength(1)
  })

  test('UI: an answer that comes after the wizard was closed opens nothing', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, open, any, name, create, cross } = wizard(page)
    const release = await hold(page, '**/api/groups')
    await open.click()
    await name.fill('Late')
    await create.click()
    await expect(region.getByRole('button', { name: 'Creating...' })).toBeDisabled()
    await cross.click()
    release()
    // The group is made all the same, and the list has it.
    await expect(rows(region).filter({ hasText: 'Late' })).toBeVisible()
    await expect(any).toHaveCount(0)
    await expect(region.getByText(/created!/)).toHaveCount(0)
  })

  test('UI: the wizard works with the keyboard alone, and Escape closes it', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me } = await crew(product)
    const picture = await uploadedPicture(product, me)
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, any, name, friend, addMembers, url } = wizard(page)
    const tabTo = async (target: Locator) => {
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab')
        if (await target.evaluate((element) => element === document.activeElement)) break
      }
      await expect(target).toBeFocused()
    }
    await open.focus()
    await page.keyboard.press('Enter')
    await expect(name).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(any).toHaveCount(0)
    await expect(open).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(name).toBeFocused()
    await page.keyboard.type('By keys')
    await page.keyboard.press('Enter')
    await expect(step(2)).toBeVisible()
    await tabTo(friend('Bob'))
    await page.keyboard.press('Space')
    await expect(friend('Bob')).toHaveAttribute('aria-pressed', 'true')
    await tabTo(addMembers)
    await page.keyboard.press('Enter')
    await expect(url).toBeFocused()
    await page.keyboard.insertText(picture)
    await page.keyboard.press('Enter')
    await expect(region.getByText('Picture updated!', { exact: true })).toBeVisible()
    await expect(open).toBeFocused()
  })

  test('UI: who has no friends yet can skip the members, and is told how to get some', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player()
    await signedIn(me)
    await openDashboard(page)
    const { region, open, step, name, create, addMembers, skip } = wizard(page)
    await open.click()
    await name.fill('Alone')
    await create.click()
    await expect(step(2)).toContainText('There is nobody to add yet')
    await expect(addMembers).toBeDisabled()
    await expect(skip).toBeFocused()
    await expectAccessible(page)
    await skip.click()
    await expect(rows(region)).toContainText(['Alone'])
  })
})

test.describe('SPEC 4: group sort options', () => {
  test('SPEC 4: size (the default), newest, oldest, alpha; the card shows the top 3 of each', async ({
    page,
    product,
    signedIn,
  }) => {
    const [ada, bob] = [await product.player({ name: 'Ada' }), await product.player({ name: 'Bob' })]
    const me = await product.player({ friends: [ada, bob] })
    await product.group({ owner: me, members: [ada], name: 'Delta' })
    await product.group({ owner: me, name: 'bravo' })
    await product.group({ owner: me, members: [ada, bob], name: 'Charlie' })
    await product.group({ owner: me, name: 'Alpha' })
    await signedIn(me)
    await openDashboard(page)
    const region = card(page, 'Groups')
    const sort = region.getByRole('combobox', { name: 'Sort groups' })
    expect(await sort.getByRole('option').allTextContents()).toEqual([
      'By Size',
      'Newest First',
      'Oldest First',
      'A-Z',
    ])
    await expect(sort).toHaveValue('size')
    expect(await namesIn(region)).toEqual(['Charlie', 'Delta', 'Alpha'])
    for (const [option, expected] of [
      ['Newest First', ['Alpha', 'Charlie', 'bravo']],
      ['Oldest First', ['Delta', 'bravo', 'Charlie']],
      ['A-Z', ['Alpha', 'bravo', 'Charlie']],
      ['By Size', ['Charlie', 'Delta', 'Alpha']],
    ] as const) {
      await sort.selectOption(option)
      expect(await namesIn(region)).toEqual(expected)
    }
    // By keys: the browser's own select takes them.
    await sort.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => namesIn(region)).toEqual(['Alpha', 'Charlie', 'bravo'])
  })
})

test.describe('SPEC 4: Top common games', () => {
  test('SPEC 4: the arrows wrap around, and View Group Details goes to /groups/{group_id} of the group shown', async ({
    page,
    product,
    signedIn,
  }) => {
    const { me, ada, group } = await crew(product)
    await product.group({ owner: me, members: [ada], name: 'Second' })
    await product.group({ owner: me, name: 'Third' })
    await signedIn(me)
    await openDashboard(page)
    const { region, group: shown, next, previous, games } = common(page)
    await expect(shown).toHaveText('Third')
    for (const [arrow, name] of [
      [next, 'Second'],
      [next, 'Friday night crew'],
      [next, 'Third'],
      [previous, 'Friday night crew'],
      [previous, 'Second'],
    ] as const) {
      await arrow.click()
      await expect(shown).toHaveText(name)
    }
    await expect(games).toHaveText([/Portal.*30h$/, /Dota.*3h$/])
    await next.focus()
    await page.keyboard.press('Enter')
    await expect(shown).toHaveText('Friday night crew')
    await expect(next).toBeFocused()
    await expect(games).toHaveText([/Portal.*35h$/, /Dota.*4h$/])
    await expectAccessible(page)
    await region.getByRole('link', { name: 'View Group Details' }).click()
    await expect(page).toHaveURL(`/groups/${group.group_id}`)
  })

  test('SPEC 4: the arrows are disabled with one group or none', async ({ page, product, signedIn }) => {
    const me = await product.player({ games: { Portal: 60 } })
    await signedIn(me)
    await openDashboard(page)
    const { previous, next, group } = common(page)
    await expect(previous).toBeDisabled()
    await expect(next).toBeDisabled()
    await product.group({ owner: me, name: 'Only one' })
    await openDashboard(page)
    await expect(group).toHaveText('Only one')
    await expect(previous).toBeDisabled()
    await expect(next).toBeDisabled()
    await product.group({ owner: me, name: 'Two' })
    await openDashboard(page)
    await expect(previous).toBeEnabled()
    await expect(next).toBeEnabled()
  })

  test('SPEC 4: the selected game row is highlighted', async ({ page, product, signedIn }) => {
    const { me } = await crew(product)
    await signedIn(me)
    await openDashboard(page)
    const { region, games } = common(page)
    const looks = () => games.evaluateAll((all) => all.map((row) => getComputedStyle(row).backgroundColor))
    await expect(games.first()).toHaveAttribute('aria-pressed', 'true')
    await expect(games.last()).toHaveAttribute('aria-pressed', 'false')
    const [selected, other] = await looks()
    expect(selected).not.toBe(other)

    await games.last().focus()
    await page.keyboard.press('Space')
    await expect(games.last()).toHaveAttribute('aria-pressed', 'true')
    await expect(games.first()).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(looks).toEqual([other, selected])
    const details = region.getByRole('article')
    await expect(details.getByRole('heading')).toHaveText('Dota')
    await expect(details.getByText('4h together')).toBeVisible()
    await expect(rows(details)).toHaveText([/Mira.*2h$/, /Ada.*1h$/, /Bob.*1h$/])
  })

  test('SPEC 4: the index resets to 0 if it falls outside the list', async ({ page, product, signedIn }) => {
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 } })
    const me = await product.player({ games: { Portal: 60 }, friends: [ada] })
    await ada.call(friendsContract.syncFriends, { steamId: ada.steam_id })
    const hers: number[] = []
    for (const name of ['Hers', 'Also hers']) {
      const { group_id } = await product.group({ owner: ada, members: [me], name })
      hers.push(group_id)
    }
    await product.group({ owner: me, name: 'Mine' })
    await signedIn(me)
    await openDashboard(page)
    const { group, previous } = common(page)
    await previous.click()
    await expect(group).toHaveText('Hers')
    for (const id of hers) await ada.call(groupsContract.removeMember, { id, steamId: me.steam_id })
    const { open, name, create } = wizard(page)
    await open.click()
    await name.fill('New')
    await create.click()
    await expect(group).toHaveText('New')
    await expect(rows(card(page, 'Groups'))).toHaveCount(2)
  })
})

test.describe('SPEC 8: loads that fail on the dashboard', () => {
  /** Says no to a call of this person. */
  const refuse = (page: Page, path: string) =>
    page.route(`**/api/${path}`, (route) => route.fulfill({ status: 500, json: { error: 'Broken.' } }))

  test('SPEC 8: when every load fails the lists are empty, the total playtime is 0, and the page works', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const { me } = await crew(product)
    await signedIn(me)
    await refuse(page, `users/${me.steam_id}/**`)
    await openDashboard(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(9)
    await expect(page.getByText('This could not be loaded just now.')).toHaveCount(7)
    await expect(card(page, 'Friends').getByText('No friends found.')).toBeVisible()
    await expect(card(page, 'Recent Activity').getByText('No recent activity.')).toBeVisible()
    await expect(card(page, 'Total Playtime').getByText('0h', { exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)

    await page.unrouteAll()
    await card(page, 'My Top Games').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
    await wizard(page).open.click()
    await expect(wizard(page).name).toBeFocused()
  })

  for (const [call, title, empty] of [
    ['games', 'My Top Games', 'This could not be loaded just now.'],
    ['friends_cached', 'Friends', 'No friends found.'],
    ['friends_top_games', "Friends' Top Games", 'This could not be loaded just now.'],
    ['total_playtime', 'Total Playtime', '0h'],
  ] as const)
    test(`SPEC 8: when only ${call} fails, ${title} is empty and the rest of the page stands`, async ({
      page,
      product,
      signedIn,
      expectedErrors,
    }) => {
      expectedErrors.push(/status of 500/)
      const { me } = await crew(product)
      await signedIn(me)
      await refuse(page, `users/${me.steam_id}/${call}`)
      await openDashboard(page)
      await expect(card(page, title).getByText(empty, { exact: true })).toBeVisible()
      await expect(rows(card(page, title))).toHaveCount(0)
      await expect(common(page).games).toHaveText([/Portal/, /Dota/])
      await expect(rows(card(page, 'Groups'))).toContainText(['Friday night crew'])
    })

  test('SPEC 8: failed shared games and members become empty lists', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 500/)
    const { me, ada, group } = await crew(product)
    await signedIn(me)
    await refuse(page, `groups/${group.group_id}/shared_games`)
    await openDashboard(page)
    const { region, games, group: shown } = common(page)
    await expect(shown).toHaveText('Friday night crew')
    await expect(games).toHaveCount(0)
    await expect(region.getByText('This could not be loaded just now.')).toBeVisible()
    await expect(region.getByRole('link', { name: 'View Group Details' })).toBeVisible()
    await page.unrouteAll()

    await refuse(page, `groups/${group.group_id}/members`)
    await openDashboard(page)
    await expect(games).toHaveCount(2)
    await expect(rows(region.getByRole('article'))).toContainText([me, ada].map((person) => person.steam_id))
  })
})

test.describe('UI: the dashboard in every circumstance', () => {
  test('UI: a crash in one card leaves the others standing', async ({
    page,
    product,
    signedIn,
    expectedErrors,
  }) => {
    expectedErrors.push(/TypeError/)
    const { me } = await crew(product)
    await signedIn(me)
    await page.route('**/activity', (route) => route.fulfill({ json: [null] }))
    await page.route('**/friends_top_games', (route) => route.fulfill({ json: [{ appid: 1, name: null }] }))
    await openDashboard(page)
    for (const title of ['Recent Activity', "Friends' Top Games"])
      await expect(card(page, title).getByRole('alert')).toContainText(
        'This part of the page stopped working.',
      )
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(9)
    await expectAccessible(page)
    expect(await namesIn(card(page, 'My Top Games'))).toEqual(['Portal', 'Dota', 'Chess'])
    await expect(common(page).games).toHaveCount(2)
    await wizard(page).open.click()
    await expect(wizard(page).name).toBeFocused()
  })

  test('SPEC 9: after load the bar chart moves for 1000 ms and the gauge for 1100 ms', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Portal: 600, Dota: 60 } })
    await signedIn(me)
    await page.addInitScript(() => {
      const ended: Record<string, number> = {}
      Object.assign(window, { ended })
      addEventListener('animationend', ({ animationName, elapsedTime }) => {
        ended[animationName] = Math.round(elapsedTime * 1000)
      })
    })
    await openDashboard(page)
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { ended: Record<string, number> }).ended))
      .toMatchObject({ 'chart-bar-grows': 1000, 'gauge-arc-turns': 1100 })
  })

  test('UI: with prefers-reduced-motion chart and gauge stand still at their values', async ({
    page,
    product,
    signedIn,
  }) => {
    const me = await product.player({ games: { Portal: 30_000 } })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signedIn(me)
    await openDashboard(page)
    await expect(page.locator('.chart-bar')).toHaveCSS('animation-name', 'none')
    await expect(page.locator('.gauge-arc')).toHaveCSS('animation-name', 'none')
    await expect(page.getByRole('meter')).toContainText('500h')
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  })

  test('UI: names are any text at all, and nothing scrolls sideways on a telephone', async ({
    page,
    product,
    signedIn,
  }) => {
    test.slow()
    const odd = ['W'.repeat(64), '<b>bold</b>', 'لعبة العروش', '\u202Ereversed', 'Z̷̢͎a̵l̶g̸o̴']
    const games = Object.fromEntries(
      odd.map((name, nth) => [`${name} ${'x'.repeat(90)}`, 60_000 - 600 * nth]),
    )
    const friends: TestPlayer[] = []
    for (const name of odd) friends.push(await product.player({ name, games }))
    const me = await product.player({ games, friends })
    for (const name of [odd[0]!, odd[2]!])
      await product.group({ owner: me, members: friends, name: name + 'W'.repeat(30) })
    await signedIn(me, odd[0])
    await page.setViewportSize({ width: 390, height: 844 })
    await openDashboard(page)
    const { search, options, button, region } = compare(page)
    await search.click()
    await expect(options).toHaveCount(5)
    await expectNoSidewaysScroll(page)
    // The bar with the hamburger stays above the card with the open list.
    const atTheTop = await search.evaluate((input) => {
      scrollBy(0, input.getBoundingClientRect().top - 70)
      return document.elementFromPoint(innerWidth / 2, 30)?.closest('header')?.textContent
    })
    expect(atTheTop).toBe('Shelfmates')
    await options.first().click()
    await button.click()
    await expect(rows(region)).toHaveCount(5)
    // Words on buttons stand on one line.
    expect((await button.boundingBox())!.height).toBeLessThan(50)
    const { open, step, name, create, skip } = wizard(page)
    await open.click()
    await expectNoSidewaysScroll(page)
    await name.fill('W'.repeat(100))
    await create.click()
    await expect(step(2)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    const targets = await page
      .getByRole('main')
      .locator('a, button, input, select')
      .evaluateAll((all) =>
        all
          // Links within a sentence are as tall as the sentence's lines.
          .filter((one) => one.closest('p') === null)
          .map((one) => ({ of: one.textContent, height: Math.round(one.getBoundingClientRect().height) }))
          .filter(({ height }) => height < 44),
      )
    expect(targets).toEqual([])
    await skip.click()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
  })

  for (const [who, games] of [
    ['somebody new', undefined],
    ['somebody with games, friends and a group', { Portal: 600, Dota: 60, Rust: 30 }],
  ] as const)
    test(`UI: nothing jumps while the dashboard of ${who} loads on a telephone`, async ({
      page,
      product,
      signedIn,
    }) => {
      const me = games ? (await crew(product)).me : await product.player({ synced: false })
      await signedIn(me)
      await page.setViewportSize({ width: 412, height: 823 })
      await page.addInitScript(() => {
        const moved: number[] = []
        Object.assign(window, { moved })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      // What stands there first is seen before anything of it comes.
      const release = await hold(page, '**/api/**')
      await page.goto('/dashboard')
      await expect(page.getByText('Loading your dashboard...')).toBeVisible()
      await expect(page.locator('.skeleton').first()).toBeVisible()
      release()
      await expectLoaded(page)
      const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved)
      expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.05)
    })
})
