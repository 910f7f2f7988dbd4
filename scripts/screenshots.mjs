/* global document, innerHeight, localStorage */
/**
 * `npm run screenshots`: writes the pictures that README.md shows to docs/screenshots/, and to texts.json which texts of the
 * product each of them shows; scripts/architecture.mjs says when one of these has changed. `npm run screenshots -- --all OUT`
 * writes every screen of demo mode to OUT: by night and by day, at 1280 x 800, 390 x 844 and 2560 x 1440, of a player with
 * many friends, and of players with few games, with none, and with friends of unusual names.
 *
 * The pages must be built. It runs on a port and data of its own.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, devices } from '@playwright/test'
import sharp from 'sharp'
import { buildApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/database/open.ts'
import { demoWorld } from '../src/simulator/demo-world.ts'
import { startSimulator } from '../src/simulator/simulator.ts'
import { mapTexts, readCatalogue } from '../src/locales/catalogues.ts'
import { newPlayer } from '../tests/support/product.ts'
import { ensureBrowser, root } from './prepare.mjs'

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  mobile: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
}

/** Unusual names that the layout must handle. */
const ODD_NAMES = [
  '<b>bold</b>',
  '\u202Ereversed',
  'W'.repeat(64),
  '👨‍👩‍👧‍👦 family',
  'لعبة العروش',
  'Z̷̢͎̈a̵l̶̥͝g̸͖̀o̴̜͒',
  ' ',
  'ThirtyTwoCharactersLongNickName!',
]

const { values } = parseArgs({ options: { all: { type: 'string' } } })
const sizes = { ...SIZES, ...(values.all && { wide: { viewport: { width: 2560, height: 1440 } } }) }
/** By the ending of the file's name. */
const themes = { '': 'dark', ...(values.all && { '-light': 'light' }) }
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const isTaken = (name) => values.all !== undefined || readme.includes(`docs/screenshots/${name}.webp`)
const out = values.all ?? join(root, 'docs', 'screenshots')
const productTexts = new Set()
mapTexts(readCatalogue('en'), (text) => productTexts.add(text))
/** By the picture's name. */
const shown = {}
mkdirSync(out, { recursive: true })

const { players } = demoWorld()
const isOpen = (player) => !player.gamesPrivate && !player.friendsPrivate && !player.profilePrivate
const byFriends = players.filter(isOpen).sort((one, other) => other.friends.length - one.friends.length)
const rich = byFriends[0]
const poor = byFriends.filter(({ friends, games }) => friends.length > 0 && games.length > 0).at(-1)
const empty = { steamid: '76561199900000001', personaname: 'Newcomer' }
const odd = byFriends.find((player) => player !== rich && player.games.length > 40)

