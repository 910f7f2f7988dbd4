/** What the server writes, in the language of whoever reads it (LANG-5, LANG-6 to LANG-9). */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import type { Language } from '#shared/languages.ts'
import { createTexts, textsOf, whenInZone } from '../../src/server/texts/texts.ts'
import { api, engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { pseudoLanguages } from '../support/pseudo-language.ts'

const english = textsOf('en')
const NOW = Date.UTC(2026, 5, 1, 12)
const FRIDAY = Date.UTC(2026, 5, 5, 18, 30)
const PLANNED = { starts_at: new Date(FRIDAY).toISOString(), zone: 'Europe/Berlin' }
const FORMATS: WebhookFormat[] = ['json', 'discord']
const GERMAN = { 'accept-language': 'de-AT,en;q=0.5' }
const ENGLISH = { 'accept-language': 'en-GB,de;q=0.5' }

const speak = (player: TestPlayer, language: Language | null) =>
  player.call(api.privacy.changeSettings, player.user, { language })

/** A group with a planned night that is decided, and its picture's address for everybody. */
async function begin(options: Parameters<typeof startTestApp>[0] = {}) {
  const receiver = await startReceiver()
  const app = await startTestApp({ clock: () => NOW, web: receiver.web, ...options })
  const people = await friendsWithGames(app, 2)
  const { host, groupId, appids } = people
  const plan = (rest: object = {}) =>
    host.call(api.nights.start, {}, { group_id: groupId, ...PLANNED, ...rest })
  const decide = async (night: { night_id: number }) => {
    await inNight(night, host).decide(appids[0]!)
  }
  const send = async () => {
    for (let sent = 1; sent > 0;) sent = await app.deps.messages.runOnce()
  }
  return { app, receiver, ...people, plan, decide, send }
}

const textAt = async (app: TestApp, url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(url, app.url), { headers })
  return { response, text: await response.text() }
}

describe.each(engines)('the language of a setting (%s)', (engine) => {
  test('LANG-7: messages to a webhook, and why one was not sent, are in the language that the owner of the group has chosen', async () => {
    const { receiver, host, groupId, plan, send } = await begin({ engine })
    const hook = (format: WebhookFormat) =>
      host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format })
    await hook('json')
    await plan()
    await speak(host, 'de')
    await send()
    expect(receiver.bodies()).toMatchObject([{ text: 'Ein Spieleabend ist geplant (Friday).' }])

    await speak(host, null)
    await plan()
    await send()
    expect(receiver.bodies()[1]).toMatchObject({ text: 'A game night is planned (Friday).' })

    await speak(host, 'de')
    receiver.respond(() => ({ status: 404 }))
    await plan()
    await send()
    expect((await host.call(api.webhooks.read, { id: groupId }))?.last_error).toBe(
      'Die Adresse hat mit 404 geantwortet. Eine Nachricht konnte nicht zugestellt werden.',
    )
  })

  test('LANG-7: a calendar is in the language that its user has chosen', async () => {
    const { app, host, plan, decide } = await begin({ engine })
    const night = await plan()
    await decide(night)
    const { url } = await host.call(api.calendar.renewFeed, host.user)
    const feed = async () => (await textAt(app, url, GERMAN)).text

    const english = await feed()
    expect(english).toContain('PRODID:-//Shelfmates//Game nights//EN')
    expect(english).toContain('SUMMARY:Game night: Friday')
    expect(english).toContain('Picked: Portal')
    expect(english).toContain('X-WR-CALNAME:Game nights')

    await speak(host, 'de')
    const german = await feed()
    expect(german).toContain('PRODID:-//Shelfmates//Game nights//DE')
    expect(german).toContain('SUMMARY:Spieleabend: Friday')
    expect(german).toContain('Gewählt: Portal')
    expect(german).toContain('X-WR-CALNAME:Spieleabende')
  })
})

/** The built pages, as far as they have texts without scripts. */
function pagesFolder(): string {
  const [folder, source] = [temporaryFolder('pages'), join(import.meta.dirname, '../../src/web')]
  for (const name of ['index.html', 'offline.html']) cpSync(join(source, name), join(folder, name))
  cpSync(join(source, 'public/manifest.webmanifest'), join(folder, 'manifest.webmanifest'))
  return folder
}

const FILES = ['/login', '/offline.html', '/manifest.webmanifest']

