/** Games that people whose libraries a night cannot read say they own (NIGHT-134, LIM-50). */
import { describe, expect, test } from 'vitest'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { NIGHT_CLAIMS_MAX, SHORTLIST_MAX } from '#shared/limits.ts'
import type { Night } from '#shared/nights/entities.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { watch } from '../support/events.ts'
import { friendsWithGames, inNight, startInGroup } from '../support/nights.ts'
import { writeRows } from '../support/rows.ts'

async function makePrivate(app: TestApp, { steam_id }: TestPlayer, gamesPrivate = true): Promise<void> {
  app.simulator.updatePlayer(steam_id, { gamesPrivate })
  await app.deps.sync.syncGames(steam_id, steam_id).catch(() => undefined)
}

const claim = (night: Pick<Night, 'night_id'>, by: TestPlayer, gameId: number) =>
  by.call(nightsContract.claim, { id: night.night_id, gameId })
const refusal = async (night: Pick<Night, 'night_id'>, by: TestPlayer, gameId: number) =>
  (await by.refused(nightsContract.claim, { id: night.night_id, gameId })).code
const claimsOf = (night: Pick<Night, 'shortlist'>) =>
  Object.fromEntries(night.shortlist.map(({ appid, claimed_by }) => [appid, claimed_by]))

describe.each(engines)('what people say they own (%s)', (engine) => {
  /** Host, Ada and Misty are in; Misty's games are private. */
  async function withMisty(games?: string[]) {
    const app = await startTestApp({ engine })
    const { host, others, groupId, appids } = await friendsWithGames(app, 3, games)
    const [ada, misty] = others as [TestPlayer, TestPlayer]
    await makePrivate(app, misty)
    const night = await startInGroup(host, groupId)
    for (const one of [ada, misty]) await inNight(night, one).answer('in')
    const id = { id: night.night_id }
    return { app, host, ada, misty, night, id, appids, read: (by: TestPlayer) => inNight(night, by).read() }
  }

  test('NIGHT-134: counts in that night, for everyone, while their library is not known', async () => {
    const { app, host, ada, misty, night, id, appids, read } = await withMisty()
    const [portal, factorio, overcooked] = appids as [number, number, number]
    expect((await read(misty)).my.claimable.sort()).toEqual([...appids].sort())
    expect((await read(ada)).my.claimable).toEqual([])
    const stream = await watch(host)

    const mine = await claim(night, misty, overcooked)
    await stream.until(`night:${night.night_id}`)
    stream.close()
    const seen = await read(host)
    // What all are known to have comes first.
    expect(seen.shortlist.map(({ appid }) => appid)).toEqual([overcooked, portal, factorio])
    expect(claimsOf(seen)).toEqual({ [overcooked]: [misty.steam_id], [portal]: [], [factorio]: [] })
    expect(seen.shortlist[0]!.facts).toMatchObject({ people: 3, known: 3, owners: 3 })
    expect(seen.shortlist[1]!.facts).toMatchObject({ people: 3, known: 2, owners: 2 })
    expect((await claim(night, misty, overcooked)).version).toBe(mine.version)

    await claim(night, misty, portal)
    await misty.call(nightsContract.unclaim, { ...id, gameId: overcooked })
    expect(claimsOf(await read(ada))).toMatchObject({ [portal]: [misty.steam_id], [overcooked]: [] })
    const { nights } = await misty.call(privacyContract.exportAll, { steamId: misty.steam_id })
    expect(nights).toMatchObject([{ night_id: night.night_id, claims: String(portal) }])

    // The library is known: what was said of it does not count.
    await makePrivate(app, misty, false)
    const known = await read(host)
    expect(known.shortlist.every(({ claimed_by }) => claimed_by.length === 0)).toBe(true)
    expect(known.shortlist[0]!.facts).toMatchObject({ known: 3, owners: 3 })
    expect(await refusal(night, misty, factorio)).toBe('library_is_known')
  })

  test('NIGHT-134: goes into the vote and the pick, and is over with the vote', async () => {
    const { host, ada, misty, night, appids, read } = await withMisty()
    const [portal, , overcooked] = appids as [number, number, number]
    await claim(night, misty, portal)
    for (const one of [host, ada, misty]) await inNight(night, one).vote([{ appid: portal, mark: 'want' }])
    const decided = await read(ada)
    expect(decided.pick).toMatchObject({ appid: portal, claimed_by: [misty.steam_id], lacking: [] })
    expect(decided.pick!.ready).not.toContain(misty.steam_id)
    expect(decided.shortlist.find(({ appid }) => appid === portal)!.facts.owners).toBe(3)
    expect(await refusal(night, misty, overcooked)).toBe('night_has_ended')
  })

  test('NIGHT-134: goes with the answer and with the person', async () => {
    const { app, ada, misty, night, id, appids, read } = await withMisty()
    const portal = appids[0]!
    await claim(night, misty, portal)
    await inNight(night, misty).answer('maybe')
    expect(await refusal(night, misty, portal)).toBe('not_in_night')
    await inNight(night, misty).answer('in')
    expect(claimsOf(await read(ada))[portal]).toEqual([])
    await claim(night, misty, portal)
    await misty.call(nightsContract.removePlayer, { ...id, steamId: misty.steam_id })
    const kept = app.database.queries
      .selectFrom('night_people')
      .select('claims')
      .where('steam_id', '=', misty.steam_id)
    expect(await kept.execute()).toEqual([{ claims: null }])
  })

  test('NIGHT-134, LIM-50: is for who is in and not counted, and for games that those who are in list', async () => {
    const games = Array.from({ length: SHORTLIST_MAX + 2 }, (_, nth) => `Game ${nth}`)
    const { app, host, ada, misty, night, appids } = await withMisty(games)
    const last = appids.at(-1)!
    expect(await refusal(night, ada, appids[0]!)).toBe('library_is_known')
    // Both own it, but it is not among those that are shown.
    expect(await refusal(night, misty, last)).toBe('not_on_list')
    expect(await refusal(night, misty, 4_000_000)).toBe('not_on_list')
    await host.call(privacyContract.hideGame, { steamId: host.steam_id, gameId: appids[0]! })
    expect(await refusal(night, misty, appids[0]!)).toBe('not_on_list')
    expect(await refusal(night, await app.player(), last)).toBe('night_not_found')

    const many = Array.from({ length: NIGHT_CLAIMS_MAX }, (_, nth) => 5_000_000 + nth).join(',')
    await writeRows(app.database, (tx) =>
      tx.updateTable('night_people').set({ claims: many }).where('steam_id', '=', misty.steam_id).execute(),
    )
    expect(await refusal(night, misty, appids[1]!)).toBe('too_many_claims')
  })
})