const dataDir = mkdtempSync(join(tmpdir(), 'shelfmates-screenshots-'))
const port = await freePort()
const url = `http://localhost:${port}`
const { simulator, readStoreDetails, stop } = await startDemo()
let browser
try {
  browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run'],
  })
  let bytes = await take('', rich)
  if (values.all) {
    simulator.addPlayer({ ...newPlayer(empty.steamid), ...empty })
    for (const [nth, name] of ODD_NAMES.entries())
      simulator.updatePlayer(odd.friends[nth].steamid, { personaname: name, personastate: 1 })
    simulator.updatePlayer(odd.steamid, { personaname: ODD_NAMES[2] })
    bytes += await take('poor-', poor)
    bytes += await take('empty-', empty, { synced: false })
    bytes += await take('odd-', odd, { groupName: ODD_NAMES[2] })
  }
  const sorted = Object.fromEntries(Object.entries(shown).sort())
  if (!values.all) writeFileSync(join(out, 'texts.json'), `${JSON.stringify(sorted, null, 2)}\n`)
  console.log(`${out}: ${(bytes / 1e6).toFixed(1)} MB`)
} finally {
  await browser?.close()
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Takes all screens as one player; returns the size of the files in bytes. */
async function take(prefix, player, { synced = true, groupName = 'Friday night crew' } = {}) {
  const storage = await signIn(player)
  const me = caller(storage, player.steamid)
  if (synced) {
    await me.post(`/api/users/${player.steamid}/fetch_games`)
    await me.post(`/api/users/${player.steamid}/sync_friends`)
    await until(
      async () => (await me.get(`/api/users/${player.steamid}/sync_status`)).libraries.waiting === 0,
    )
    // With the player modes of games, tiles have badges and game nights leave out games for one.
    await until(async () => (await readStoreDetails()) === 0)
  }
  const { friends } = await me.get(`/api/users/${player.steamid}/friends_cached`)
  const readable = friends.filter((friend) => friend.library_status === 'ok')
  const crew = await byCommonGames(me, player, readable)
  if (crew.length > 0) {
    await me.group('Co-op Sundays', crew.slice(3, 5))
    await me.group('Old roommates', crew.slice(5, 6))
    await me.group(groupName, crew.slice(0, 3))
  }
  const { groups } = await me.get(`/api/users/${player.steamid}/groups`)
  const { games } = await me.get(`/api/users/${player.steamid}/games`)
  const group = groups.find(({ name }) => name === groupName)
  const friend = crew[0]
  const nights = synced && crew.length >= 3 ? await planNights(me, group, crew.slice(0, 3)) : {}

  const screens = {
    login: { path: '/login', signedOut: true },
    dashboard: { path: '/dashboard' },
    'my-games': { path: '/my_games' },
    shelf: { path: '/my_games/shelf' },
    friends: { path: '/friends' },
    'friend-games': { path: friend ? `/friends/${friend.steam_id}/games` : '/friends/games' },
    'game-comparison': { path: `/games/1/comparison${friend ? `?friend=${friend.steam_id}` : ''}` },
    game: { path: `/games/${games[0]?.appid ?? 730}` },
    'game-friends': { path: `/games/${games[0]?.appid ?? 730}/friends` },
    groups: { path: '/groups' },
    group: { path: `/groups/${group?.group_id ?? 1}` },
    ...(nights.open && {
      night: { path: `/nights/${nights.open}` },
      'night-pick': { path: `/nights/${nights.decided}` },
    }),
    account: { path: '/account' },
    privacy: { path: '/privacy' },
    'not-found': { path: '/nothing-here', signedOut: true },
  }
  const takeSize = async ([size, options, ending]) => {
    let bytes = 0
    for (const [name, { path, signedOut }] of Object.entries(screens)) {
      if (!isTaken(`${name}-${size}`)) continue
      const context = await browser.newContext({
        ...options,
        reducedMotion: 'reduce',
        storageState: signedOut ? undefined : storage,
      })
      const page = await context.newPage()
      await page.goto(`${url}${path}`)
      await settled(page)
      // The first visit may do without the typeface.
      await page.reload()
      await settled(page)
      bytes += await save(await page.screenshot(), join(out, `${prefix}${name}-${size}${ending}.webp`))
      const lines = (await page.locator('body').innerText()).split('\n')
      shown[`${name}-${size}`] = [...new Set(lines)].filter((line) => productTexts.has(line)).sort()
      if (values.all) {
        // Also the whole page, up to 2,600 px. Virtualised lists need a window of that height.
        const height = await page.evaluate(() => Math.min(2600, document.documentElement.scrollHeight))
        await page.setViewportSize({ ...options.viewport, height })
        await settled(page)
        await save(await page.screenshot(), join(out, `${prefix}${name}-${size}-full${ending}.webp`))
      }
      await context.close()
    }
    return size === 'mobile' && isTaken('navigation-mobile')
      ? bytes + (await takeNavigation(storage, options, prefix, ending))
      : bytes
  }
  let bytes = 0
  for (const [ending, colorScheme] of Object.entries(themes))
    for (const taken of await Promise.all(
      Object.entries(sizes).map(([size, options]) => takeSize([size, { ...options, colorScheme }, ending])),
    ))
      bytes += taken
  return bytes
}

/** A night of the group whose vote is open, and one that is decided; returns their ids. */
async function planNights(me, group, crew) {
  const others = await Promise.all(
    crew.map(async ({ steam_id }) => caller(await signIn({ steamid: steam_id }), steam_id)),
  )
  const vote = async (person, { night_id }, marks) => {
    await person.put(`/api/nights/${night_id}/answer`, { answer: 'in' })
    const { shortlist } = await person.get(`/api/nights/${night_id}`)
    await person.put(`/api/nights/${night_id}/ballot`, {
      marks: shortlist.slice(0, marks.length).map(({ appid }, nth) => ({ appid, mark: marks[nth] })),
    })
  }
  const decided = await me.post('/api/nights', { group_id: group.group_id })
  for (const person of others) await person.put(`/api/nights/${decided.night_id}/answer`, { answer: 'in' })
  await vote(me, decided, ['want', 'fine', 'fine'])
  for (const person of others) await vote(person, decided, ['want', 'fine', 'no'])
  const open = await me.post('/api/nights', { group_id: group.group_id, title: 'Sunday co-op' })
  for (const person of others) await person.put(`/api/nights/${open.night_id}/answer`, { answer: 'in' })
  await vote(others[0], open, ['want', 'want', 'fine'])
  return { open: open.night_id, decided: decided.night_id }
}

async function takeNavigation(storage, options, prefix, ending) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce', storageState: storage })
  const page = await context.newPage()
  await page.goto(`${url}/my_games`)
  await settled(page)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await settled(page)
  const bytes = await save(await page.screenshot(), join(out, `${prefix}navigation-mobile${ending}.webp`))
  await context.close()
  return bytes
}