test('LANG-9: what pages say without scripts, the offline page and the manifest are in the language of the browser', async () => {
  const app = await startTestApp({ pagesFolder: pagesFolder() })
  const all = async (headers: Record<string, string>) => {
    const found = await Promise.all(FILES.map((path) => textAt(app, path, headers)))
    return found.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n')
  }
  const inEnglish = await all(ENGLISH)
  for (const text of Object.values(english.pages)) expect(inEnglish).toContain(text)
  expect(inEnglish).not.toContain('lang="de"')

  const inGerman = await all(GERMAN)
  for (const text of Object.values(textsOf('de').pages)) expect(inGerman).toContain(text)
  for (const text of Object.values(english.pages).filter((text) => text !== english.pages.offlineTitle))
    expect(inGerman).not.toContain(text)
  expect(inGerman).not.toContain('lang="en"')
  const { text, response } = await textAt(app, '/manifest.webmanifest', GERMAN)
  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(JSON.parse(text)).toMatchObject({
    name: 'Shelfmates',
    lang: 'de',
    start_url: '/dashboard',
    shortcuts: [
      { name: 'Spieleabend starten', short_name: 'Spieleabend', url: '/nights?start' },
      { name: 'Gruppen' },
    ],
  })
  // Whoever names no language, or one that there is none of, gets English.
  for (const header of ['*', 'tlh,la;q=0.9'])
    expect((await textAt(app, '/offline.html', { 'accept-language': header })).text).toContain(
      english.pages.unreachable,
    )
})

test('LANG-7: the page of a shared pick is in the visitor’s language, else in that of the host', async () => {
  const { app, host, ada, plan, decide } = await begin()
  const night = await plan()
  const id = { id: night.night_id }
  await inNight(night, ada).answer('in')
  await decide(night)
  const { url } = await host.call(api.share.create, id)

  const when = 'Freitag, 5. Juni um 20:30 Uhr, MESZ'
  for (const language of ['en', 'de'] as const) {
    await speak(host, language)
    const { text } = await textAt(app, url, GERMAN)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain(`<p class="first">${when}</p>\n<p>2 sind dabei</p>`)
    expect(text).toContain('>Seht, was ihr alle spielen könnt</a>')
    expect(text).toContain(`content="Friday · ${when} · 2 sind dabei"`)
    expect(text).toContain(`<meta property="og:url" content="${url}">`)
    const page = (await textAt(app, url, ENGLISH)).text
    expect(page).toContain('<html lang="en">')
    expect(page).toContain('<p>2 are in</p>')
  }
  // A program that makes previews often names no language.
  const preview = (await textAt(app, url)).text
  expect(preview).toContain(`content="Friday · ${when} · 2 sind dabei"`)

  const gone = await textAt(app, '/share/none', GERMAN)
  expect(gone.response.status).toBe(404)
  expect(gone.text).toContain('<h1>Dieser Link gilt nicht mehr</h1>\n<p>Bitte um einen neuen.</p>')
})

test('LANG-7: the preview of an invitation is in the language of the reader, else of whoever invites', async () => {
  const { app, host, plan } = await begin({ pagesFolder: pagesFolder() })
  const night = await plan()
  const { url } = await host.call(api.invites.renewOfNight, { id: night.night_id })
  expect((await textAt(app, url, GERMAN)).text).toContain(
    'content="Host lädt dich ein · Freitag, 5. Juni um 20:30',
  )

  await speak(host, 'de')
  const { text } = await textAt(app, url)
  expect(text).toContain('<meta property="og:title" content="Spieleabend">')
  expect(text).toContain('1 ist dabei')
  expect(text).toContain('<html lang="de">')
  const inEnglish = (await textAt(app, url, ENGLISH)).text
  expect(inEnglish).toContain('content="Host invites you · Friday 5 June at 20:30')
  expect(inEnglish).toContain('<html lang="en">')

  const ofGroup = await host.call(api.invites.renewOfGroup, {
    id: (await inNight(night, host).read()).group!.group_id,
  })
  expect((await textAt(app, ofGroup.url, GERMAN)).text).toContain('2 Mitglieder sind beigetreten')
})

