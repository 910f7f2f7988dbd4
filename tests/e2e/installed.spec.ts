/** INST-1 to INST-6: the installed app, its service worker and the offline page, in browsers with workers. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { temporaryFolder } from '../support/folders.ts'
import { type Product, startProduct, type TestPlayer } from '../support/product.ts'
import { type Front, startFront } from './front.ts'
import { dialog, expect, PAGES, prepareTab, profileOptions, stored, test } from './support.ts'

/** The pages as another version: the code of a screen has another name, and the one before is gone. */
function nextVersion(): string {
  const folder = temporaryFolder('pages')
  cpSync(PAGES, folder, { recursive: true })
  const assets = join(folder, 'assets')
  const old = readdirSync(assets).find((name) => /^account-screen-.*\.js$/.test(name))!
  const renamed = old.replace(/-[\w-]{8}\.js$/, '-NEXTNEXT.js')
  for (const ending of ['', '.br', '.gz']) rmSync(join(assets, `${old}${ending}`), { force: true })
  cpSync(join(PAGES, 'assets', old), join(assets, renamed))
  const texts = [
    ...readdirSync(assets).map((name) => join(assets, name)),
    ...['sw.js', 'index.html', '.vite/manifest.json'].map((name) => join(folder, name)),
  ].filter((path) => /\.(js|html|json)$/.test(path))
  for (const path of texts) {
    const text = readFileSync(path, 'utf8')
    if (!text.includes(old)) continue
    writeFileSync(path, text.replaceAll(old, renamed))
    for (const ending of ['.br', '.gz']) rmSync(`${path}${ending}`, { force: true })
  }
  // The bundle that names the screen is another one too, as after any build.
  const index = readdirSync(assets).find((name) => /^start-[\w-]{8}\.js$/.test(name))!
  renameSync(join(assets, index), join(assets, 'start-NEXTNEXT.js'))
  for (const path of [...texts, join(assets, 'start-NEXTNEXT.js')].filter((path) => !path.endsWith(index)))
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(index, 'start-NEXTNEXT.js'))
  return folder
}

const inWorld = test.extend<{ front: Front; next: Product; profile: BrowserContext }>({
  front: async ({ product }, use) => {
    const front = await startFront(product)
    await use(front)
    await front.close()
  },
  next: async ({}, use) => {
    const dataDir = temporaryFolder('next')
    const pagesFolder = nextVersion()
    const next = await startProduct({
      place: { dataDir, drop: async () => rmSync(dataDir, { recursive: true, force: true }) },
      pagesFolder,
      requestLimits: { perAddress: 1_000_000, perToken: 1_000_000 },
    })
    await use(next)
    await next.close()
    rmSync(pagesFolder, { recursive: true, force: true })
  },
  profile: async ({ browser, product, front }, use) => {
    const profile = await openProfile(browser, product, front)
    await use(profile)
    await profile.close()
  },
})

const openProfile = (browser: Browser, product: Product, { url }: Pick<Front, 'url'>) =>
  browser.newContext({ ...profileOptions(product), baseURL: url, serviceWorkers: 'allow' })

/** Opens the login page and waits until the worker has everything, as it has some seconds after a page has loaded. */
async function openWithWorker(profile: BrowserContext): Promise<Page> {
  const page = await profile.newPage()
  await prepareTab(page)
  await page.goto('/login')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    const { active } = await navigator.serviceWorker.ready
    if (active!.state !== 'activated')
      await new Promise((resolve) => active!.addEventListener('statechange', resolve, { once: true }))
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  return page
}

const signIn = (page: Page, { token, steam_id }: TestPlayer, name: string) =>
  page.evaluate((values) => Object.assign(localStorage, values), {
    token,
    steam_id,
    account_display_name: name,
  })

