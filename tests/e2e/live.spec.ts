/** LIVE-11 to LIVE-14: pages read again what has changed, and only that; one tab of a browser has the stream. */
import type { BrowserContext, Page } from '@playwright/test'
import { startInGroup } from '../support/nights.ts'
import { api, expect, OWN_CLOCK, test } from './support.ts'

/** Within which a change must show, with the time of a slow machine to draw it. */
const SOON = { timeout: 5_000 }

/** Paths of the requests to the server that a page sends from now on. */
function requestsOf(on: Page | BrowserContext): string[] {
  const paths: string[] = []
  on.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(pathname)
  })
  return paths
}

/** Waits until a page has read everything that it shows. */
async function hasSettled(requests: readonly string[]): Promise<void> {
  let before = -1
  const more = () => {
    const sent = requests.length - before
    before = requests.length
    return sent
  }
  await expect.poll(more, { intervals: [700] }).toBe(0)
}

test('LIVE-12: open pages ask for nothing', { tag: OWN_CLOCK }, async ({ page, product, enter }) => {
  const friend = await product.player({ name: 'Ada', games: { Portal: 60 } })
  const me = await enter({ name: 'Me', games: { Portal: 60 }, friends: [friend] })
  const { group_id: id } = await product.group({ owner: me, members: [friend] })
  const night = await startInGroup(me, id)
  await page.clock.install()
  for (const path of [
    '/dashboard',
    '/my_games',
    '/friends',
    `/friends/${friend.steam_id}/games`,
    '/groups',
    `/groups/${id}`,
    '/nights',
    `/nights/${night.night_id}`,
    '/account',
  ]) {
    const requests = requestsOf(page)
    const opened = page.waitForResponse((response) => response.url().endsWith('/events'))
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await opened
    await hasSettled(requests)
    await page.clock.runFor(5000)
    await hasSettled(requests)
    const before = requests.length
    // Less than the pause after which a stream counts as lost, whose comments come by the server's clock.
    await page.clock.runFor(35_000)
    expect(requests.slice(before), path).toEqual([])
    page.removeAllListeners('request')
  }
})

// In Firefox a dialog does not always freeze its page.
test('LIVE-13: one tab has a stream', { tag: '@chromium' }, async ({ page, openTab, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada' })
  const me = await product.player({ name: 'Me', friends: [ada] })
  const { group_id: id } = await product.group({ owner: ada, members: [me] })
  const streams: { tab: Page; openedAt: number }[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push({ tab: request.frame().page(), openedAt: Date.now() })
  })
  const holder = () => streams.at(-1)!.tab
  await signInAs(me, '/dashboard')
  const [second, third] = [await openTab({ apart: true }), await openTab({ apart: true })]
  await second.goto('/dashboard')
  // A tab that has read and does not listen yet.
  const listens = Promise.withResolvers<void>()
  await third.route('**/assets/changes-*.js', async (route) => {
    await listens.promise
    await route.continue()
  })
  await third.goto('/dashboard')
  await expect(third.getByRole('region', { name: 'Groups', exact: true })).toContainText('2 members')
  const names = (tab: Page) => tab.getByRole('region', { name: 'Groups', exact: true })
  const renamed = async (name: string, tabs: readonly Page[]) => {
    await ada.call(api.groups.rename, { id }, { name })
    for (const tab of tabs) await expect(names(tab)).toContainText(name, SOON)
  }
  await renamed('First', [page, second])
  listens.resolve()
  await expect(names(third)).toContainText('First', SOON)
  expect(new Set(streams.map(({ tab }) => tab))).toEqual(new Set([page]))

  const closedAt = Date.now()
  await page.close()
  await expect.poll(holder).not.toBe(page)
  expect(streams.at(-1)!.openedAt - closedAt).toBeLessThan(3000)
  await renamed('Second', [second, third])

  const frozen = holder()
  const other = frozen === second ? third : second
  // While its dialog is open, a page keeps its lock and does nothing else, as a frozen one.
  const asked = frozen.waitForEvent('dialog')
  const answered = frozen.evaluate(() => alert('Frozen'))
  const dialog = await asked
  const frozenAt = Date.now()
  await expect.poll(holder).toBe(other)
  expect(streams.at(-1)!.openedAt - frozenAt).toBeLessThan(3000)
  await renamed('Third', [other])
  await dialog.accept()
  await answered
  await expect(names(frozen)).toContainText('Third', SOON)
})

test('LIVE-11: a change is read once', async ({ page, product, enter }) => {
  const ada = await product.player({ name: 'Ada' })
  const me = await enter({ name: 'Me', friends: [ada] })
  const { group_id: id } = await product.group({ owner: ada, members: [me] })
  const opened = page.waitForResponse((response) => response.url().endsWith('/events'))
  await page.goto('/dashboard')
  await opened
  await expect(page.getByRole('region', { name: 'Groups', exact: true })).toContainText('2 members')
  const requests = requestsOf(page)
  await hasSettled(requests)
  requests.length = 0
  await ada.call(api.groups.rename, { id }, { name: 'Renamed' })
  await expect(page.getByRole('region', { name: 'Groups', exact: true })).toContainText('Renamed', SOON)
  expect(requests.filter((path) => path === `/api/users/${me.steam_id}/groups`)).toHaveLength(1)
  expect(requests.filter((path) => /\/(games|friends|nights)/.test(path))).toEqual([])
})

test('LIVE-14: without a stream each minute', { tag: OWN_CLOCK }, async ({ page, product, signInAs }) => {
  const ada = await product.player({ name: 'Ada' })
  const me = await product.player({ name: 'Me', friends: [ada] })
  const { group_id: id } = await product.group({ owner: ada, members: [me] })
  await page.clock.install()
  // A proxy that holds back what has not ended.
  const asked = Promise.withResolvers<void>()
  await page.route('**/events', () => asked.resolve())
  await signInAs(me, '/dashboard')
  const card = page.getByRole('region', { name: 'Groups', exact: true })
  await expect(card).toContainText('2 members')
  // The minute begins when the page asks for the stream, which a slow machine may do long after it shows its lists.
  await asked.promise
  await ada.call(api.groups.rename, { id }, { name: 'Late' })
  // A minute and a half: between two steps the page's clock goes on while a request that was given up ends.
  const isShown = async () => (await card.textContent())?.includes('Late')
  for (let seconds = 0; seconds < 90 && !(await isShown()); seconds += 5) await page.clock.runFor(5000)
  await expect(card).toContainText('Late', SOON)
})

test('LIVE-5: a session that ended signs out', async ({ page, expectedErrors, enter }) => {
  expectedErrors.push(/Failed to load resource/)
  const me = await enter({ name: 'Me' })
  const opened = page.waitForResponse((response) => response.url().endsWith('/events'))
  await page.goto('/dashboard')
  await opened
  await me.request('/auth/logout', { method: 'POST' })
  await expect(page).toHaveURL(/\/login/, SOON)
})
