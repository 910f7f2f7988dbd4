/** What chats show of an invitation (NIGHT-120): from the HTML of its page, as their programs read it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newLinkToken } from '../../src/server/storage/groups/links.ts'
import { api, engines, startTestApp, type TestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/folders.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

const { groups, invites, nights } = api
const DISCORD = 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'

/** A page folder of the build, as far as the server reads it. */
function pagesFolder(): string {
  const folder = temporaryFolder('pages')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head></head><body></body></html>')
  return folder
}

/** The page of a link as a program sees it that makes previews. */
async function unfurled(app: TestApp, token: string) {
  const response = await fetch(`${app.url}/join/${token}`, { headers: { 'user-agent': DISCORD } })
  const html = await response.text()
  const tags: Partial<Record<string, string>> = {}
  for (const [, name, text] of html.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g))
    tags[name!] = text!
  return { status: response.status, html, tags }
}

/** A host's night on a Friday at 20:30 in Berlin with one who is in, and its link. */
async function nightWithLink(app: TestApp, title?: string) {
  const { host, others, groupId } = await friendsWithGames(app, 3)
  const night = await host.call(
    nights.start,
    {},
    {
      group_id: groupId,
      starts_at: '2026-06-05T18:30:00.000Z',
      zone: 'Europe/Berlin',
      ...(title !== undefined && { title }),
    },
  )
  await inNight(night, others[0]!).answer('in')
  const { token } = await host.call(invites.renewOfNight, { id: night.night_id })
  return { host, others, groupId, night, token }
}

const startApp = (engine: (typeof engines)[number]) =>
  startTestApp({ engine, pagesFolder: pagesFolder(), clock: () => Date.parse('2026-06-01T12:00:00.000Z') })

test('NIGHT-50: tokens end in a letter or digit', () => {
  for (let nth = 0; nth < 1000; nth++) expect(newLinkToken()).toMatch(/^[\w-]{31}[A-Za-z\d]$/)
})

describe.each(engines)('an invitation in a chat (%s)', (engine) => {
  test('NIGHT-120: of a night says what, when in its zone, who asks and how many are in, with a picture', async () => {
    const app = await startApp(engine)
    const { host, night, token } = await nightWithLink(app)
    const { status, tags } = await unfurled(app, token)
    expect(status).toBe(200)
    expect(tags).toMatchObject({
      title: 'Game night',
      description: 'Host invites you · Friday 5 June at 20:30, GMT+2 · 2 are in',
      url: `${app.url}/join/${token}`,
      image: `${app.url}/preview.png`,
    })

    // Faces are for the page alone.
    await host.call(nights.change, { id: night.night_id }, { faces: true })
    expect((await unfurled(app, token)).html).not.toContain('Player 1')
  })

  test('NIGHT-120: of a group says which, who asks and how many have joined; any name stays text', async () => {
    const app = await startApp(engine)
    const { host, groupId } = await friendsWithGames(app, 2)
    await host.call(groups.rename, { id: groupId }, { name: '"><script>$& alert(1)</script>' })
    const { token } = await host.call(invites.renewOfGroup, { id: groupId })
    const { html, tags } = await unfurled(app, token)
    expect(html).not.toContain('<script>')
    expect(tags).toMatchObject({
      title: '&#34;&#62;&#60;script&#62;$&#38; alert(1)&#60;/script&#62;',
      description: 'Host invites you · 2 members have joined',
    })
  })

  test.each(['.', ')', ',', '>', '%20', '/', '_', '.)', '%E3%80%82'])(
    'NIGHT-50: a link is found with %s pasted behind it, also by the page',
    async (behind) => {
      const app = await startApp(engine)
      const { token } = await nightWithLink(app)
      const [pasted, plain] = [await unfurled(app, token + behind), await unfurled(app, token)]
      expect(pasted.html).toBe(plain.html)
      expect(plain.tags.title).toBe('Game night')
      const read = await app
        .callsOf(undefined)
        .request(`/api/invites/${token}${behind === '/' ? '' : behind}`)
      expect(await read.json()).toMatchObject({ kind: 'night', invited_by: 'Host' })
      // A link that is longer by letters is another one.
      expect((await unfurled(app, `${token}a`)).tags).toEqual({})
    },
  )

  test('NIGHT-120: that is unknown, switched off or of a cancelled night shows nothing', async () => {
    const app = await startApp(engine)
    const off = await nightWithLink(app, 'Secret plan')
    await off.host.call(invites.switchOffOfNight, { id: off.night.night_id })
    const cancelled = await nightWithLink(app, 'Secret plan')
    await cancelled.host.call(nights.cancel, { id: cancelled.night.night_id })
    const unknown = await unfurled(app, 'A'.repeat(32))
    expect(unknown.tags).toEqual({})
    for (const token of [off.token, cancelled.token, 'no-token']) {
      const { status, html } = await unfurled(app, token)
      expect([status, html]).toEqual([unknown.status, unknown.html])
    }
  })
})
