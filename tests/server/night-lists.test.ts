/** Lists of game nights, and how many a host has (NIGHT-12, LIM-46). */
import { describe, expect, test } from 'vitest'
import { NIGHTS_HOSTED_MAX } from '#shared/limits.ts'
import type { Night } from '#shared/nights/entities.ts'
import { api, engines, startAt, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { answerAs, makeNight } from '../support/stored-nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** A group of three whose time can be set. */
async function begin(engine: (typeof engines)[number]) {
  const { app, time } = await startAt(Date.UTC(2026, 5, 1, 12), { engine })
  const { host: owner, ada, ben, groupId, appids } = await friendsWithGames(app, 3)
  return { app, time, owner, ada, ben, groupId, appids }
}
const ids = (nights: readonly { night_id: number }[]) => nights.map(({ night_id }) => night_id)
const mine = (player: TestPlayer) => player.call(api.nights.list, player.user)
const ofGroup = (player: TestPlayer, id: number) => player.call(api.nights.listOfGroup, { id })
/** A decided night. */
async function decide(host: TestPlayer, body: object): Promise<Night> {
  const night = await host.call(api.nights.start, {}, body)
  await inNight(night, host).close('draw')
  return inNight(night, host).draw()
}

describe.each(engines)('past nights in a list (%s)', (engine) => {
  test('NIGHT-12: come in the order in which they were over, latest first; 50 beside the cancelled ones, a player’s those that they answered', async () => {
    const { app, time, owner, ada, groupId } = await begin(engine)
    const make = (startsAt: number) => makeNight(app, { host: owner, players: [ada], groupId, startsAt })
    const played: number[] = []
    for (let nth = 0; nth < 52; nth++) {
      const night = await make(time.now - (nth + 2) * DAY)
      await answerAs(app, night, ada, 'out')
      played.push(night)
    }
    const unanswered = await make(time.now - DAY)
    const planned = await make(time.now + 300 * DAY)
    await answerAs(app, planned, ada, 'in')
    // Over before the first of those that were played was.
    time.now -= 2 * DAY
    await inNight({ night_id: planned }, owner).cancel()
    time.now += 2 * DAY
    const answered = [played[0]!, planned, ...played.slice(1)]
    expect(ids((await mine(ada)).nights)).toEqual(answered.slice(0, 51))
    expect(ids((await ofGroup(owner, groupId)).nights)).toEqual([unanswered, ...answered.slice(0, 50)])
    expect(ids((await mine(owner)).nights)).toEqual([unanswered, ...answered.slice(0, 50)])
  })
})

describe.each(engines)('nights that friends ask one to (%s)', (engine) => {
  test('LIM-46: count for their host until they are past, decided or not', async () => {
    const { time, owner, ada, groupId, appids } = await begin(engine)
    expect(appids).toHaveLength(3)
    const start = () => ada.attempt(api.nights.start, {}, { steam_ids: [owner.steam_id] })
    for (let nth = 0; nth < NIGHTS_HOSTED_MAX; nth++) await decide(ada, { steam_ids: [owner.steam_id] })
    expect(await ada.refusedWith(api.nights.start, {}, { group_id: groupId })).toBe('too_many_nights')
    time.now += 12 * HOUR
    expect((await start()).status).toBe(201)
  })
})
