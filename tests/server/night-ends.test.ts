/** Game nights that are over or were deleted. */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, startTestApp } from '../support/app.ts'
import { friendsWithGames, inNight, startInGroup as start } from '../support/nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

describe.each(engines)('a game night (%s)', (engine) => {
  test('NIGHT-5, NIGHT-10, NIGHT-13, NIGHT-19: is over twelve hours after its start without a pick, and deleted after 400 days', async () => {
    const { app, time } = await startAt(Date.now(), { engine })
    const { host, groupId, appids } = await friendsWithGames(app, 2)
    const open = await start(host, groupId)
    const picked = await start(host, groupId)
    await inNight(picked, host).decide(appids[2]!)
    time.now += 12 * HOUR
    const seen = async () => (await host.call(api.nights.listOfGroup, { id: groupId })).nights
    expect((await seen()).map(({ status }) => status).toSorted()).toEqual(['decided', 'over'])
    expect((await inNight(open, host).read()).status).toBe('over')
    for (const [endpoint, body] of [
      [api.nights.answer, { answer: 'out' }],
      [api.nights.vote, { marks: [] }],
      [api.nights.close, { by: 'votes' }],
      [api.nights.cancel, undefined],
      [api.nights.change, { title: 'x' }],
      [api.nights.draw, undefined],
    ] as const)
      expect(
        await host.refused(endpoint as typeof api.nights.vote, { id: open.night_id }, body as { marks: [] }),
      ).toMatchObject({ status: 409, code: 'night_has_ended' })
    expect(
      await host.refused(api.nights.redraw, { id: picked.night_id }, { reason: 'too late' }),
    ).toMatchObject({ code: 'night_has_ended' })

    await app.deps.messages.runOnce()
    const rows = await app.db
      .selectFrom('nights')
      .select(['night_id', 'status', 'ended_at', 'starts_at'])
      .where('night_id', '=', open.night_id)
      .execute()
    expect(rows).toMatchObject([{ status: 'over', ended_at: rows[0]!.starts_at + 12 * HOUR }])
    // Nothing of a past night shows what its players do and own now.
    const past = await inNight(picked, host).read()
    expect(past.pick).toMatchObject({ appid: appids[2], ready: [] })
    expect(past.people.every((one) => one.personastate === 0)).toBe(true)
    time.now += 21 * DAY
    await seen()
    time.now += 21 * DAY
    const next = await start(host, groupId)
    expect(next.shortlist.find((game) => game.appid === appids[2])!.facts).toMatchObject({
      picked_weeks_ago: 6,
      picked_last: true,
    })
    time.now += 400 * DAY
    await app.deps.messages.runOnce()
    const stored = () => app.db.selectFrom('nights').select('night_id').execute()
    expect(await stored()).toEqual([{ night_id: next.night_id }])
    time.now += DAY
    await app.deps.messages.runOnce()
    expect(await stored()).toEqual([])
  })

  test('NIGHT-16, NIGHT-153: when somebody leaves, a vote that is complete ends by itself; one that is not any more stays open until its time', async () => {
    const { app, time } = await startAt(Date.parse('2026-11-20T18:00:00Z'), { engine })
    const { host, ada, ben, eve, groupId, appids } = await friendsWithGames(app, 4)
    const closesAt = new Date(time.now + 2 * HOUR).toISOString()
    /** Only Eve, who leaves, has not answered. */
    const completeWithoutEve = async () => {
      const night = await start(host, groupId)
      await host.call(api.nights.change, { id: night.night_id }, { vote_closes_at: closesAt })
      await inNight(night, ada).answer('in')
      await inNight(night, ben).answer('out')
      for (const player of [host, ada])
        await inNight(night, player).vote([{ appid: appids[0]!, mark: 'want' }])
      await inNight(night, host).remove(eve)
      return night
    }
    const [complete, changed] = [await completeWithoutEve(), await completeWithoutEve()]
    await inNight(changed, ben).answer('in')
    time.now += 10_000
    await app.deps.messages.runOnce()
    expect(await inNight(complete, host).read()).toMatchObject({ status: 'decided' })
    expect(await inNight(changed, host).read()).toMatchObject({ status: 'open', vote_closes_at: closesAt })
    time.now += 2 * HOUR
    await app.deps.messages.runOnce()
    expect(await inNight(changed, host).read()).toMatchObject({ status: 'decided' })
  })

  test('NIGHT-8, NIGHT-13: of a deleted group or account leaves nothing behind', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
    const night = await start(ada, groupId)
    await inNight(night, ada).vote([{ appid: appids[0]!, mark: 'want' }])
    await inNight(night, ada).close('draw')
    await inNight(night, ada).draw()
    await inNight(night, ada).redraw('because I say so')
    const alone = await ada.call(api.nights.start, {}, { steam_ids: [host.steam_id] })
    await inNight(alone, host).remove(host)
    await ada.call(api.privacy.deleteAccount, ada.user)
    const everything = async () => {
      const { queries } = app.database
      const tables = ['nights', 'night_people', 'night_draws', 'invites'] as const
      return JSON.stringify(
        await Promise.all(tables.map((table) => queries.selectFrom(table).selectAll().execute())),
      )
    }
    expect(await everything()).not.toContain(ada.steam_id)
    expect(await everything()).not.toContain('because I say so')
    expect(await inNight(night, bob).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
    await host.call(api.groups.remove, { id: groupId })
    expect(await everything()).toBe('[[],[],[],[]]')
  })
})
