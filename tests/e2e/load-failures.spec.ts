/**
 * PAGE-2: a load that fails says so in red within 9 seconds, retries included, with the server's reason and
 * a way out. The screens of a kind stand side by side in tabs, so that they wait for their retries together.
 */
import type { Locator, Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { expectRed } from './friends-page.ts'
import { compare } from './group-page.ts'
import { expect, failUntilClick, region, test } from './support.ts'

type FailingLoad = {
  screen: string
  path: string
  /** The calls that fail. */
  calls: string | RegExp
  /** The red text. */
  text: string
  /** Where on the screen it is said; anywhere unless named. */
  region?: string
  /** What has to be pressed for the load to begin. */
  begin?: (page: Page) => Promise<void>
  /** What else the screen shows while its load has failed. */
  meanwhile?: (page: Page) => Promise<void>
  /** What is there when the load works again. */
  loaded: (page: Page) => Locator
}

/** A person with a game, a friend who owns it too, and a group of both. */
async function mira(product: Product) {
  const ada = await product.player({ name: 'Ada', games: { Portal: 90 } })
  const me = await product.player({ name: 'Mira', games: { Portal: 90 }, friends: [ada] })
  const { group_id } = await product.group({ owner: me, members: [ada], name: 'Friday' })
  return { me, ada, group: `/groups/${group_id}`, appid: product.appidOf('Portal') }
}
type Mira = Awaited<ReturnType<typeof mira>>

const article = (page: Page) => page.getByRole('article')
const REASON = 'The shelf fell over.'

const ofGamesAndFriends = ({ me, ada, appid }: Mira): FailingLoad[] => [
  {
    screen: 'MINE-4: My Games',
    path: '/my_games',
    calls: `**/api/users/${me.steam_id}/games`,
    text: 'Failed to fetch games',
    loaded: article,
  },
  {
    screen: "FGAM-6: Friend's Games",
    path: `/friends/${ada.steam_id}/games`,
    calls: `**/api/users/${ada.steam_id}/games`,
    text: "Failed to fetch friend's games",
    loaded: article,
  },
  {
    screen: 'DASH-33: the friends to choose from, of whom there are none then',
    path: '/friends/games',
    calls: '**/friends_cached',
    text: 'Failed to fetch friends',
    meanwhile: async (page) => {
      await page.getByPlaceholder('Search for a friend...').click()
      await expect(page.getByText('No friends found', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
    },
    loaded: (page) => page.getByRole('link', { name: 'Ada' }),
  },
  {
    screen: 'COMP-4: Game Comparison',
    path: `/games/1/comparison?friend=${ada.steam_id}`,
    calls: '**/api/compare/**',
    text: 'Failed to fetch common games.',
    loaded: article,
  },
  {
    screen: 'PLAY-3: friends who play a game',
    path: `/games/${appid}/friends`,
    calls: /\/api\/users\/\d+\/games\/\d+\/friends$/,
    text: 'Failed to fetch friends',
    loaded: (page) => page.getByRole('link', { name: 'Ada', exact: true }),
  },
]

const ofGroups = ({ me, group }: Mira): FailingLoad[] => [
  {
    screen: 'PAGE-2: Groups',
    path: '/groups',
    calls: `**/api/users/${me.steam_id}/groups`,
    text: 'Failed to fetch groups',
    loaded: (page) => page.getByRole('region', { name: 'My groups' }).getByRole('listitem'),
  },
  {
    screen: 'PAGE-2: a group',
    path: group,
    calls: `**/api${group}`,
    text: 'Failed to fetch group',
    loaded: (page) => page.getByRole('heading', { level: 1, name: 'Friday' }),
  },
  {
    screen: 'PAGE-2: the members of a group',
    path: group,
    calls: `**/api${group}/members`,
    text: 'Failed to fetch members',
    // Add Member says so too.
    region: 'Members',
    meanwhile: (page) => expect(page.getByRole('heading', { level: 1, name: 'Friday' })).toBeVisible(),
    loaded: (page) => page.getByRole('list', { name: 'Members' }).getByText('Ada'),
  },
  {
    screen: 'GPAGE-15: the common games of a group',
    path: group,
    calls: '**/shared_games',
    text: 'Failed to fetch common games.',
    begin: (page) => compare(page).click(),
    loaded: article,
  },
]

async function expectFailureAndRecovery(page: Page, load: FailingLoad): Promise<void> {
  const endWithClick = await failUntilClick(page, load.calls, (route) =>
    route.fulfill({ status: 500, json: { error: REASON, code: 'internal' } }),
  )
  // The 9 seconds begin when the call fails, which on a slow machine is long after the page was asked for.
  const failed = page.waitForResponse((response) => response.status() === 500)
  await page.goto(load.path)
  await load.begin?.(page)
  await failed
  const place = load.region === undefined ? page.getByRole('main') : region(page, load.region)
  const failure = place.getByRole('alert').filter({ hasText: load.text })
  await expect(failure).toContainText(REASON, { timeout: 9000 })
  await expectRed(place, load.text)
  await load.meanwhile?.(page)
  await expect(page).toBeAccessible()
  await endWithClick()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(load.loaded(page)).toBeVisible()
  await expect(failure).toHaveCount(0)
}

for (const [kind, loadsOf] of [
  ['games and friends', ofGamesAndFriends],
  ['groups', ofGroups],
] as const)
  test(`PAGE-2, GPAGE-15, MINE-4, FGAM-6, DASH-33, COMP-4, PLAY-3: ${kind}`, async ({
    openTab,
    product,
    signInAs,
  }) => {
    const known = await mira(product)
    await signInAs(known.me, '/privacy')
    const loads: { load: FailingLoad; tab: Page }[] = []
    for (const load of loadsOf(known)) loads.push({ load, tab: await openTab() })
    await Promise.all(
      loads.map(({ load, tab }) => test.step(load.screen, () => expectFailureAndRecovery(tab, load))),
    )
  })
