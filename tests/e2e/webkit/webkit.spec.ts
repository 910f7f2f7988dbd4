/** PAGE-36: every screen, and what people do on them, in WebKit, the engine of Safari. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { inNight } from '../../support/nights.ts'
import type { Product, TestPlayer } from '../../support/product.ts'
import { startFront } from '../front.ts'
import { pngFile } from '../groups-page.ts'
import { newcomer } from '../newcomers.ts'
import { startEverything } from '../night-page.ts'
import { DESK, expect, PHONE, PROVOKED, provokeErrors, test as base } from '../support.ts'
import { type Look, openWebKit, startScreen, type WebKit } from './webkit.ts'

const DARK_DESK: Look = { size: DESK, theme: 'dark', language: 'en' }
const LIGHT_PHONE: Look = { size: PHONE, theme: 'light', language: 'de' }

/** Opens a browser that has never been here; an error in any of them fails the test. */
type Open = (look?: Look, url?: string) => Promise<WebKit>

const test = base.extend<{ open: Open; refused: string[] }, { xvfb: string }>({
  xvfb: [
    async ({}, use) => {
      const { name, stop } = await startScreen()
      await use(name)
      stop()
    },
    { scope: 'worker' },
  ],
  // WebKit says nothing of calls that are refused.
  refused: async ({}, use) => use([]),
  open: async ({ xvfb, product, refused, expectedErrors }, use, info) => {
    const opened: WebKit[] = []
    const noteRefused = ({ url, headers }: IncomingMessage, response: ServerResponse) =>
      response.on('finish', () => {
        if (response.statusCode >= 400 && headers['user-agent']?.includes('AppleWebKit'))
          refused.push(`${url!}: a status of ${response.statusCode}`)
      })
    product.http.server.on('request', noteRefused)
    await use(async (look = DARK_DESK, url = product.url) => {
      const webkit = await openWebKit(xvfb, url, look)
      opened.push(webkit)
      return webkit
    })
    for (const [nth, webkit] of opened.entries()) {
      if (info.errors.length > 0) writeFileSync(info.outputPath(`${nth}.png`), await webkit.picture())
      await webkit.close()
    }
    product.http.server.off('request', noteRefused)
    const errors = [...refused, ...opened.flatMap((webkit) => webkit.errors)]
    expect(errors.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([])
  },
})

/** Signs in as this player on any page of the product. */
async function signIn(webkit: WebKit, { token, steam_id }: TestPlayer): Promise<void> {
  await webkit.go('/robots.txt')
  await webkit.evaluate((values) => void Object.assign(localStorage, values), { token, steam_id })
}

const LONG_NAME = 'Wilhelmina von Wallenstein-Wittelsbach '.repeat(2).trim()

/** Somebody with everything that a screen can show, in long words. */
async function somebody(product: Product) {
  const { as, links, ...started } = await startEverything(product, {
    host: { name: LONG_NAME },
    people: ['Theo', LONG_NAME],
    gameNames: ['Portal', 'Factorio', LONG_NAME, 'Overcooked'],
    groupName: LONG_NAME,
    title: LONG_NAME.slice(0, 80),
  })
  for (const name of ['Mira', 'Theo']) await as(name).answer('in', LONG_NAME)
  return { ...started, screens: [...started.screens, links[0]!] }
}

/** What is wrong with the look of a screen, once it has loaded. */
async function faultsOf(webkit: WebKit): Promise<string[]> {
  await webkit
    .shown(() => document.querySelectorAll('h1').length > 0 && !document.querySelector('.skeleton'))
    .toBe(true)
  return webkit.evaluate(() => {
    const faults: string[] = []
    const sideways = document.documentElement.scrollWidth - innerWidth
    if (sideways > 0) faults.push(`scrolls ${sideways} px sideways`)
    for (const one of document.querySelectorAll<HTMLElement>('[class*=line-clamp-]')) {
      const { webkitLineClamp: lines, lineHeight } = getComputedStyle(one)
      const most = Number(lines) * Number.parseFloat(lineHeight) + 2
      if (one.clientHeight > most) faults.push(`"${one.innerText.slice(0, 60)}" has more than ${lines} lines`)
    }
    for (const one of document.querySelectorAll('select'))
      if (getComputedStyle(one).appearance !== 'none')
        faults.push(`the select ${one.id} has the system's look`)
    for (const { src, complete, naturalWidth } of document.images)
      if (src.startsWith(location.origin) && complete && naturalWidth === 0) faults.push(`${src} is broken`)
    return faults
  })
}

for (const [name, look] of Object.entries({
  'at a desk, dark, in English': DARK_DESK,
  'on a phone, light, in German': LIGHT_PHONE,
}))
  test(`PAGE-36, LOOK-22, LOOK-23: every screen ${name}`, async ({ open, product, expectedErrors }) => {
    test.slow()
    // The page of a path that there is none for is one too.
    expectedErrors.push(/status of 404/)
    const { mira: me, screens } = await somebody(product)
    const webkit = await open(look)
    await webkit.go('/login')
    const faults = new Map([['/login', await faultsOf(webkit)]])
    expect(await webkit.evaluate(() => [document.documentElement.lang, innerWidth])).toEqual([
      look.language,
      look.size.width,
    ])
    await signIn(webkit, me)
    for (const screen of screens) {
      await webkit.go(screen)
      faults.set(screen, await faultsOf(webkit))
    }
    expect([...faults].filter(([, found]) => found.length > 0)).toEqual([])
  })

test('PAGE-36, NAV-6: from signing in to logging out', async ({ open, product, expectedErrors }) => {
  // A read that was under way at Log Out.
  expectedErrors.push(/a status of 401/)
  const steamId = newcomer(product, 'Nia', { Portal: 60 })
  const webkit = await open({ ...LIGHT_PHONE, language: 'en' })
  await webkit.go('/login')
  await webkit.press('Sign in with Steam')
  await webkit.shown(() => location.origin + location.pathname).not.toBe(`${product.url}/login`)
  await webkit.shown(() => document.querySelectorAll('input[type=search]').length).toBe(1)
  await webkit.go(await webkit.evaluate((id) => `${location.href}&q=${id}`, steamId))
  await webkit.press('', 'li button')
  await webkit.atPath('/dashboard')
  await webkit.press('Open navigation')
  await webkit.shown(() => document.querySelectorAll('dialog[open] nav').length).toBe(1)
  await webkit.keys('Escape')
  await webkit.shown(() => document.querySelectorAll('dialog[open]').length).toBe(0)
  await webkit.shown(() => document.activeElement?.getAttribute('aria-label')).toBe('Open navigation')
  for (const path of ['/my_games', '/groups']) {
    await webkit.go(path)
    await webkit.shown(() => document.querySelectorAll('h1').length).toBe(1)
  }
  await webkit.press('Open navigation')
  await webkit.press('Log Out')
  await webkit.atPath('/login')
  await webkit.evaluate(() => void (document.documentElement.dataset.left = ''))
  await webkit.back()
  await webkit.shown(() => 'left' in document.documentElement.dataset).toBe(false)
  await webkit.atPath('/login')
  await webkit.shown(() => document.querySelectorAll('nav').length).toBe(0)
  expect(await webkit.evaluate(() => Object.keys(localStorage))).not.toContain('token')
})

test('PAGE-36, GLIST-3, WIZ-1: pictures, and the wizard', async ({ open, product }) => {
  const { mira: me } = await somebody(product)
  const webkit = await open()
  await signIn(webkit, me)
  await webkit.go('/groups')
  const { name, buffer } = await pngFile()
  const file = join(webkit.folder, name)
  writeFileSync(file, buffer)
  await webkit.type('Group name', 'With a picture')
  await webkit.type('Picture (optional)', file, 'input[type=file]')
  await webkit
    .shown(() => [...document.images].find(({ src }) => src.startsWith('blob:'))?.naturalWidth)
    .toBe(32)
  await webkit.press('Create Group', 'form button')
  await webkit.atPath(/^\/groups\/\d+$/)
  await webkit
    .shown(() =>
      [...document.images].some(({ src, naturalWidth }) => src.includes('/media/') && naturalWidth > 0),
    )
    .toBe(true)
  await webkit.type('Search friends to add', 'Theo')
  await webkit.press('Theo', '[role=option] *, [role=option]')
  await webkit.shows('Member added!')

  await webkit.go('/dashboard')
  await webkit.press('Create group')
  await webkit.shown(() => document.activeElement?.tagName).toBe('INPUT')
  for (const key of 'Wizard') await webkit.keys(key)
  await webkit.keys('Enter')
  await webkit.shows('Group "Wizard" created!')
  for (const key of 'theo') await webkit.keys(key)
  await webkit.keys('Enter')
  await webkit.shows('1 chosen')
  await webkit.press('Add Members')
  await webkit.press('Skip')
  await webkit
    .shown(() => [...document.querySelectorAll('button')].some(({ innerText }) => innerText === 'Skip'))
    .toBe(false)
})

test('PAGE-36, LOOK-16, NAV-9: dialogs and their focus, and Find', async ({ open, product }) => {
  const { mira: me, groupId } = await somebody(product)
  const webkit = await open()
  await signIn(webkit, me)
  await webkit.go(`/groups/${groupId}`)
  for (const button of ['Start a game night', 'Invite by link']) {
    await webkit.press(button)
    await webkit
      .shown(() => document.querySelector('dialog[open]')?.contains(document.activeElement))
      .toBe(true)
    expect(await faultsOf(webkit)).toEqual([])
    await webkit.keys('Escape')
    await webkit.shown(() => document.querySelectorAll('dialog[open]').length).toBe(0)
    expect(await webkit.evaluate(() => (document.activeElement as HTMLElement).innerText)).toContain(button)
  }
  await webkit.keys('Control', 'k')
  await webkit.shown(() => document.activeElement?.getAttribute('role')).toBe('combobox')
  for (const key of 'shelf') await webkit.keys(key)
  await webkit.shows('My Shelf')
  await webkit.keys('Enter')
  await webkit.atPath('/my_games/shelf')
})

test('PAGE-36, NIGHT-93: a time is typed on a phone', async ({ open, product }) => {
  const { mira: me } = await somebody(product)
  const webkit = await open({ ...LIGHT_PHONE, language: 'en' })
  await signIn(webkit, me)
  await webkit.go('/nights')
  await webkit.press('Start a game night')
  await webkit.press('At a time', 'label')
  await webkit.evaluate(() => document.querySelector<HTMLElement>('[type=datetime-local]')!.focus())
  // The engine itself does not go on to the next part.
  for (const key of '12') await webkit.keys(key)
  await webkit
    .shown(() => document.querySelector<HTMLInputElement>('[type=datetime-local]')!.value)
    .toMatch(/-12[-T]/)
})

test('PAGE-36, NIGHT-79, NIGHT-86: two people decide in a night', async ({ open, product }) => {
  const { mira: me, others: friends, night } = await somebody(product)
  const [mine, theirs] = [await open(), await open({ ...LIGHT_PHONE, language: 'en' })]
  await signIn(mine, me)
  await signIn(theirs, friends[1]!)
  for (const webkit of [mine, theirs]) await webkit.go(`/nights/${night.night_id}`)
  await mine.shows('Portal')
  await theirs.press('In', 'fieldset label, [role=group] label')
  await mine.shows('is in')
  for (const webkit of [mine, theirs]) {
    await webkit.press('Rest is fine')
    await webkit.press('Vote')
    await webkit.shows('You have voted.')
  }
  await mine.shows('2 of 3')
  await inNight(night, friends[0]!).vote([{ appid: product.appidOf('Portal'), mark: 'want' }])
  for (const webkit of [mine, theirs]) await webkit.shows('You are playing')
})

test('PAGE-36, LOOK-24, PAGE-37, INST-4: Back and offline', async ({ open, product, expectedErrors }) => {
  expectedErrors.push(
    /Failed to load resource|Could not connect|connection was lost|NetworkError|respondWith|Cannot load/,
  )
  const games = Object.fromEntries(Array.from({ length: 200 }, (_, nth) => [`Game ${nth}`, 6000 - nth]))
  const me = await product.player({ games })
  const front = await startFront(product)
  const webkit = await open(DARK_DESK, front.url)
  await signIn(webkit, me)
  await webkit.go('/my_games')
  await webkit.shows('Game 0')
  await webkit.evaluate(() => scrollTo(0, 2000))
  // Pressed as a person does, because WebKit leaves out of its history what nobody pressed.
  const game = () =>
    [...document.querySelectorAll('article')]
      .find((article) => article.getBoundingClientRect().top > 300)
      ?.querySelector('h2, h3')?.textContent
  await webkit.shown(game).toMatch(/^Game \d+$/)
  const name = (await webkit.evaluate(game))!
  await webkit.press(name, 'article a')
  await webkit.shown(() => document.querySelector('h1')?.innerText).toBe(name)
  await webkit.back()
  await webkit.atPath('/my_games')
  await webkit.shown((near) => Math.abs(scrollY - near) < 600, 2000).toBe(true)
  await webkit.forward()
  await webkit.atPath(/^\/games\/\d+/)

  await webkit.evaluate(() => void navigator.serviceWorker.register('/sw.js'))
  await webkit.shown(() => navigator.serviceWorker.controller?.state).toBe('activated')
  front.to('gone')
  await webkit.go(`${front.url}/friends`)
  await webkit.shows('Shelfmates can’t be reached')
  front.to(product)
  await webkit.evaluate(() => void dispatchEvent(new Event('online')))
  await webkit.shown(() => document.querySelector('h1')?.innerText).toBe('Friends')
  front.to('gone')
  await webkit.evaluate(() => void dispatchEvent(new Event('focus')))
  await webkit.press('Groups', 'nav a')
  await webkit.shows('You’re offline. This may be out of date.')
  front.to(product)
  await webkit.evaluate(() => void dispatchEvent(new Event('online')))
  await webkit.showsNot('You’re offline. This may be out of date.')
  await webkit.close()
  await front.close()
})

test('PAGE-36, PUSH-17, API-41: what WebKit lacks; an export', async ({ open, product }) => {
  const { mira: me } = await somebody(product)
  const webkit = await open()
  await signIn(webkit, me)
  await webkit.go('/account')
  await webkit.shows('This browser can’t show notifications of websites.')
  await webkit.press('Download my data')
  await expect
    .poll(() => {
      const file = readdirSync(webkit.folder).find((name) => name.endsWith('.json'))
      return file && (JSON.parse(readFileSync(join(webkit.folder, file), 'utf8')) as object)
    })
    .toBeTruthy()
})

test('PAGE-36: what a page does wrong is noticed in WebKit', async ({ open, refused, expectedErrors }) => {
  expectedErrors.push(...PROVOKED)
  const webkit = await open()
  await webkit.go('/login')
  expect(await faultsOf(webkit)).toEqual([])
  await webkit.evaluate(provokeErrors)
  const noticed = () => [...refused, ...webkit.errors]
  await expect
    .poll(() => PROVOKED.filter((words) => !noticed().some((error) => words.test(error))).map(String))
    .toEqual([])
  await webkit.evaluate(() => void (document.body.style.width = '200vw'))
  expect(await faultsOf(webkit)).toEqual([expect.stringContaining('sideways')])
})
