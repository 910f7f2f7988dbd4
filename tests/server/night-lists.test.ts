/** Lists of game nights, which nobody fills for others (NIGHT-12, LIM-46). */
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { NIGHTS_HOSTED_MAX } from '#shared/limits.ts'
import type { Night } from '#shared/nights/entities.ts'
import { purgeExpired } from '../../src/server/sync/housekeeping.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { answerAs, makeNight } from '../support/stored-nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** A group of three whose time can be set. */
async function begin(engine: (typeof engines)[number]) {
  const time = { now: Date.UTC(2026, 5, 1, 12) }
  const app = await startTestApp({ engine, clock: () => time.now })
  const { host: owner, others, groupId, appids } = await friendsWithGames(app, 3)
  const [ada, ben] = others as [TestPlayer, TestPlayer]
  return { app, time, owner, ada, ben, groupId, appids }
}
const iso = (time: number) => new Date(time).toISOString()
const ids = (nights: readonly { night_id: number }[]) => nights.map(({ night_id }) => night_id)
const mine = (player: TestPlayer) => player.call(nightsContract.list, { steamId: player.steam_id })
const ofGroup = (player: TestPlayer, id: number) => player.call(nightsContract.listOfGroup, { id })
const purge = (app: TestApp, now: number) =>
  purgeExpired({ database: app.database, pictures: app.deps.pictures, clock: () => now })
const storedIds = async (app: TestApp) =>
  ids(await app.database.queries.selectFrom('nights').select('night_id').orderBy('night_id').execute())

/** A decided night. */
async function decide(host: TestPlayer, body: object): Promise<Night> {
  const night = await host.call(nightsContract.start, {}, body)
  await inNight(night, host).close('draw')
  return inNight(night, host).draw()
}

describe.each(engines)('past nights in a list (%s)', (engine) => {
  test('NIGHT-12, NIGHT-13: are not pushed out by cancelled ones that nobody answered, whenever those were to start', async () => {
    const { app, time, owner, ada, ben, groupId } = await begin(engine)
    const real = await decide(owner, { group_id: groupId })
    await inNight(real, ada).answer('in')
    time.now += DAY
    for (let nth = 0; nth < 50; nth++) {
      const night = await ada.call(
        nightsContract.start,
        {},
        { group_id: groupId, starts_at: iso(time.now + 360 * DAY) },
      )
      await inNight(night, ada).cancel()
    }
    for (const player of [owner, ada]) {
      const lists = [await mine(player), await ofGroup(player, groupId)]
      for (const { nights } of lists) {
        expect(ids(nights)).toContain(real.night_id)
        expect(nights.filter(({ status }) => status === 'cancelled')).toHaveLength(10)
      }
    }
    // Also after who did it was removed; and a guest of neither night sees nothing else.
    await owner.call(groupsContract.removeMember, { id: groupId, steamId: ada.steam_id })
    expect(ids((await ofGroup(ben, groupId)).nights)).toContain(real.night_id)
    await purge(app, time.now + 30 * DAY)
    expect(await storedIds(app)).toHaveLength(51)
    await purge(app, time.now + 30 * DAY + 1)
    expect(await storedIds(app)).toEqual([real.night_id])
  })

  test('NIGHT-12: come in the order in which they were over, latest first; 50, and the last ten that nobody came to', async () => {
    const { app, time, owner, ada, groupId } = await begin(engine)
    const make = (startsAt: number) => makeNight(app, { host: owner, players: [ada], groupId, startsAt })
    const played: number[] = []
    for (let nth = 0; nth < 52; nth++) {
      const night = await make(time.now - (nth + 2) * DAY)
      await answerAs(app, night, ada, 'out')
      played.push(night)
    }
    const alone: number[] = []
    for (let nth = 0; nth < 12; nth++) alone.push(await make(time.now - (nth + 60) * DAY))
    const planned = await make(time.now + 300 * DAY)
    await answerAs(app, planned, ada, 'in')
    // Over before the first of those that were played was.
    time.now -= 2 * DAY
    await inNight({ night_id: planned }, owner).cancel()
    time.now += 2 * DAY
    const expected = [played[0], planned, ...played.slice(1, 49), ...alone.slice(0, 10)]
    expect(ids((await ofGroup(owner, groupId)).nights)).toEqual(expected)
    expect(ids((await mine(ada)).nights)).toEqual(expected)
  })
})

describe.each(engines)('nights that friends ask one to (%s)', (engine) => {
  test('LIM-46: count for their host until they are past, decided or not', async () => {
    const { time, owner, ada, groupId, appids } = await begin(engine)
    expect(appids).toHaveLength(3)
    const start = () => ada.attempt(nightsContract.start, {}, { steam_ids: [owner.steam_id] })
    for (let nth = 0; nth < NIGHTS_HOSTED_MAX; nth++) await decide(ada, { steam_ids: [owner.steam_id] })
    expect(await ada.refused(nightsContract.start, {}, { group_id: groupId })).toMatchObject({
      status: 409,
      code: 'too_many_nights',
    })
    time.now += 12 * HOUR
    expect((await start()).status).toBe(201)
  })

  test('NIGHT-12: stand after those I answered, and after those of my groups', async () => {
    const { app, time, owner: me, ada, ben, groupId } = await begin(engine)
    const soon = time.now + HOUR
    const asked = await makeNight(app, { host: ada, players: [me], startsAt: soon })
    const answered = await makeNight(app, { host: ada, players: [me], startsAt: soon + 3 * DAY })
    await answerAs(app, answered, me, 'out')
    const hosted = await makeNight(app, { host: me, players: [ada], startsAt: soon + 4 * DAY })
    const group = await makeNight(app, { host: ada, players: [me, ben], groupId, startsAt: soon + 2 * DAY })
    expect(ids((await mine(me)).nights)).toEqual([answered, hosted, group, asked])
    await inNight({ night_id: group }, me).remove(me)
    const later = await makeNight(app, { host: ada, players: [me], groupId, startsAt: soon + 5 * DAY })
    expect((await ofGroup(me, groupId)).nights.map(({ night_id, is_mine }) => [night_id, is_mine])).toEqual([
      [later, true],
      [group, false],
    ])
  })
})