/** The addresses of everything that the browser keeps for the site outside its own cache. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const all: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) all.push(new URL(url).pathname)
    return all
  })

const offlineHeading = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Shelfmates can’t be reached' })

test('INST-1, LOOK-8: a manifest with icons of the sizes that it names', async ({ page }) => {
  await page.goto('/login')
  const response = await page.request.get('/manifest.webmanifest')
  expect(response.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await response.json()) as {
    icons: { src: string; sizes: string; type: string; purpose: string }[]
  }
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(src)
    expect([src, icon.headers()['content-type']]).toEqual([src, type])
    if (sizes === 'any') continue
    const { width, height } = await sharp(await icon.body()).metadata()
    expect([src, `${width}x${height}`]).toEqual([src, sizes])
  }
  const purposes = manifest.icons.filter(({ sizes }) => sizes === '512x512').map(({ purpose }) => purpose)
  expect(purposes).toEqual(['any', 'maskable'])
  const session = await page.context().newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
})

test('INST-1: shortcuts to a game night and to the groups', async ({ page, enter }) => {
  await enter()
  const { shortcuts } = (await (await page.request.get('/manifest.webmanifest')).json()) as {
    shortcuts: { name: string; url: string }[]
  }
  expect(shortcuts.map(({ name }) => name)).toEqual(['Start a game night', 'Groups'])
  await page.goto(shortcuts[0]!.url)
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.goto(shortcuts[1]!.url)
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
})

test('INST-3: the worker is asked for each time; no other worker is allowed', async ({ product }) => {
  const response = await fetch(`${product.url}/sw.js`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('javascript')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('content-security-policy')).toContain("worker-src 'self'")
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
})

inWorld(
  'INST-4: without a connection there is a page that says what is known and what is not, and the page comes by itself',
  async ({ profile, front, product }) => {
    const page = await openWithWorker(profile)
    front.to('gone')
    await page.goto('/groups')
    await expect(offlineHeading(page)).toBeVisible()
    await expect(page.getByText('You’re still signed in if you were')).toBeVisible()
    await expect(page.getByText('Your games, friends, groups and game nights.')).toBeVisible()
    await expect(page).toBeAccessible()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(offlineHeading(page)).toBeVisible()
    front.to(product)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page).toHaveURL(`${front.url}/login`)
    await expect(page.getByRole('button', { name: 'Sign in with Steam' })).toBeVisible()
  },
)

inWorld(
  'INST-5: a deploy while a page is open, a server that fails, and a rollback leave nobody with an old version',
  async ({ profile, front, product, next }) => {
    const page = await openWithWorker(profile)
    const code = (of: Page) =>
      of.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module][src*="/start-"]')!.src)
    const before = await code(page)
    const oldScreen = (await kept(page)).find((path) => path.includes('/account-screen-'))!

    // A deploy: the page that is open still loads its screens, and the next one is new.
    front.to(next)
    expect((await page.request.get(oldScreen)).status()).toBe(404)
    expect(await page.evaluate(async (path) => (await fetch(path)).status, oldScreen)).toBe(200)
    await page.reload()
    expect(await code(page)).toContain('start-NEXTNEXT.js')
    await expect(page.getByRole('button', { name: 'Sign in with Steam' })).toBeVisible()
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await expect.poll(() => kept(page)).toContain('/assets/account-screen-NEXTNEXT.js')
    const states = () =>
      page.evaluate(async () => {
        const { installing, waiting, active } = await navigator.serviceWorker.ready
        return [installing, waiting, active].map((worker) => worker?.state)
      })
    await expect.poll(states).toEqual([undefined, undefined, 'activated'])

    // A server that fails: nothing of its answers is kept, the worker least of all.
    front.to('failing')
    await page.goto('/privacy')
    await expect(offlineHeading(page)).toBeVisible()
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update().catch(() => undefined)
      await fetch('/assets/of-no-version.js')
    })
    expect(await kept(page)).not.toContain('/assets/of-no-version.js')
    front.to(next)
    await page.goto('/privacy')
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()

    // A rollback.
    front.to(product)
    await page.goto('/login')
    expect(await code(page)).toBe(before)
    await expect(page.getByRole('button', { name: 'Sign in with Steam' })).toBeVisible()
  },
)

inWorld(
  'INST-5: a new version takes over at the next visit, also with a tab open, which keeps its screens until it is reloaded',
  async ({ profile, front, product, next }) => {
    inWorld.slow()
    const open = await openWithWorker(profile)
    const oldScreen = (await kept(open)).find((path) => path.includes('/account-screen-'))!
    await open.evaluate(() => {
      navigator.serviceWorker.addEventListener('controllerchange', () => (document.title = 'taken over'))
    })
    front.to(next)
    const visit = await profile.newPage()
    await prepareTab(visit)
    // Of a version that could not be had whole, the browser says nothing and asks again at the next visit.
    await expect(async () => {
      await visit.goto('/privacy')
      await expect(open).toHaveTitle('taken over')
    }).toPass()
    expect(await kept(visit)).toContain('/assets/account-screen-NEXTNEXT.js')
    expect(await open.evaluate(async (path) => (await fetch(path)).status, oldScreen)).toBe(200)
    await open.reload()
    await expect(open.locator('script[src*="/start-NEXTNEXT"]')).toBeAttached()
    front.to(product)
  },
)

inWorld(
  'INST-6: nothing of a user is kept by the worker, or shown to who signs in next on the device',
  async ({ profile, front, product }) => {
    const bob = await product.player({ name: 'Bob' })
    const ada = await product.player({ name: 'Ada', games: { Portal: 60 }, friends: [bob] })
    await product.group({ owner: ada, name: 'Secret society' })
    const page = await openWithWorker(profile)
    await signIn(page, ada, 'Ada')
    for (const path of ['/dashboard', '/groups', '/my_games', '/account']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await page.goto('/groups')
    await expect(page.getByText('Secret society')).toBeVisible()
    for (const path of await kept(page))
      expect(path).toMatch(/^\/(assets\/[^/]+|offline\.html|offline\.js|theme\.js|logo\.svg)$/)

    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL(`${front.url}/login`)
    expect(await stored(page)).toEqual({})
    front.to('gone')
    await page.goto('/groups')
    await expect(offlineHeading(page)).toBeVisible()
    await expect(page.getByText(/Ada|Secret society/)).toHaveCount(0)
    front.to(product)
    await page.goto('/login')
    await signIn(page, bob, 'Bob')
    await page.goto('/groups')
    await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible()
    await expect(page.getByText('Secret society')).toHaveCount(0)
  },
)

inWorld(
  'INST-5: with the worker each page is asked for once, also those that it leaves alone',
  async ({ profile, front }) => {
    const page = await openWithWorker(profile)
    for (const path of ['/privacy', '/share/nobody', '/api/openapi.json', '/robots.txt']) {
      front.asked.length = 0
      await page.goto(path)
      expect(front.asked.filter((asked) => asked === path)).toEqual([path])
    }
  },
)
