/** API-51: the screens work with responses that have only the fields of ENT-1 to ENT-16. */
import type { Page } from '@playwright/test'
import { groupsContract } from '#shared/contract/groups.ts'
import { friday } from './group-page.ts'
import { expect, test } from './support.ts'

const person = ['steam_id', 'display_name', 'avatar_url']
const game = ['appid', 'name', 'image_url']
const group = ['group_id', 'name', 'picture_url', 'member_count', 'owner_id', 'owner_steam_id']
/** The calls of the product's specification by the end of their path, with the fields of their rows. */
const calls: [RegExp, readonly string[]][] = [
  [/\/users\/\d+\/games$/, [...game, 'id', 'playtime_minutes']],
  [/\/friends(_cached)?$/, [...person, 'personastate', 'playtime_minutes']],
  [/\/summary_local$/, ['display_name']],
  [/\/users\/\d+\/groups$/, group],
  [/\/friends_top_games$/, [...game, 'total_playtime']],
  [/\/compare\/\d+\/\d+$/, [...game, 'user_playtime', 'friend_playtime']],
  [/\/groups\/\d+$/, group],
  [/\/groups\/\d+\/members$/, [...person, 'user_id']],
  [/\/groups\/\d+\/shared_games$/, [...game, 'total_playtime', 'playtimes']],
]

function only(fields: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((row) => only(fields, row))
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => fields.includes(name)))
}

/** Leaves out every added field, also those around a list, in place of which the list itself is sent if `asList`. */
async function strip(page: Page, asList: boolean): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const fields = calls.find(([path]) => path.test(pathname))?.[1]
    if (!fields || route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const body = (await response.json()) as Record<string, unknown>
    const list = ['games', 'friends', 'groups'].find((name) => Array.isArray(body[name]))
    if (!list) return route.fulfill({ json: only(fields, body) })
    const rows = only(fields, body[list])
    return route.fulfill({ json: asList && list !== 'friends' ? rows : { [list]: rows } })
  })
}

for (const asList of [false, true])
  test(`API-51: every screen works when added fields are missing${asList ? ', and lists stand alone' : ''}`, async ({
    page,
    product,
    signInAs,
  }) => {
    const { mira, id } = await friday(product)
    const members = await mira.call(groupsContract.members, { id })
    const friend = members.find(({ steam_id }) => steam_id !== mira.steam_id)!.steam_id
    const portal = product.appidOf('Portal')
    await signInAs(mira)
    await strip(page, asList)
    for (const [path, text] of [
      ['/dashboard', 'Friday'],
      ['/my_games', 'Portal'],
      ['/my_games?mode=multi&kind=games&sort=recent', 'game'],
      ['/my_games/shelf', 'Played and never played'],
      ['/friends', 'friend'],
      [`/friends/${friend}/games`, 'Portal'],
      [`/games/1/comparison?friend=${friend}`, 'Portal'],
      [`/games/${portal}`, 'Portal'],
      [`/games/${portal}/friends`, 'Friends Who Play Portal'],
      ['/groups', 'Friday'],
      [`/groups/${id}`, 'Portal'],
      ['/account', 'Games I hide'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(text).first(), path).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expect(page.getByText('This part of the page crashed.'), path).toHaveCount(0)
    }
  })
