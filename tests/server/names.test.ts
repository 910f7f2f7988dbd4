/** PLAT-37, ENT-16: names in every text that leaves the server. Whatever a name has, it turns only itself, and can be seen. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { webhook } from '#shared/contract/webhooks.ts'
import { messageIn } from '../../src/server/messages/webhooks.ts'
import { notificationOf } from '../../src/server/messages/push.ts'
import type { NightEvent } from '../../src/server/storage/notifications/messages.ts'
import { type Notice, noticeKinds } from '../../src/server/storage/notifications/notifications.ts'
import { textsOf } from '../../src/server/texts/texts.ts'
import { api, startTestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/folders.ts'
import { inNight, readStore } from '../support/nights.ts'

const UNSEEN = '\u3164'
const TURNED = 'Ada\u202E'
const OPEN = '\u2067Ned\u2069\u2069 \u202Eevil'
const HOSTILE = [UNSEEN, TURNED, OPEN]
const LANGUAGES = ['en', 'de'] as const

/** Checks that no name turns what stands around it, line by line, and that none is invisible. */
function expectReadable(text: string): void {
  expect(text).not.toContain(UNSEEN)
  for (const line of text.split('\n')) {
    let open = 0
    for (const character of line) {
      if (/[\u2066-\u2068]/.test(character)) open++
      else if (character === '\u2069') open--
      else if (/\p{Bidi_Control}/u.test(character)) expect([line, open > 0]).toEqual([line, true])
      expect([line, open >= 0]).toEqual([line, true])
    }
    expect([line, open]).toEqual([line, 0])
  }
}

test('PLAT-37: on devices, of every kind', () => {
  for (const name of HOSTILE)
    for (const kind of noticeKinds)
      for (const language of LANGUAGES) {
        const night = {
          night_id: 1,
          title: null,
          starts_at: 60_000,
          planned: 1,
          zone: null,
          status: 'open',
        } as const
        const notice: Notice = {
          ...{ kind, pick: 1, subscription: {} as Notice['subscription'], language, discreet: false },
          ...{ hasAnswered: true, night, group: { group_id: 1, name } },
          // Players without a name are called by their id when the notice is read.
          host: name === UNSEEN ? '76561197960265729' : name,
        }
        const game = name === UNSEEN ? 'App 7' : name
        const { title, body } = notificationOf(notice, { texts: textsOf(language), game, now: 0 })
        expectReadable(title)
        expectReadable(body)
        expectReadable(
          notificationOf(
            { ...notice, night: { ...night, title: name } },
            { texts: textsOf(language), game, now: 0 },
          ).title,
        )
      }
})

test('PLAT-37: to webhooks, of every kind in every format', () => {
  const events: NightEvent[] = [
    'dating',
    'planned',
    'moved',
    'cancelled',
    'upcoming',
    'starting',
    'started',
    'decided',
  ]
  for (const name of HOSTILE)
    for (const event of events)
      for (const format of webhook.shape.format.options)
        for (const title of [null, name])
          for (const language of LANGUAGES) {
            const pick = { appid: 7, name: name === UNSEEN ? 'App 7' : name, image_url: null }
            const night = {
              night_id: 1,
              title,
              starts_at: 0,
              in: 2,
              pick: 7,
              ...(event === 'dating' && { times: [0] }),
            }
            const message = messageIn[format](
              { event, group: { group_id: 1, name }, night },
              { publicUrl: 'https://games.example.org', texts: textsOf(language), pick },
            ) as { text?: string; embeds?: { title: string; description: string }[] }
            const [embed] = message.embeds ?? []
            for (const text of [message.text, embed?.title, embed?.description])
              if (text) expectReadable(text)
          }
})

test.each(HOSTILE)('PLAT-37, ENT-16: in previews, picks, calendars and syncs (%j)', async (name) => {
  const pagesFolder = temporaryFolder('pages')
  mkdirSync(join(pagesFolder, 'assets'), { recursive: true })
  writeFileSync(join(pagesFolder, 'index.html'), '<!doctype html><html><head></head><body></body></html>')
  const app = await startTestApp({ pagesFolder })
  const games = { [name]: 90 }
  const other = await app.player({ name, games })
  const host = await app.player({ name, games, friends: [other] })
  await readStore(app)
  const { group_id } = await app.group({ owner: host, members: [other] })
  const { groups, invites, nights, share, calendar } = api
  const renamed = await host.attempt(groups.rename, { id: group_id }, { name })
  expect(renamed.status).toBe(name === UNSEEN ? 400 : 200)

  async function shownAt(url: string): Promise<string> {
    const html = await (await fetch(url)).text()
    const text = html.replace(/<style>.*?<\/style>/s, '')
    const shown = text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    expectReadable(shown)
    return shown
  }
  const night = await host.call(nights.start, {}, { group_id, title: name })
  const ofNight = await host.call(invites.renewOfNight, { id: night.night_id })
  const ofGroup = await host.call(invites.renewOfGroup, { id: group_id })
  for (const { token } of [ofNight, ofGroup]) {
    const shown = await shownAt(`${app.url}/join/${token}`)
    // An inviter who cannot be seen is left out, as on the page.
    if (name === UNSEEN) expect(shown).not.toContain('invites you')
    else expect(shown).toContain('\u2069 invites you · ')
  }
  await inNight(night, other).answer('in')
  await inNight(night, host).decide(app.appidOf(name))
  await shownAt((await host.call(share.create, { id: night.night_id })).url)

  const { url } = await host.call(calendar.renewFeed, host.user)
  const planned = await host.call(
    nights.start,
    {},
    { group_id, title: name, starts_at: new Date(Date.now() + 9e6).toISOString() },
  )
  const feed = await (await fetch(url)).text()
  expect(feed).toContain(`/nights/${planned.night_id}`)
  expectReadable(feed.replaceAll('\r\n ', '').replaceAll('\\n', '\n'))

  app.simulator.fail({ endpoint: 'GetOwnedGames', steamId: other.steam_id, kind: 'status', status: 500 })
  const { synced } = await host.call(groups.syncGames, {}, { group_id })
  const failed = synced.find(({ success }) => !success)!
  expectReadable(failed.message)
  if (name === UNSEEN) expect(failed.message).toContain(other.steam_id)
})
