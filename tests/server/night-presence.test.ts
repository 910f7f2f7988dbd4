/** While somebody looks at a night, the presence of its people is read once a minute (NIGHT-46). */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { inNight } from '../support/nights.ts'
import { answerAs, makeNight } from '../support/stored-nights.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'

const MINUTE = 60_000
const { nights } = api

const at = (app: TestApp, player: TestPlayer) => ({ ...player, ...app.callsOf(player.token) })

describe.each(engines)('on %s', (engine) => {
  /** Two servers, and a night with two people whose profiles are more than a minute old. */
  async function watched() {
    const { app, time } = await startAt(Date.now(), { engine, background: true })
    const other = await startTestApp({ besides: app, clock: () => time.now })
    const guest = await app.player()
    const host = await app.player({ friends: [guest] })
    const night = await makeNight(app, { host, players: [guest] })
    await answerAs(app, night, guest, 'in')
    time.now += MINUTE + 1
    app.simulator.clearCalls()
    const reads = (player = guest) => app.simulator.callsTo('GetPlayerSummaries', player.steam_id).length
    const stateOf = async (player: TestPlayer) =>
      (await host.call(nights.read, { id: night })).people.find((one) => one.steam_id === player.steam_id)
        ?.personastate
    return { app, other, time, host, guest, night, reads, stateOf }
  }

  test('NIGHT-46: it is read once a minute, however many look, and a change is told on every server', async () => {
    const { app, other, time, host, guest, night, reads, stateOf } = await watched()
    const streams = [await watch(host), await watch(at(other, guest))]
    for (const [round, personastate] of [3, 4].entries()) {
      app.simulator.updatePlayer(guest.steam_id, { personastate })
      time.now += MINUTE + 1
      for (const player of [host, at(other, guest)]) await inNight({ night_id: night }, player).read()
      await expect.poll(() => reads()).toBe(round + 1)
      for (const stream of streams) await stream.until(`night:${night}`)
      await expect.poll(() => stateOf(guest)).toBe(personastate)
      expect(reads()).toBe(round + 1)
    }
  })

  test('NIGHT-46: a platform that fails or is slow holds up nothing, and is asked again after a minute', async () => {
    const { app, time, night, reads, stateOf, guest } = await watched()
    app.simulator.fail({ endpoint: 'GetPlayerSummaries', kind: 'status', status: 503 })
    await stateOf(guest)
    await expect.poll(() => reads()).toBe(1)
    app.simulator.clearFaults()
    app.simulator.updatePlayer(guest.steam_id, { personastate: 2 })
    app.simulator.setLatency(300)
    time.now += MINUTE + 1
    await expect.poll(() => reads()).toBe(2)
    expect((await guest.request(`/api/nights/${night}`)).status).toBe(200)
    await expect.poll(() => stateOf(guest)).toBe(2)
  })

  test('NIGHT-10: a player who looks, answers or votes is online in the night, whatever Steam says, for ten minutes', async () => {
    const { app, time, host, guest, night, stateOf } = await watched()
    await app.write((tx) => tx.updateTable('people').set({ personastate: 0 }).execute())
    expect(await stateOf(guest)).toBe(1)
    time.now += 10 * MINUTE
    expect(await stateOf(guest)).toBe(0)
    expect(await stateOf(host)).toBe(1)
    await inNight({ night_id: night }, guest).vote([])
    expect(await stateOf(guest)).toBe(1)
  })

  test('NIGHT-46: it is not read for past nights, or ones not looked at for ten minutes', async () => {
    const { app, time, guest, night, reads } = await watched()
    await inNight({ night_id: night }, guest).read()
    await expect.poll(() => reads()).toBe(1)
    const later = await app.player()
    const another = await makeNight(app, { host: later })
    const past = await makeNight(app, { host: guest, startsAt: time.now - NIGHT_LENGTH_MS })
    time.now += 11 * MINUTE
    await inNight({ night_id: past }, guest).read()
    await inNight({ night_id: another }, later).read()
    await expect.poll(() => reads(later)).toBeGreaterThan(0)
    expect(reads()).toBe(1)
  })
})
