/** A year in six pictures (LATELY-5, LATELY-6). */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startAt, type TestPlayer } from '../support/app.ts'
import { answerAs, makeNight, makePick } from '../support/stored-nights.ts'
import { quick, syncGames } from '../support/sync-calls.ts'

const DAY = 24 * 60 * 60_000
const NOW = Date.UTC(2026, 8, 20, 12)
const PICKS = ['Portal', 'Rust', 'Quake', 'Dota']

/** Ada has a group with Bob and Cal, all with the games that are picked. */
async function crew(engine: (typeof engines)[number], name = 'Ada') {
  const { app, time } = await startAt(NOW, { engine, steamTiming: quick })
  const games = Object.fromEntries(PICKS.map((name, nth) => [name, 100 + nth]))
  const bob = await app.player({ name: 'Bob', games })
  const cal = await app.player({ name: 'Cal', games })
  const ada = await app.player({ name, games, friends: [bob, cal] })
  const { group_id: id } = await app.group({ owner: ada, members: [bob, cal] })
  type Told = { startsAt: number; pick: string; groupId?: number; answers: [TestPlayer, Answer][] }
  const night = ({ pick, answers, ...rest }: Told) =>
    makePick(app, { ...rest, appids: [app.appidOf('Dota'), app.appidOf(pick)] }, answers)
  const mine = (who: TestPlayer, year = 2026) => who.call(api.year.mine, { ...who.user, year: String(year) })
  const ofGroup = (who: TestPlayer, year = 2026) => who.call(api.year.ofGroup, { id, year: String(year) })
  return { app, time, ada, bob, cal, id, night, mine, ofGroup, all: [ada, bob, cal] }
}
type Answer = 'in' | 'maybe' | 'out' | null

/** What occurs, most often first; those that occur as often in the order in which they come. */
function counted<Item>(items: readonly Item[]): [Item, number][] {
  const found = [...new Set(items)].map((item): [Item, number] => [
    item,
    items.filter((one) => one === item).length,
  ])
  return found.sort((a, b) => b[1] - a[1])
}

