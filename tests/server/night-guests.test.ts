/**
 * What a night shows to those who may not see all of it (NIGHT-151, VIS-4): two worlds that differ only in something that a
 * viewer may not know give the same answers to every GET, and the same stream.
 */
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { pathOf } from '#shared/path.ts'
import {
  api,
  type EngineName,
  engines,
  setVisibility,
  startTestApp,
  type TestApp,
  type TestPlayer,
} from '../support/app.ts'
import { watch } from '../support/events.ts'
import { inNight, readStore, startInGroup } from '../support/nights.ts'

const { groups, invites, nights, share } = api
const START = Date.UTC(2026, 5, 1, 12)
const SHARED = { Portal: 600, Factorio: 500, Overcooked: 400 }
const WHO = ['outsider', 'out', 'maybe', 'in', 'friend', 'unjoined'] as const
type Who = (typeof WHO)[number]

/**
 * A night of a group in which the host, Vic and Wes are in. Vic shows his library to members of his groups only; the
 * friend is one of his friends. Una and one or two more were added to the group and have not joined it.
 */
async function startWorld(engine: EngineName, nth: 0 | 1, viewer: Who) {
  const app = await startTestApp({ engine, clock: () => START })
  // 'In' agrees to near misses among those who are in.
  const own = (secret: string): Record<string, number> => (viewer === 'in' ? {} : { [secret]: 50 })
  const id = (last: number) => `765611979603002${String(last).padStart(2, '0')}`
  const secrets = ['Left', 'Right'] as const
  for (const name of secrets) app.appidOf(name)
  const secret = secrets[nth]
  const vic = await app.player({ steamId: id(1), name: 'Vic', games: { ...SHARED, ...own(secret) } })
  const wes = await app.player({ steamId: id(2), name: 'Wes', games: { ...SHARED, ...own(secret) } })
  const una = await app.player({
    steamId: id(3),
    name: 'Una',
    games: { ...SHARED, ...(viewer !== 'unjoined' && { [secret]: 70 }) },
  })
  const more = [
    await app.player({ steamId: id(4), name: 'Mo', games: { Portal: 1 } }),
    await app.player({ steamId: id(5), name: 'May', games: { Portal: 1 } }),
  ]
  const host = await app.player({
    steamId: id(6),
    name: 'Host',
    games: SHARED,
    friends: [vic, wes, una, ...more],
  })
  const zoe = await app.player({
    steamId: id(7),
    name: 'Zoe',
    games: { Portal: 5, Factorio: 5 },
    friends: viewer === 'friend' ? [vic] : [],
  })
  await readStore(app)
  for (const one of [vic, wes]) await setVisibility(one, 'groups')
  const { group_id } = await app.group({ owner: host, members: [vic, wes] })
  // Who is in, or was asked, sees all who were.
  const seesAsked = viewer === 'unjoined' || viewer === 'in'
  const asked = seesAsked ? more : nth === 0 ? [more[0]!] : [more[1]!, more[0]!]
  await host.call(
    groups.addMembers,
    { id: group_id },
    {
      steam_ids: [una, ...asked].map(({ steam_id }) => steam_id),
    },
  )
  const { night_id } = await startInGroup(host, group_id)
  for (const one of [vic, wes]) await inNight({ night_id }, one).answer('in')
  await app.write(async (tx) => {
    await tx
      .updateTable('nights')
      .set({ seed: '5'.repeat(64) })
      .execute()
    const plays = { playing: secret, playing_appid: app.appidOf(secret) }
    // A friend sees who is online anyway.
    const personastate = viewer === 'friend' ? 1 : nth
    await tx
      .updateTable('people')
      .set({ ...plays, personastate })
      .where('steam_id', '=', vic.steam_id)
      .execute()
  })
  await app.deps.readCache.refresh()
  const { token } = await host.call(invites.renewOfNight, { id: night_id })
  const me = viewer === 'unjoined' ? una : zoe
  if (viewer !== 'unjoined') await me.call(invites.accept, { token }, {})
  if (viewer === 'in' || viewer === 'maybe' || viewer === 'out')
    await inNight({ night_id }, me).answer(viewer)
  return { app, me, night_id, group_id, token, vic, wes, host, appid: app.appidOf('Portal') }
}