test('LANG-6: times follow the language, in the zone that the text names', () => {
  const winter = Date.UTC(2026, 8, 3, 22, 5)
  const [en, de] = [textsOf('en'), textsOf('de')]
  expect(whenInZone(en, winter, null)).toBe('Thursday 3 September at 22:05, UTC')
  expect(whenInZone(de, winter, null)).toBe('Donnerstag, 3. September um 22:05 Uhr, UTC')
  expect(whenInZone(de, winter, 'Europe/Berlin')).toBe('Freitag, 4. September um 00:05 Uhr, MESZ')
  expect(whenInZone(de, Date.UTC(2026, 11, 24, 12), 'Asia/Kathmandu')).toBe(
    'Donnerstag, 24. Dezember um 17:45 Uhr, GMT+5:45',
  )
})

test('LANG-6: two visitors never get each other’s language, and caches keep the languages apart', async () => {
  const { app, host, plan, decide } = await begin({ pagesFolder: pagesFolder() })
  const night = await plan()
  const invite = await host.call(api.invites.renewOfNight, { id: night.night_id })
  await decide(night)
  const { url } = await host.call(api.share.create, { id: night.night_id })
  for (const path of [url, '/share/none', invite.url, '/dashboard', ...FILES]) {
    const read = (headers: Record<string, string>) => textAt(app, path, headers)
    const first = await Promise.all([read(GERMAN), read(ENGLISH)])
    const second = await Promise.all([read(ENGLISH), read(GERMAN)])
    const [german, inEnglish] = first
    expect(german.text, path).not.toBe(inEnglish.text)
    expect([second[1].text, second[0].text], path).toEqual([german.text, inEnglish.text])
    for (const { response } of first) {
      expect(response.headers.get('vary'), path).toContain('accept-language')
      expect(response.headers.get('cache-control'), path).toMatch(/^(no-cache|no-store)$/)
    }
  }
  // What is cached by user and URL is the same for both.
  const cached = (headers: Record<string, string>) =>
    host.request(`/api/nights/${night.night_id}`, { headers }).then((response) => response.text())
  expect(await cached(GERMAN)).toBe(await cached(ENGLISH))
})

/** Names of the test, the product, and what Intl says of times in English. */
const KNOWN =
  /\b(?:Host|Portal|Shelfmates|[A-Z][a-z]+day|June|Fri|Jun|GMT\+2|UTC)\b|https?:[^\s|)>]+|<t:\d+:F>|!date|\{[a-z_]+\}/g

/** What people read of a page, a calendar, the manifest or a message. */
function readable(text: string): string {
  if (text.startsWith('BEGIN:VCALENDAR'))
    return text
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .map(
        (line) => /^(?:SUMMARY|DESCRIPTION|X-WR-CALNAME):(.*)/.exec(line)?.[1]?.replaceAll('\\n', ' ') ?? '',
      )
      .join(' ')
  if (text.startsWith('{'))
    return [...text.matchAll(/"(?:text|content|description|title|name|short_name)":"((?:[^"\\]|\\.)*)"/g)]
      .map(([, said]) => said!.replaceAll('\\n', ' '))
      .join(' ')
  const tags =
    /<meta (?:name="description"|property="og:(?:title|description|image:alt)")\s+content="([^"]*)"/g
  const inTags = [...text.matchAll(tags)].map(([, said]) => said)
  return [...inTags, text.replace(/<style>[^<]*<\/style>|<!--[^>]*-->|<[^<>]+>/g, ' ')].join(' ')
}

test('LANG-5: in the language that nobody wrote the server writes no plain English', async () => {
  const { app, receiver, host, groupId, plan, decide, send } = await begin({
    pagesFolder: pagesFolder(),
    textsOf: createTexts(pseudoLanguages()),
  })
  const night = await plan()
  const { url: calendar } = await host.call(api.calendar.renewFeed, host.user)
  const invite = await host.call(api.invites.renewOfNight, { id: night.night_id })
  await decide(night)
  const share = await host.call(api.share.create, { id: night.night_id })
  const written: string[] = []
  for (const path of [calendar, invite.url, share.url, '/share/none', ...FILES])
    written.push((await textAt(app, path)).text)
  for (const format of FORMATS) {
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format })
    await host.call(api.webhooks.test, { id: groupId })
    await decide(await plan())
    await send()
  }
  written.push(...receiver.received.map(({ body }) => body))
  expect(written).toHaveLength(7 + 3 * FORMATS.length)
  for (const text of written) {
    // Something of it is there, and marked.
    expect(readable(text)).toMatch(/[åéîöû]/)
    expect(readable(text).replace(KNOWN, ' ')).not.toMatch(/[A-Za-z]{3}/)
  }
})
