/** Game nights in which several people, on two servers, act at once. */
import { describe, expect, test } from 'vitest'
import { NIGHTS_HOSTED_MAX } from '#shared/limits.ts'
import { changingNight } from '../../src/server/features/nights/change.ts'
import { readShortlist } from '../../src/server/features/nights/shortlist.ts'
import { setHiddenGames } from '../../src/server/storage/players/players.ts'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight, startInGroup as start } from '../support/nights.ts'

describe.each(engines)('a game night (%s)', (engine) => {
  test('NIGHT-14, NIGHT-17: two hosts who close at once on two servers get one and the same pick', async () => {
    const one = await startTestApp({ engine })
    const two = await startTestApp({ besides: one })
    const { host, others, groupId, appids } = await friendsWithGames(one, 2)
    for (let round = 0; round < 5; round++) {
      const night = await start(host, groupId)
      await inNight(night, others[0]!).answer('in')
      await inNight(night, host).vote([{ appid: appids[1]!, mark: 'want' }])
      const onTwo = { ...host, ...two.callsOf(host.token) }
      const closed = await Promise.all([
        inNight(night, host).close('votes'),
        inNight(night, onTwo).close('draw'),
      ])
      // Either may be first; by 'draw' nothing is picked yet.
      expect(closed[0].status).toBe(closed[1].status)
      expect(closed[0].odds).toEqual(closed[1].odds)
      const drawn = await Promise.all([inNight(night, host).draw(), inNight(night, onTwo).draw()])
      expect(drawn[0].pick).toEqual(drawn[1].pick)
      expect(drawn[0].draws).toHaveLength(1)
    }
  })

  test('NIGHT-14: a change sees the shortlist of its own moment', async () => {
    const app = await startTestApp({ engine })
    const { host, groupId, appids } = await friendsWithGames(app, 2)
    const night = await start(host, groupId)
    await inNight(night, host).read()
    const listed = await changingNight(app.deps, night.night_id, host.steam_id, async (locked) => {
      const list = async () => {
        const { games } = await readShortlist(locked.deps, locked.night, locked.players)
        return games.best.map((entry) => entry.appid)
      }
      const before = await list()
      await setHiddenGames(locked.tx, host.steam_id, [appids[0]!])
      return [before, await list()]
    })
    expect(listed).toEqual([appids, appids.slice(1)])
  })

  test('NIGHT-14: concurrent ballots, answers and closing on two servers leave one result that fits all ballots', async () => {
    const one = await startTestApp({ engine })
    const two = await startTestApp({ besides: one })
    const { host, others, groupId, appids } = await friendsWithGames(one, 5)
    for (let round = 0; round < 4; round++) {
      const night = await start(host, groupId)
      const id = { id: night.night_id }
      await Promise.all(others.map((other) => inNight(night, other).answer('in')))
      const sent = [host, ...others].map((voter, nth) => {
        const by = nth % 2 === 0 ? voter : { ...voter, ...two.callsOf(voter.token) }
        const marks = [{ appid: appids[nth % 2]!, mark: 'want' as const }]
        return by.attempt(api.nights.vote, id, { marks })
      })
      const closing = host.attempt(api.nights.close, id, { by: 'draw' })
      const accepted = (await Promise.all(sent)).filter((response) => response.ok).length
      expect((await closing).ok).toBe(true)
      const ended = await inNight(night, others[0]!).read()
      expect(ended.people.filter((person) => person.voted)).toHaveLength(accepted)
      // Each ballot wants one game.
      const sum = ended.scores!.reduce((all, { score }) => all + score, 0)
      expect(sum).toBe(2 * accepted)
      // One version for each that was accepted, the answers, and the end, if it came alone.
      expect(ended.version).toBeGreaterThanOrEqual(1 + others.length + accepted)
      if (ended.status === 'tied') await inNight(night, host).draw()
    }
  })

  test('NIGHT-8, LIM-46: hosts who leave at once make nobody host more than they may', async () => {
    const app = await startTestApp({ engine })
    const next = await app.player()
    const host = await app.player({ friends: [next] })
    const start = (by: TestPlayer, steam_ids: string[]) => by.call(api.nights.start, {}, { steam_ids })
    for (let count = 0; count < NIGHTS_HOSTED_MAX - 2; count++) await start(next, [])
    const left = []
    for (let count = 0; count < 8; count++) left.push(await start(host, [next.steam_id]))
    for (const night of left) await inNight(night, next).answer('in')
    await Promise.all(left.map((night) => inNight(night, host).remove(host)))
    const nights = await Promise.all(left.map((night) => inNight(night, next).read()))
    expect(nights.filter(({ host_steam_id }) => host_steam_id === next.steam_id)).toHaveLength(2)
    expect(nights.filter(({ status }) => status === 'cancelled')).toHaveLength(6)
  })
})