describe.each(engines)('a year (%s)', (engine) => {
  test('LATELY-5, LATELY-6: nights are as a naive count has them, by month, game and player', async () => {
    const { app, ada, id, night, mine, ofGroup, all } = await crew(engine)
    const choose = <Item>(items: readonly Item[], by: number) => items[by % items.length]!
    const made = []
    for (let nth = 1; nth <= 36; nth++) {
      const answers = all.map((player, place): [TestPlayer, Answer] => [
        player,
        choose(['in', 'in', 'maybe', 'in', null, 'out'] as const, nth * 7 + place * (nth % 5)),
      ])
      const startsAt = NOW - ((nth * 131) % 640) * DAY - nth * 60_000
      const rest = nth % 4 === 0 ? {} : { groupId: id }
      const pick = choose(PICKS, nth * nth + (nth % 3))
      made.push({ startsAt, pick, ...rest, came: answers.filter(([, one]) => one === 'in') })
      await night({ startsAt, pick, ...rest, answers })
    }
    // Not begun yet, and without a pick.
    await night({
      ...{ startsAt: NOW + DAY, pick: 'Rust', groupId: id },
      answers: all.map((player) => [player, 'in']),
    })
    await answerAs(
      app,
      await makeNight(app, { host: ada, players: all.slice(1), groupId: id }),
      all[1]!,
      'in',
    )

    const latest = made.toSorted((a, b) => b.startsAt - a.startsAt).filter(({ came }) => came.length > 1)
    const of = (year: number, time: number) => new Date(time).getUTCFullYear() === year
    for (const year of [2025, 2026]) {
      const nightsOf = (list: typeof latest) => list.filter(({ startsAt }) => of(year, startsAt))
      const check = (answer: Awaited<ReturnType<typeof mine>>, among: typeof latest, me?: TestPlayer) => {
        const nights = nightsOf(among)
        const came = nights.flatMap((one) => one.came.map(([player]) => player.steam_id))
        expect(answer.nights.count).toBe(nights.length)
        expect(answer.nights.people).toBeCloseTo(came.length / nights.length)
        const met = counted(came.filter((one) => one !== me?.steam_id))
        expect(new Map(answer.people.map((one) => [one.steam_id, one.nights]))).toEqual(new Map(met))
        expect(answer.people.map((one) => one.nights)).toEqual(met.map(([, count]) => count))
        const [[pick, times]] = counted(nights.map((one) => one.pick)) as [[string, number]]
        expect(answer.pick).toMatchObject({ name: pick, nights: times })
        expect(answer.years).toEqual(expect.arrayContaining([2026, 2025]))
        return nights
      }
      check(
        await mine(ada, year),
        latest.filter(({ came }) => came.some(([player]) => player === ada)),
        ada,
      )
      const group = await ofGroup(ada, year)
      const nights = check(
        group,
        latest.filter(({ groupId }) => groupId === id),
      )
      const months = Array.from({ length: year === 2026 ? 9 : 12 }, (_, month) => month)
      expect(group.months).toEqual(
        months.map(
          (month) => nights.filter(({ startsAt }) => new Date(startsAt).getUTCMonth() === month).length,
        ),
      )
      expect(group.games.map(({ name, amount }) => [name, amount])).toEqual(
        counted(nights.map(({ pick }) => pick)),
      )
      const earlier = latest.filter(
        (one) => one.groupId === id && new Date(one.startsAt).getUTCFullYear() < year,
      )
      const news = group.games.filter(({ name }) => !earlier.some(({ pick }) => pick === name))
      expect([group.first.count, group.first.most?.name]).toEqual([news.length, news[0]?.name])
    }
  })

  test('LATELY-5: hours by month since they are counted, and what was played for the first time', async () => {
    const { app, time, ada, mine } = await crew(engine)
    const old = { Portal: 100, Rust: 101, Quake: 102, Dota: 103 }
    const play = async (days: number, games: Record<string, number>) => {
      time.now += days * DAY
      app.giveGames(ada, games)
      expect((await syncGames(ada)).status).toBe(200)
    }
    const unknown = Array<null>(8).fill(null)
    expect(await mine(ada)).toMatchObject({
      months: [...unknown, 0],
      games: [],
      since: new Date(NOW).toISOString(),
    })
    await play(1, { ...old, Portal: 400, New: 30 })
    // More than there is time for was played before; the game was not new then.
    await play(20, { ...old, Portal: 400, New: 90, Offline: 99_000 })
    await play(1, { ...old, Portal: 400, New: 90, Offline: 99_010 })
    const { months, games, first, pick, people, nights } = await mine(ada)
    expect(months).toEqual([...unknown, 330, 70])
    expect(games.map(({ name, amount }) => [name, amount])).toEqual([
      ['Portal', 300],
      ['New', 90],
      ['Offline', 10],
    ])
    expect(first).toMatchObject({ count: 1, most: { name: 'New' } })
    expect([pick, people, nights]).toEqual([null, [], { count: 0, people: 0 }])
    expect(await mine(ada, 2025)).toMatchObject({ months: Array(12).fill(null), years: [2026] })
    expect((await mine(ada, 2027)).months).toEqual([])
    expect((await ada.refused(api.year.mine, { ...ada.user, year: 'x' })).status).toBe(400)

    // A session ends after 30 days without use.
    for (; time.now < Date.UTC(2026, 11, 30); time.now += 20 * DAY) await mine(ada)
    await play(8, { ...old, Portal: 460, New: 120, Offline: 99_010 })
    expect(await mine(ada, 2027)).toMatchObject({ months: [90], first: { count: 0 }, years: [2027, 2026] })
  })

  test('LATELY-6: a group’s year has all its picks, and who is left', async () => {
    const { ada, cal, id, night, mine, ofGroup, all } = await crew(engine)
    const answers = all.map((player): [TestPlayer, Answer] => [player, 'in'])
    for (const [nth, pick] of ['Rust', 'Quake', 'Quake'].entries())
      await night({ startsAt: NOW - (nth + 1) * DAY, pick, groupId: id, answers })
    const before = await ofGroup(ada)
    expect(before).toMatchObject({ since: null, pick: { name: 'Quake', nights: 2 }, first: { count: 2 } })
    await cal.call(api.groups.leave, { id })
    expect((await ofGroup(ada)).people.map(({ display_name }) => display_name).sort()).toEqual(['Ada', 'Bob'])
    expect((await ofGroup(ada)).nights).toEqual(before.nights)
    expect(await mine(cal)).toMatchObject({ pick: null, nights: { count: 0 } })
  })

  test('LATELY-5, LATELY-6, PERM-5, PERM-8, VIS-1: what one must not know changes no byte, and no year is too far', async () => {
    const { app, time, ada, bob, cal, id, night, all } = await crew(engine)
    const answers = all.map((player): [TestPlayer, Answer] => [player, 'in'])
    for (const at of [Date.UTC(2025, 11, 31, 23, 59, 59, 999), Date.UTC(2026, 0, 1)])
      await night({ startsAt: at, pick: 'Quake', groupId: id, answers })
    const stranger = await app.player({ name: '\u202Eeve' })
    const asked = await app.player({ friends: [ada] })
    await ada.call(api.groups.addMembers, { id }, { steam_ids: [asked.steam_id] })
    const read = async (who: TestPlayer, path: string) => {
      const response = await app.callsOf(who.token).request(path, { method: 'GET' })
      return [response.status, await response.text()] as const
    }
    const mine = `/api/users/${ada.steam_id}/year`
    const ofGroup = `/api/groups/${id}/year`
    const both = (path: string) => Promise.all([2025, 2026].map((year) => read(ada, `${path}/${year}`)))
    const [own, ofAll] = [await both(mine), await both(ofGroup)]
    for (const [status, body] of [...own, ...ofAll])
      expect([status, JSON.parse(body)]).toMatchObject([200, { nights: { count: 1, people: 3 } }])
    // What others play, hide, and do without Ada.
    time.now += DAY
    app.giveGames(bob, { Portal: 900, Quake: 5000, Secret: 60 })
    expect((await syncGames(bob)).status).toBe(200)
    await bob.call(api.privacy.hideGame, { ...bob.user, gameId: app.appidOf('Secret') })
    const withoutAda = answers.map(([who]): [TestPlayer, Answer] => [who, who === ada ? null : 'in'])
    await night({ startsAt: NOW - DAY, pick: 'Rust', answers: withoutAda })
    for (const visibility of ['groups', 'nobody'] as const) {
      await setVisibility(bob, visibility)
      expect([await both(mine), await both(ofGroup)]).toEqual([own, ofAll])
    }
    await bob.call(api.privacy.hideGame, { ...bob.user, gameId: app.appidOf('Quake') })
    expect([await both(mine), await both(ofGroup)]).toEqual([own, ofAll])

    const none = await read(stranger, '/api/groups/999999/year/2026')
    expect(none[0]).toBe(404)
    expect(await read(stranger, `${ofGroup}/2026`)).toEqual(none)
    expect((await read(asked, `${ofGroup}/2026`))[0]).toBe(403)
    expect((await read(stranger, `${mine}/2026`))[0]).toBe(403)
    await cal.call(api.groups.leave, { id })
    expect(await read(cal, `${ofGroup}/2026`)).toEqual(none)
    await bob.call(api.privacy.deleteAccount, bob.user)
    for (const path of [mine, ofGroup]) {
      expect(JSON.stringify(await both(path))).not.toContain(bob.steam_id)
      for (const year of ['1970', '2999', '02026', '-2026', '2e3'])
        expect((await read(ada, `${path}/${year}`))[0], year).toBe(400)
      for (const year of ['2000', '2099'])
        expect((await read(ada, `${path}/${year}`))[1], year).toContain('"games":[]')
    }
  })

  test('LATELY-5, LATELY-6, NIGHT-75, NIGHT-76, VIS-8: a shared year names its user alone, and nothing that is hidden', async () => {
    const { app, time, ada, bob, cal, id, night, all } = await crew(engine, '<b>Ada</b>')
    const [yearOf, ofGroup] = [
      { ...ada.user, year: '2026' },
      { id, year: '2026' },
    ]
    const get = async ({ url }: { url: string }, language = 'en') => {
      const init = { method: 'GET', headers: { 'accept-language': language } }
      const page = await app.callsOf(undefined).request(url.slice(app.url.length), init)
      return { headers: page.headers, status: page.status, text: await page.text() }
    }
    const gone = await get({ url: `${app.url}/share/${'A'.repeat(32)}` })
    const isGone = async (link: { url: string }) =>
      expect(await get(link)).toMatchObject({ status: 404, text: gone.text })
    const play = async (more: Record<string, number>) => {
      time.now += DAY
      app.giveGames(ada, { Portal: 700, Rust: 101, ...more })
      await syncGames(ada)
    }
    await play({})
    for (const pick of ['Rust', 'Quake', 'Quake'])
      await night({ startsAt: NOW - DAY, pick, groupId: id, answers: all.map((one) => [one, 'in']) })
    expect(await ada.call(api.yearShare.read, yearOf)).toBeNull()
    const mine = await ada.call(api.yearShare.create, yearOf)
    expect(await ada.call(api.yearShare.create, yearOf)).toEqual(mine)
    const group = await bob.call(api.groupYearShare.create, ofGroup)
    expect(await ada.call(api.groupYearShare.read, ofGroup)).toEqual(group)

    const [own, ours] = [await get(mine), await get(group, 'de')]
    expect(own.headers.get('content-security-policy')).toMatch(/default-src 'none'.* img-src https:\/\/\S+;/)
    expect(own.headers.get('x-robots-tag')).toBe('noindex')
    for (const text of [
      '<p class="above">&#60;b&#62;Ada&#60;/b&#62;</p>\n<h1>The year 2026</h1>',
      '10 hours played · 3 game nights, with 3 people on average · Pick of the year: Quake',
      'loading="lazy"></span><span>Portal</span><b>10 h</b>',
    ])
      expect(own.text).toContain(text)
    expect(own.text.match(/not known<\/b>/g)).toHaveLength(8)
    expect(ours.text).toContain('<h1>Das Jahr 2026</h1>')
    expect(ours.text).toContain('<span>Quake</span><b>2 Abende</b>')
    expect(ours.text).not.toMatch(/ h<|Stunde/)
    expect(own.text + ours.text).not.toMatch(/<script|style=|Bob|Cal|7656119/)

    const readers = await Promise.all(Array.from({ length: 60 }, () => get(mine)))
    expect(new Set(readers.map(({ text }) => text))).toEqual(new Set([own.text]))

    // As if they were not there: hidden games, nights of a group that does not share, and a library that is private.
    await play({ Secret: 300 })
    expect((await get(mine)).text).toContain('Secret')
    await ada.call(api.privacy.hideGame, { ...ada.user, gameId: app.appidOf('Secret') })
    expect((await get(mine)).text).toBe(own.text)
    await ada.call(api.privacy.hideGame, { ...ada.user, gameId: app.appidOf('Quake') })
    expect((await get(mine)).text).toContain('Pick of the year: Rust')
    await ada.call(api.share.changeSettings, { id }, { shares: false })
    expect((await get(mine)).text).toMatch(/^(?![^]*(game night|Quake))[^]*10 hours played/)
    app.simulator.updatePlayer(ada.steam_id, { gamesPrivate: true })
    await play({})
    expect((await get(mine)).text).toContain('Nothing is known of this year.')
    await isGone(group)
    const refusal = { status: 409, code: 'sharing_is_off' }
    expect(await bob.refused(api.groupYearShare.create, ofGroup)).toMatchObject(refusal)
    await ada.call(api.share.changeSettings, { id }, { shares: true })
    await isGone(group)

    // It ends with whoever made it, and what it stands on.
    for (const end of [
      () => cal.call(api.groupYearShare.remove, ofGroup),
      () => bob.call(api.groups.leave, { id }),
    ]) {
      const link = await bob.call(api.groupYearShare.create, ofGroup)
      expect((await get(link)).status).toBe(200)
      await end()
      await isGone(link)
    }
    await setVisibility(ada, 'groups')
    expect(await ada.refused(api.yearShare.create, yearOf)).toMatchObject(refusal)
    await setVisibility(ada, 'connected')
    await isGone(mine)
    const last = await ada.call(api.yearShare.create, yearOf)
    const ofAll = await cal.call(api.groupYearShare.create, ofGroup)
    await ada.call(api.privacy.deleteAccount, ada.user)
    await isGone(last)
    expect((await get(ofAll)).status).toBe(200)
    await cal.call(api.groups.remove, { id })
    await isGone(ofAll)
    expect(await app.db.selectFrom('year_links').selectAll().execute()).toEqual([])
  })
})
