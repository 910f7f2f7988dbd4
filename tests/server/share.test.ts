/** Public links to what was picked, and what groups choose for their nights (NIGHT-75, NIGHT-76). */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

const FRIDAY = Date.UTC(2026, 5, 5, 18)

async function begin(engine: (typeof engines)[number]) {
  const app = await startTestApp({ engine, clock: () => FRIDAY })
  const people = await friendsWithGames(app, 3, ['Portal <2>', 'Factorio'])
  const { host, ada, ben: bob, groupId, appids } = people
  const night = await host.call(api.nights.start, {}, { group_id: groupId })
  await inNight(night, ada).answer('in')
  const id = { id: night.night_id }
  const pick = async () => {
    await inNight(night, host).decide(appids[0]!)
  }
  const path = (url: string) => url.slice(app.url.length)
  const get = (url: string, init?: RequestInit) => app.callsOf(undefined).request(path(url), init)
  return { app, ...people, ada, bob, night, id, pick, get }
}

describe.each(engines)('a shared pick (%s)', (engine) => {
  test('NIGHT-76: is a page for everybody with the link, without people and hours', async () => {
    const { app, host, ada, id, pick, get } = await begin(engine)
    await pick()
    expect(await host.call(api.share.read, id)).toBeNull()
    const link = await ada.call(api.share.create, id)
    expect(await host.call(api.share.create, id)).toEqual(link)
    expect(await host.call(api.share.read, id)).toEqual(link)

    // As people paste it.
    for (const behind of ['.', ')', '/', '%20']) expect((await get(link.url + behind)).status).toBe(200)
    const response = await get(link.url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; font-src 'self'; style-src 'sha256-/,
    )
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const html = await response.text()
    expect(html).toContain('<h1>Portal &#60;2&#62;</h1>')
    expect(html).toContain('<p class="above">Friday</p>')
    expect(html).toContain('<p class="first">Friday 5 June at 18:00, UTC</p>\n<p>2 are in</p>')
    expect(html).toContain(`<a class="button" href="${app.url}/">See what you can all play</a>`)
    expect(html).toContain('content="Friday · Friday 5 June at 18:00, UTC · 2 are in"')
    expect(html).toContain(`<meta property="og:url" content="${link.url}">`)
    const font = await app.callsOf(undefined).request('/share/inter.woff2')
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2'])
    const [, image = ''] = /<meta property="og:image" content="([^"]+)">/.exec(html)!
    expect(image).toMatch(/^https:\/\/.+\/header\.jpg/)
    expect(html.replace(image, '')).not.toMatch(/<script|style=|Host|Player|steam|7656119/)
    expect((await app.callsOf(undefined).request(`/api/nights/${id.id}`)).status).toBe(401)
  })

  test('NIGHT-75: needs a pick, somebody who is in, and a group that shares', async () => {
    const { host, ada, bob, groupId, id, pick } = await begin(engine)
    expect(await ada.refused(api.share.create, id)).toMatchObject({ status: 409, code: 'vote_is_open' })
    await pick()
    expect(await bob.refused(api.share.create, id)).toMatchObject({ status: 403, code: 'forbidden' })
    const settings = await host.call(api.share.changeSettings, { id: groupId }, { shares: false })
    expect(settings).toEqual({ not_tonight_forbids: false, shares: false })
    expect(await ada.refused(api.share.create, id)).toMatchObject({ status: 409, code: 'sharing_is_off' })
  })

  test('NIGHT-75, NIGHT-76: is gone when its link or the sharing of its group is switched off, or the night is cancelled', async () => {
    const { app, host, ada, groupId, id, pick, get } = await begin(engine)
    await pick()
    const of = { id: groupId }
    const notFound = async (url: string) => {
      const page = await get(url)
      return [page.status, await page.text()]
    }
    const unknown = await notFound(`${app.url}/share/${'A'.repeat(32)}`)
    expect(unknown).toEqual([404, expect.stringContaining('no longer valid')])
    for (const token of ['x', '%00', 'a.b', `${'A'.repeat(31)}%F0%9F%8E%AE`])
      expect(await notFound(`${app.url}/share/${token}`), token).toEqual(unknown)

    const first = await ada.call(api.share.create, id)
    await host.call(api.share.remove, id)
    expect(await notFound(first.url)).toEqual(unknown)
    const second = await ada.call(api.share.create, id)
    expect(second.url).not.toBe(first.url)
    expect((await get(second.url)).status).toBe(200)
    await host.call(api.share.changeSettings, of, { shares: false })
    expect(await notFound(second.url)).toEqual(unknown)
    await host.call(api.share.changeSettings, of, { shares: true })
    expect(await notFound(second.url)).toEqual(unknown)
    expect(await host.call(api.share.read, id)).toBeNull()
    const third = await ada.call(api.share.create, id)
    await inNight({ night_id: id.id }, host).cancel()
    expect(await notFound(third.url)).toEqual(unknown)
  })
})

test('NIGHT-75: a group chooses for its nights that a mark forbids; members read it', async () => {
  const { host, ada, groupId } = await begin('sqlite')
  const of = { id: groupId }
  await host.call(api.share.changeSettings, of, { not_tonight_forbids: true })
  expect(await ada.call(api.share.settings, of)).toEqual({ not_tonight_forbids: true, shares: true })
  expect((await host.call(api.nights.start, {}, { group_id: groupId })).forbids).toBe(true)
  expect(await host.call(api.share.changeSettings, of, {})).toEqual({
    not_tonight_forbids: true,
    shares: true,
  })
})