/** What a viewer is answered to every GET of the contract, about everyone and everything there is. */
async function answersTo(world: Awaited<ReturnType<typeof startWorld>>): Promise<Record<string, string>> {
  const { app, me, night_id, group_id, token, vic, appid } = world
  const found: Record<string, string> = {}
  const reads = Object.values(api)
    .flatMap((noun) => Object.values(noun) as Endpoint[])
    .filter(({ method, stream }) => method === 'GET' && !stream)
  for (const { path } of reads)
    for (const steamId of [me.steam_id, vic.steam_id]) {
      const url = pathOf(path, {
        id: path.includes('/groups/') ? group_id : night_id,
        steamId,
        mySteamId: me.steam_id,
        friendSteamId: vic.steam_id,
        gameId: appid,
        before: 1,
        from: 0,
        year: 2025,
        token,
      })
      const response = await me.request(url)
      found[url.replace(token, 'TOKEN')] = `${response.status} ${local(app, await response.text(), token)}`
    }
  return found
}

const local = (app: TestApp, text: string, token: string) =>
  text
    .replaceAll(app.url, 'APP')
    .replaceAll(token, 'TOKEN')
    .replaceAll(/localhost:\d+|127\.0\.0\.1:\d+/g, 'PLACE')
    .replaceAll(/UID:[\w-]+|request_id":"[^"]+"|"public_key":"[^"]+"/g, '')

describe.each(engines)('what a viewer may not know (%s)', (engine) => {
  test.each(WHO)('NIGHT-151, VIS-4: changes nothing for %s', { timeout: 120_000 }, async (viewer) => {
    const [one, two] = [await startWorld(engine, 0, viewer), await startWorld(engine, 1, viewer)]
    const first = await answersTo(one)
    expect(Object.keys(first).length).toBeGreaterThan(50)
    expect(await answersTo(two)).toEqual(first)
    const sent = []
    for (const { me, night_id, host } of [one, two]) {
      const stream = await watch(me)
      await inNight({ night_id }, host).answer('in', 'from eight')
      await stream.until(`night:${night_id}`)
      await inNight({ night_id }, host).answer('in', 'from nine')
      sent.push(await stream.until(`night:${night_id}`))
      stream.close()
    }
    expect(sent[1]).toEqual(sent[0])
    // The worlds are different, to those who may see it.
    const seen = async ({ wes, night_id }: typeof one) =>
      (await inNight({ night_id }, wes).read()).people.find(({ playing }) => playing !== null)?.playing
    expect([await seen(one), await seen(two)]).toEqual(['Left', 'Right'])
  })
})

describe.each(engines)('a guest of a night (%s)', (engine) => {
  test("NIGHT-151: sees who is in and the list by names, and what 'in' agrees to once they are in", async () => {
    const app = await startTestApp({ engine })
    const [ada, bob, cleo] = [
      await app.player({ name: 'Ada', games: { ...SHARED, Rust: 9 } }),
      await app.player({ name: 'Bob', games: { ...SHARED, Rust: 9 } }),
      await app.player({ name: 'Cleo', games: SHARED }),
    ]
    const host = await app.player({ name: 'Host', games: { ...SHARED, Rust: 9 }, friends: [ada, bob, cleo] })
    await readStore(app)
    const { group_id } = await app.group({ owner: host, members: [ada, bob, cleo] })
    for (const start of [{ group_id }, { steam_ids: [ada, bob, cleo].map(({ steam_id }) => steam_id) }]) {
      const night = await host.call(nights.start, {}, start)
      await ada.call(nights.answer, { id: night.night_id }, { answer: 'in', word: 'My ex comes too' })
      await inNight(night, bob).answer('maybe')
      const { token } = await host.call(invites.renewOfNight, { id: night.night_id })
      const zoe: TestPlayer = await app.player({ name: 'Zoe', games: SHARED })
      await zoe.call(invites.accept, { token }, {})
      const names = (view: Awaited<ReturnType<ReturnType<typeof inNight>['read']>>) =>
        view.people.map(({ display_name }) => display_name)
      const outside = await inNight(night, zoe).read()
      expect(names(outside)).toEqual(['Host', 'Ada', 'Zoe'])
      expect(outside.shortlist.map(({ name }) => name)).toEqual([...Object.keys(SHARED), 'Rust'])
      expect(outside.shortlist.every(({ facts }) => facts.known === 0 && facts.owners === 0)).toBe(true)
      expect(outside).toMatchObject({ near_misses: [], unknown: [], counted: [], group: null })
      expect(outside.people.map(({ word }) => word)).toEqual([null, null, null])
      const [listed] = (await zoe.call(nights.list, zoe.user)).nights
      expect(listed).toMatchObject({ in: 2, maybe: 0, out: 0, people: 3, group: null })
      await inNight(night, zoe).answer('in')
      const inside = await inNight(night, zoe).read()
      expect(names(inside)).toEqual(['Host', 'Ada', 'Bob', 'Cleo', 'Zoe'])
      expect(inside.shortlist[0]!.facts).toMatchObject({ known: 3, owners: 3 })
      expect(inside.near_misses.map(({ name }) => name)).toEqual(['Rust'])
      expect(inside.people.map(({ playing, library_status }) => [playing, library_status])).toEqual([
        [null, 'ok'],
        [null, 'ok'],
        [null, 'hidden'],
        [null, 'hidden'],
        [null, 'ok'],
      ])
    }
  })

  test('NIGHT-151, NIGHT-16, NIGHT-75: before being in sees no final votes, and cannot change the pick’s link', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ name: 'Ada', games: SHARED })
    const host = await app.player({ name: 'Host', games: SHARED, friends: [ada] })
    await readStore(app)
    for (const start of [
      { group_id: (await app.group({ owner: host, members: [ada] })).group_id },
      { steam_ids: [ada.steam_id] },
    ]) {
      const night = await host.call(nights.start, {}, start)
      const id = { id: night.night_id }
      await inNight(night, ada).answer('in')
      const { token } = await host.call(invites.renewOfNight, id)
      const [zoe, yan] = [
        await app.player({ name: 'Zoe', games: SHARED }),
        await app.player({ name: 'Yan', games: SHARED }),
      ]
      await zoe.call(invites.accept, { token }, { answer: 'out' })
      await yan.call(invites.accept, { token }, { answer: 'in' })
      for (const voter of [host, ada, yan])
        await inNight(night, voter).vote([{ appid: app.appidOf('Portal'), mark: 'want' }])
      const marksShownTo = async (viewer: TestPlayer) =>
        (await inNight(night, viewer).read()).people.flatMap(({ marks }) => marks ?? [])
      const { status, scores, odds, pick, people } = await inNight(night, zoe).read()
      expect({ status, scores, odds }).toEqual({ status: 'decided', scores: null, odds: null })
      expect(pick).toMatchObject({ name: 'Portal', odds: [], reason: null })
      expect(people.some(({ voted }) => voted)).toBe(false)
      expect(await marksShownTo(yan)).toHaveLength(3)
      expect(await marksShownTo(zoe)).toEqual([])
      await ada.call(share.create, id)
      expect(await zoe.refusedWith(share.remove, id)).toBe('forbidden')
      await yan.call(share.remove, id)
    }
  })

  test('NIGHT-151: before being in does not learn that votes ruled out every game', async () => {
    const app = await startTestApp({ engine })
    const ada = await app.player({ name: 'Ada', games: SHARED })
    const host = await app.player({ name: 'Host', games: SHARED, friends: [ada] })
    const zoe = await app.player({ name: 'Zoe', games: SHARED })
    await readStore(app)
    const night = await host.call(nights.start, {}, { steam_ids: [ada.steam_id], forbids: true })
    await inNight(night, ada).answer('in')
    const { token } = await host.call(invites.renewOfNight, { id: night.night_id })
    await zoe.call(invites.accept, { token }, { answer: 'out' })
    const marks = Object.keys(SHARED).map((name) => ({ appid: app.appidOf(name), mark: 'no' as const }))
    for (const voter of [host, ada]) await inNight(night, voter).vote(marks)
    expect((await inNight(night, host).read()).everything_ruled_out).toBe(true)
    expect((await inNight(night, zoe).read()).everything_ruled_out).toBe(false)
  })
})
