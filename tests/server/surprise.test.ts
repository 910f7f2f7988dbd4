/** A pick without a vote (NIGHT-154). */
import { describe, expect, test } from 'vitest'
import { checkDraw } from '#shared/nights/draw.ts'
import { api, engines, setVisibility, startAt } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { inNight, readStore } from '../support/nights.ts'

describe.each(engines)('a surprise (%s)', (engine) => {
  /** Portal is what all who have joined own; Bob lacks Rust, and Ivy, who has not joined, owns nothing. */
  async function cast(more: Record<string, number> = {}) {
    const { app, time: clock } = await startAt(Date.parse('2026-11-20T18:00:00Z'), { engine })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60, Rust: 60, ...more } })
    const bob = await app.player({ name: 'Bob', games: { Portal: 5, ...more } })
    const ivy = await app.player({ name: 'Ivy', games: {} })
    const host = await app.player({
      name: 'Host',
      games: { Portal: 60, Rust: 600, ...more },
      friends: [ada, bob, ivy],
    })
    await readStore(app)
    const { group_id: id } = await app.group({ owner: host, members: [ada, bob], asked: [ivy] })
    const surprise = (by = host) => by.call(api.nights.surprise, { id })
    return { clock, app, ada, bob, ivy, host, id, surprise, appid: (name: string) => app.appidOf(name) }
  }

  test('NIGHT-154, LIVE-2: is a decided night with what all who have joined have, and a proof; others see it', async () => {
    const { ada, ivy, surprise, appid, id } = await cast()
    const stream = await watch(ada)
    const night = await surprise()
    await stream.until('nights')
    stream.close()
    expect(night).toMatchObject({
      status: 'decided',
      group: { group_id: id },
      my: { answer: 'in' },
      pick: { appid: appid('Portal'), by: 'draw', odds: [{ appid: appid('Portal'), weight: 5 }] },
    })
    const [draw] = night.draws
    expect(checkDraw(night.night_id, { ...draw!, seed: draw!.seed! })).toEqual({
      appid: appid('Portal'),
      hashMatches: true,
    })
    expect((await inNight(night, ada).read()).pick!.appid).toBe(appid('Portal'))
    expect(await ivy.refusedWith(api.nights.read, { id: night.night_id })).toBe('night_not_found')
    expect(await ivy.refusedWith(api.nights.surprise, { id })).toBe('forbidden')
  })

  test('NIGHT-154: weighs games by how long ago the group picked them, and can be drawn again', async () => {
    const { clock, host, surprise } = await cast({ Factorio: 60 })
    const first = await surprise()
    clock.now += 8 * 24 * 60 * 60_000
    const second = await surprise()
    expect(new Map(second.pick!.odds.map(({ appid, weight }) => [appid, weight]))).toEqual(
      new Map(second.pick!.odds.map(({ appid }) => [appid, appid === first.pick!.appid ? 2 : 5])),
    )
    const again = await inNight(second, host).redraw('too long')
    expect(again.pick!.appid).not.toBe(second.pick!.appid)
  })

  test('NIGHT-154: presses within a minute are one surprise, and who presses makes no difference', async () => {
    const { clock, app, ada, bob, host, surprise } = await cast({ Factorio: 60 })
    const rust = app.appidOf('Rust')
    const nights = await Promise.all([host, ada, bob, ada].map((by) => surprise(by)))
    expect(new Set(nights.map(({ night_id: id }) => id)).size).toBe(1)
    const candidates = async (by: typeof host) => {
      clock.now += 60_000
      return (await surprise(by)).pick!.odds.map(({ appid }) => appid).toSorted((a, b) => a - b)
    }
    const first = await candidates(host)
    expect(first).not.toContain(rust)
    for (const by of [ada, bob]) expect(await candidates(by)).toEqual(first)
  })

  test('NIGHT-154, VIS-1: leaves out who hides their library, and refuses where nothing fits, and starts nothing', async () => {
    const { app, clock, bob, host, ada, surprise, id } = await cast()
    await setVisibility(bob, 'nobody')
    expect((await surprise()).pick!.odds).toHaveLength(2)
    await setVisibility(bob, 'connected')
    await app.owns(bob, {})
    clock.now += 60_000
    const before = (await host.call(api.nights.listOfGroup, { id })).nights.length
    expect(await ada.refusedWith(api.nights.surprise, { id })).toBe('no_games_left')
    expect((await host.call(api.nights.listOfGroup, { id })).nights).toHaveLength(before)
  })
})
