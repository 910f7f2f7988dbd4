/** A night picks what everybody has who may come, unless its leader says otherwise; its vote can end by itself (NIGHT-152, NIGHT-153). */
import { describe, expect, test } from 'vitest'
import { api, engines, setVisibility, startTestApp } from '../support/app.ts'
import { startReceiver } from '../support/hooks.ts'
import { inNight, readStore, startInGroup as start } from '../support/nights.ts'

const HOUR = 60 * 60_000
const MINUTE = 60_000

describe.each(engines)('on %s', (engine) => {
  /** A night of four, of whom Ben, who is asked, lacks Factorio; the host and Ada are in. */
  async function cast({ isFree = false } = {}) {
    const receiver = await startReceiver()
    const clock = { now: Date.parse('2026-11-20T18:00:00Z') }
    const app = await startTestApp({ engine, clock: () => clock.now, web: receiver.web })
    const both = { Portal: 60, Factorio: 600 }
    const ada = await app.player({ name: 'Ada', games: both })
    const ben = await app.player({ name: 'Ben', games: { Portal: 60 } })
    const eve = await app.player({ name: 'Eve', games: both })
    const host = await app.player({ name: 'Host', games: both, friends: [ada, ben, eve] })
    for (const game of app.simulator.world.apps) if (game.name === 'Factorio') game.free = isFree
    await readStore(app)
    const { group_id } = await app.group({ owner: host, members: [ada, ben, eve] })
    const night = await start(host, group_id)
    await inNight(night, ada).answer('in')
    const [portal, factorio] = [app.appidOf('Portal'), app.appidOf('Factorio')]
    const want = (...appids: number[]) => appids.map((appid) => ({ appid, mark: 'want' as const }))
    const change = (body: object) => host.call(api.nights.change, { id: night.night_id }, body)
    const id = { id: night.night_id }
    return {
      receiver,
      clock,
      app,
      host,
      ada,
      ben,
      eve,
      groupId: group_id,
      night,
      id,
      portal,
      factorio,
      want,
      change,
    }
  }

  test('NIGHT-152: a game that somebody who may come lacks is neither picked nor drawn, however wanted', async () => {
    const { host, ada, ben, night, portal, factorio, want } = await cast()
    await inNight(night, ada).vote(want(factorio))
    await inNight(night, host).vote([...want(factorio), { appid: portal, mark: 'fine' }])
    const ended = await inNight(night, host).close()
    expect(ended).toMatchObject({ status: 'decided', any_owner: false, pick: { appid: portal, lacking: [] } })
    expect(ended.scores).toEqual([{ appid: portal, score: 1, ruled_out: false }])
    await inNight(night, host).reopen()
    // Who says no need not own it.
    await inNight(night, ben).answer('out')
    expect((await inNight(night, host).close()).pick).toMatchObject({ appid: factorio, lacking: [] })
  })

  test('NIGHT-152: its leader can allow it while the vote is open; those who may know read who lacks it', async () => {
    const { host, ada, ben, eve, night, id, factorio, want, change } = await cast()
    expect(await ada.refused(api.nights.change, id, { any_owner: true })).toMatchObject({ status: 403 })
    expect(await change({ any_owner: true })).toMatchObject({ any_owner: true })
    await inNight(night, host).vote(want(factorio))
    await inNight(night, host).close()
    expect((await inNight(night, host).read()).pick).toMatchObject({
      appid: factorio,
      lacking: [ben.steam_id],
    })
    expect((await inNight(night, ada).read()).pick!.lacking).toEqual([ben.steam_id])
    expect(await host.refused(api.nights.change, id, { any_owner: false })).toMatchObject({ status: 409 })
    await setVisibility(ben, 'nobody')
    expect((await inNight(night, eve).read()).pick!.lacking).toEqual([])
  })

  test('NIGHT-152: the library of somebody who is not in does not count if a guest may not see it', async () => {
    const { app, host, ada, ben, eve, night, id, factorio, want } = await cast()
    expect((await inNight(night, host).read()).my.pick_counts).toEqual([ben.steam_id, eve.steam_id])
    const guest = await app.player({ name: 'Guest', games: { Portal: 60, Factorio: 600 } })
    const { url } = await host.call(api.invites.renewOfNight, id)
    await guest.call(api.invites.accept, { token: url.split('/').at(-1)! }, { answer: 'in' })
    await inNight(night, ada).vote(want(factorio))
    const { counted, my } = await inNight(night, host).read()
    expect(counted).toContain(ben.steam_id)
    expect(my.pick_counts).toEqual([])
    await inNight(night, host).close()
    const { pick, scores } = await inNight(night, guest).read()
    expect(pick).toMatchObject({ appid: factorio, lacking: [] })
    expect(scores).toHaveLength(2)
  })

  test('NIGHT-152: a free game is for all', async () => {
    const { host, night, factorio, want } = await cast({ isFree: true })
    await inNight(night, host).vote(want(factorio))
    expect((await inNight(night, host).close()).pick).toMatchObject({ appid: factorio, is_free: true })
  })

  test('NIGHT-152, NIGHT-122: a free game that one who is in lacks is listed and picked, and no near miss', async () => {
    const { app, host, ada, ben, factorio, want } = await cast({ isFree: true })
    const guest = await app.player({ name: 'Guest', games: { Portal: 1 }, friends: [host] })
    const steam_ids = [ada, ben, guest].map((one) => one.steam_id)
    const night = await host.call(api.nights.start, {}, { steam_ids })
    for (const one of [ada, ben]) await inNight(night, one).answer('in')
    const seenBy = async (who: typeof host) => {
      const { shortlist, near_misses } = await inNight(night, who).read()
      expect(near_misses).toEqual([])
      return shortlist.find(({ appid }) => appid === factorio)
    }
    expect(await seenBy(host)).toMatchObject({ is_free: true, lacking: [ben.steam_id, guest.steam_id] })
    // Players who are not in and may not see Ben's library do not learn what it lacks.
    expect(await seenBy(guest)).toMatchObject({ lacking: [guest.steam_id] })
    await inNight(night, ben).vote(want(factorio))
    expect((await inNight(night, host).close()).pick).toMatchObject({ appid: factorio })
  })

  test('NIGHT-152: nothing is picked if somebody lacks every game', async () => {
    const { app, host } = await cast()
    const leo = await app.player({ name: 'Leo', games: { Braid: 5 }, friends: [host] })
    const night = await host.call(api.nights.start, {}, { steam_ids: [leo.steam_id] })
    expect(await host.refused(api.nights.close, { id: night.night_id }, { by: 'draw' })).toMatchObject({
      status: 409,
      code: 'no_games_left',
      error: 'Somebody who has not said no lacks every game.',
    })
  })

  test('NIGHT-152, NIGHT-68, NIGHT-76: messages and the shared pick say how many lack it, without a name', async () => {
    const { app, receiver, host, ben, groupId, night, id, factorio, want, change } = await cast()
    await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
    await change({ any_owner: true })
    await inNight(night, host).vote(want(factorio))
    await inNight(night, host).close()
    while ((await app.deps.messages.runOnce()) > 0);
    const told = receiver.bodies().find(({ event }) => event === 'night.decided')!
    expect(told.night).toMatchObject({ lacking: 1 })
    const { url } = await host.call(api.share.create, id)
    const page = async () => (await app.http.inject(new URL(url).pathname)).body
    expect(await page()).not.toContain('does not have')
    // To strangers it counts nobody who has not said that they come.
    await inNight(night, ben).answer('in')
    expect(await page()).toContain('1 does not have the game yet')
    expect(await page()).not.toContain('Ben')
  })

  test('NIGHT-153: a vote ends by itself at its time, once, with what has votes', async () => {
    const { app, clock, host, ada, night, id, portal, want, change } = await cast()
    const closesAt = new Date(clock.now + HOUR).toISOString()
    expect(await change({ vote_closes_at: closesAt })).toMatchObject({ vote_closes_at: closesAt })
    for (const wrong of [clock.now - MINUTE, clock.now + 13 * HOUR])
      expect(
        await host.refused(api.nights.change, id, { vote_closes_at: new Date(wrong).toISOString() }),
      ).toMatchObject({ status: 400, field: 'vote_closes_at' })
    await inNight(night, ada).vote(want(portal))
    clock.now += HOUR - MINUTE
    await app.deps.messages.runOnce()
    expect(await inNight(night, host).read()).toMatchObject({ status: 'open' })
    clock.now += MINUTE
    await app.deps.messages.runOnce()
    const ended = await inNight(night, host).read()
    expect(ended).toMatchObject({ status: 'decided', pick: { appid: portal, drawn_by: null } })
    // A vote that is reopened does not end again at a time that has passed.
    await inNight(night, host).reopen()
    await app.deps.messages.runOnce()
    expect(await inNight(night, host).read()).toMatchObject({ status: 'open', vote_closes_at: null })
  })

  test.each([
    ['nobody has voted', false],
    ['somebody lacks each game with a vote', true],
  ])('NIGHT-153: it stays open at its time where %s', async (_why, votes) => {
    const { app, clock, host, night, factorio, want, change } = await cast()
    await change({ vote_closes_at: new Date(clock.now + HOUR).toISOString() })
    if (votes) await inNight(night, host).vote(want(factorio))
    clock.now += HOUR
    await app.deps.messages.runOnce()
    expect(await inNight(night, host).read()).toMatchObject({ status: 'open', vote_closes_at: null })
    await inNight(night, host).close()
  })
})