/** Signs in through the simulator's page; returns the browser's storage. */
async function signIn({ steamid }) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'Sign in with Steam' }).click()
  await page.getByLabel('Search players').fill(steamid)
  await page.keyboard.press('Enter')
  const swapped = page.waitForResponse(`${url}/auth/session`)
  await page.locator(`button[value="${steamid}"]`).click()
  await page.waitForURL(`${url}/dashboard`)
  const { token } = await (await swapped).json()
  await page.waitForFunction((token) => localStorage.getItem('token') === token, token)
  const storage = await context.storageState()
  await context.close()
  return storage
}

/** Requests to the server as a signed-in person. */
function caller(storage, steamId) {
  const token = storage.origins[0].localStorage.find(({ name }) => name === 'token').value
  const send = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const post = (path, body) => send('POST', path, body)
  return {
    get: (path) => send('GET', path),
    put: (path, body) => send('PUT', path, body),
    post,
    group: async (name, members) => {
      const { group_id } = await post('/api/groups', { name, owner_steam_id: steamId })
      if (members.length === 0) return
      await post(`/api/groups/${group_id}/members`, {
        steam_ids: members.map((member) => member.steam_id),
      })
      for (const { steam_id } of members)
        await caller(await signIn({ steamid: steam_id }), steam_id).post(`/api/groups/${group_id}/join`)
    },
  }
}

/** The first 40 friends, those with the most common games first. */
async function byCommonGames(me, player, friends) {
  const counted = await Promise.all(
    friends.slice(0, 40).map(async (friend) => ({
      friend,
      count: (await me.get(`/api/compare/${player.steamid}/${friend.steam_id}`)).length,
    })),
  )
  return counted.sort((one, other) => other.count - one.count).map(({ friend }) => friend)
}

/** Waits until data, fonts and visible pictures are loaded. */
async function settled(page) {
  // The stream of changes never ends, so the network is never idle.
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      document.querySelector('.skeleton') === null &&
      [...document.images].every((image) => {
        const { top, width } = image.getBoundingClientRect()
        return image.complete || top > innerHeight || width === 0
      }),
  )
}

async function save(picture, path) {
  const small = await sharp(picture)
    .webp({ quality: 82, effort: values.all ? 1 : 6 })
    .toBuffer()
  writeFileSync(path, small)
  return small.length
}

/** Starts the product in demo mode, with a simulator whose players this script can change. */
async function startDemo() {
  const apiKey = 'demo'
  const simulator = await startSimulator({
    world: demoWorld(),
    apiKey,
    pageTitle: `Shelfmates at ${url}`,
    pagesUrl: `${url}/simulator`,
  })
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    STEAM_API_URL: simulator.apiUrl,
    STEAM_OPENID_URL: simulator.openidUrl,
  })
  const database = await openDatabase({ dataDir })
  const { http, deps } = await buildApp({
    config,
    steamApiKey: apiKey,
    demo: { pagesUrl: `${url}/simulator`, page: simulator.page, checkUrl: simulator.checkUrl },
    database,
    pagesFolder: join(root, 'dist', 'web'),
    callLimits: { perSecond: 200, interactiveBurst: 5000, backgroundBurst: 2000, perDay: 10_000_000 },
  })
  await http.listen({ port, host: config.host })
  deps.sync.start()
  return {
    simulator,
    readStoreDetails: deps.catalogue.readStoreDetails,
    stop: async () => {
      await http.close()
      await database.close()
      await simulator.close()
    },
  }
}

async function until(condition) {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) if (await condition()) return
  throw new Error('timed out after a minute')
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
