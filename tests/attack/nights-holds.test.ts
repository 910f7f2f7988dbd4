/** What held against attacks: one ballot, one end, draws that anybody can recompute from the documents alone. */
import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Night } from '#shared/nights/entities.ts'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

const games = ['Portal', 'Factorio', 'Overcooked', 'Terraria', 'Rust', 'Dota']

/** NIGHT-32 and NIGHT-33, written from their text. */
function checkDraws({ night_id, draws }: Night): void {
  for (const { number, odds, appid, seed, seed_hash } of draws) {
    if (seed === null) continue
    const key = Buffer.from(seed, 'hex')
    expect(createHash('sha256').update(key).digest('hex')).toBe(seed_hash)
    const sorted = odds.toSorted((a, b) => a.appid - b.appid)
    const text = `${night_id}:${number}:${sorted.map((one) => `${one.appid}=${one.weight}`).join(',')}`
    const hmac = createHmac('sha256', key).update(text).digest('hex')
    let rest = BigInt(`0x${hmac}`) % sorted.reduce((sum, { weight }) => sum + BigInt(weight), 0n)
    const drawn = sorted.find(({ weight }) => {
      rest -= BigInt(weight)
      return rest < 0n
    })
    expect(drawn?.appid).toBe(appid)
  }
}

test.each(engines)('%s: floods of ballots, draws and other draws on two servers', async (engine) => {
  const app = await startTestApp({ engine })
  const other = await startTestApp({ besides: app, engine })
  const { host, ada, groupId, appids } = await friendsWithGames(app, 4, games)
  const at = (player: TestPlayer, nth: number) => (nth % 2 ? app : other).callsOf(player.token)
  const flood = async (count: number, call: (nth: number) => Promise<Response>) =>
    (await Promise.all(Array.from({ length: count }, (_, nth) => call(nth)))).map(
      (response) => response.status,
    )
  const night = await host.call(api.nights.start, {}, { group_id: groupId })
  const id = { id: night.night_id }
  await inNight(night, ada).answer('in')

  const ballots = await flood(50, (nth) =>
    at(ada, nth).attempt(api.nights.vote, id, { marks: [{ appid: appids[nth % 6]!, mark: 'want' }] }),
  )
  // A busy server refuses what has waited for too long (LIM-20, LIM-22).
  expect(ballots.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
  expect((await inNight(night, ada).read()).my.marks).toHaveLength(1)

  await flood(10, (nth) => at(host, nth).attempt(api.nights.close, id, { by: nth % 3 ? 'draw' : 'votes' }))
  await flood(20, (nth) => at(host, nth).attempt(api.nights.draw, id))
  const drawn = await inNight(night, host).read()
  expect(drawn.draws).toHaveLength(1)
  await flood(10, (nth) => at(host, nth).attempt(api.nights.redraw, id, { reason: `${nth}`, replaces: 1 }))
  const again = await inNight(night, host).read()
  expect(again.draws).toHaveLength(2)
  checkDraws(again)

  await flood(12, (nth) => at(host, nth).attempt(api.nights.redraw, id, { reason: `${nth}` }))
  const last = await inNight(night, host).read()
  expect(new Set(last.draws.map((draw) => draw.appid)).size).toBe(last.draws.length)
  expect(last.odds).toEqual([])
  checkDraws(last)
})
