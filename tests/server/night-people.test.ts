/** Asking people to a night of chosen people again (LIM-48). */
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

const DAY = 24 * 60 * 60_000

describe.each(engines)('people of a night (%s)', (engine) => {
  test('LIM-48: a player who left or was removed is asked again twice a day at most, also when others are asked with them', async () => {
    const { app, time } = await startAt(Date.UTC(2026, 5, 1, 12), { engine })
    const { host, ada, ben, eve: cleo } = await friendsWithGames(app, 4)
    const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id, ben.steam_id] })
    const id = { id: night.night_id }
    const ask = (...people: TestPlayer[]) => ({ steam_ids: people.map((one) => one.steam_id) })
    const leave = (one: TestPlayer) => one.call(api.nights.removePlayer, { ...id, steamId: one.steam_id })

    for (let times = 0; times < 2; times++) {
      await leave(ada)
      await inNight(night, host).remove(ben)
      expect((await host.call(api.nights.addPlayers, id, ask(ada, ben))).people).toHaveLength(3)
    }
    await leave(ada)
    await inNight(night, host).remove(ben)
    for (const [gone, name] of [
      [ada, 'Player 1'],
      [ben, 'Player 2'],
    ] as const)
      expect(await host.refused(api.nights.addPlayers, id, ask(cleo, gone))).toMatchObject({
        status: 409,
        code: 'asked_too_often',
        error: `${name} has been asked often enough to this game night.`,
      })
    expect((await inNight(night, host).read()).people).toHaveLength(1)
    expect((await host.call(api.nights.addPlayers, id, ask(cleo))).people).toHaveLength(2)

    // Who has left comes back by the link; another night is not concerned.
    const { token } = await host.call(api.invites.renewOfNight, id)
    await ada.call(api.invites.accept, { token })
    expect((await ben.refused(api.invites.accept, { token })).status).toBe(404)
    expect((await host.call(api.nights.start, {}, ask(ben))).people).toHaveLength(2)
    // The night is not past a day later, if it starts later.
    await host.call(api.nights.change, id, { starts_at: new Date(time.now + 3 * DAY).toISOString() })
    time.now += DAY
    await host.call(api.nights.addPlayers, id, ask(ben))
  })
})
